#include "kernels/pricing/payoffs/run_script.hpp"

// The launchers of scripted payoffs, as GSIM_DEFINE_PAYOFF defines those of a functor.
GSIM_DECLARE_PAYOFF(scripted)

GSIM_DEFINE_LAUNCHER(scripted_f64_strict, pricing::PayoffJob<double>) {
  pricing_kernels::sample_script<Strict>(executor, "pricing: scripted_f64_strict", args);
}
GSIM_DEFINE_LAUNCHER(scripted_f64_fast, pricing::PayoffJob<double>) {
  pricing_kernels::sample_script<Fast>(executor, "pricing: scripted_f64_fast", args);
}
GSIM_DEFINE_LAUNCHER(scripted_f32_strict, pricing::PayoffJob<float>) {
  pricing_kernels::sample_script<Strict>(executor, "pricing: scripted_f32_strict", args);
}
GSIM_DEFINE_LAUNCHER(scripted_f32_fast, pricing::PayoffJob<float>) {
  pricing_kernels::sample_script<Fast>(executor, "pricing: scripted_f32_fast", args);
}
