// Path simulation, payoffs and Greeks in double, fast arithmetic.
#include "kernels/pricing/greeks/run_greeks.hpp"
#include "kernels/pricing/run_paths.hpp"

GSIM_DEFINE_LAUNCHER(run_paths_f64_fast, pricing::PathJob<double>) {
  pricing_kernels::run_paths<double, Fast>(executor, args);
}

GSIM_DEFINE_LAUNCHER(run_greeks_f64_fast, pricing::GreeksJob<double>) {
  pricing_kernels::run_greeks<double, Fast>(executor, args);
}
