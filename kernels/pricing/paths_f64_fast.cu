// Path simulation and payoffs in double, fast arithmetic.
#include "kernels/pricing/run_paths.hpp"

GSIM_DEFINE_LAUNCHER(run_paths_f64_fast, pricing::PathJob<double>) {
  pricing_kernels::run_paths<double, Fast>(executor, args);
}
