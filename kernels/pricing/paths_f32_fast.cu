// Path simulation and payoffs in float, fast arithmetic.
#include "kernels/pricing/run_paths.hpp"

GSIM_DEFINE_LAUNCHER(run_paths_f32_fast, pricing::PathJob<float>) {
  pricing_kernels::run_paths<float, Fast>(executor, args);
}
