// Path simulation and payoffs in float, strict arithmetic.
#include "kernels/pricing/run_paths.hpp"

GSIM_DEFINE_LAUNCHER(run_paths_f32_strict, pricing::PathJob<float>) {
  pricing_kernels::run_paths<float, Strict>(executor, args);
}
