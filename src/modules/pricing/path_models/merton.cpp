// Black-Scholes with lognormal jumps at Poisson times (Merton 1976).

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/market/model_keys.hpp"
#include "src/modules/pricing/market/shared_model_parts.hpp"

namespace gsim::pricing {
namespace merton_model {
namespace {

void describe(Section& s, AssetInput& a) {
  describe_volatility(s, a, false);
  describe_jumps(s, a);
}

void set_up(const AssetConfig& a, const TimeGrid& grid, AssetDynamics& d) {
  deterministic_variance::set_up(a, grid, d);
  set_up_jumps(a, d);
}

bool is_random(const AssetConfig& a, double until) {
  return a.variance.integral(until) > 0 || a.jump_intensity > 0;
}

}  // namespace
}  // namespace merton_model

void register_merton(Registry& registry) {
  static constexpr PathModelFunctions functions{
      .scheme = StepScheme::black_scholes,
      .describe = merton_model::describe,
      .validate = set_variance_from_volatility,
      .set_up = merton_model::set_up,
      .is_random = merton_model::is_random,
      .mean_variance = deterministic_variance::mean_variance,
      .log_variance = deterministic_variance::log_variance,
      .has_jumps = true,
      .has_vanilla_value = true,
  };
  registry.extend(PathModelKind{.name = "merton",
                                .doc = "Black-Scholes with lognormal jumps (Merton 1976)",
                                .bridged = true,
                                .functions = &functions});
}

}  // namespace gsim::pricing
