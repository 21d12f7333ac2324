// Samples of multilevel Monte Carlo, on hosts.
#include "kernels/pricing/multilevel/level_samples.hpp"

GSIM_DEFINE_LAUNCHER(sample_level, pricing::LevelJob) {
  using namespace pricing_kernels;
  if (args.fine.scheme == StepScheme::heston)
    sample_level_of<StepScheme::heston>(executor, args);
  else if (args.fine.scheme == StepScheme::local_volatility)
    sample_level_of<StepScheme::local_volatility>(executor, args);
  else
    sample_level_of<StepScheme::black_scholes>(executor, args);
}
