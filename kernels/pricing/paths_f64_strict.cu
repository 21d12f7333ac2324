// Path simulation and payoffs in double, strict arithmetic.
#include "kernels/pricing/run_paths.hpp"

GSIM_DEFINE_LAUNCHER(run_paths_f64_strict, pricing::PathJob<double>) {
  pricing_kernels::run_paths<double, Strict>(executor, args);
}
