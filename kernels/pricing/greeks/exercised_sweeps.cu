// Sums of the derivatives of trades with early exercise, in double.
#include "kernels/pricing/greeks/adjoint/exercised_sweep.hpp"

GSIM_DEFINE_LAUNCHER(sweep_exercised_strict, pricing::ExercisedSweepJob<double>) {
  pricing_kernels::run_exercised_sweeps<Strict>(executor, args);
}

GSIM_DEFINE_LAUNCHER(sweep_exercised_fast, pricing::ExercisedSweepJob<double>) {
  pricing_kernels::run_exercised_sweeps<Fast>(executor, args);
}
