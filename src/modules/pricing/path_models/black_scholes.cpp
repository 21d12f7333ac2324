// Geometric Brownian motion with a volatility that may depend on time (Black and Scholes 1973).

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/market/model_keys.hpp"
#include "src/modules/pricing/market/shared_model_parts.hpp"

namespace gsim::pricing {
namespace black_scholes_model {
namespace {

void describe(Section& s, AssetInput& a) { describe_volatility(s, a, true); }

bool is_random(const AssetConfig& a, double until) { return a.variance.integral(until) > 0; }

}  // namespace
}  // namespace black_scholes_model

void register_black_scholes(Registry& registry) {
  static constexpr PathModelFunctions functions{
      .scheme = StepScheme::black_scholes,
      .describe = black_scholes_model::describe,
      .validate = set_variance_from_volatility,
      .set_up = deterministic_variance::set_up,
      .is_random = black_scholes_model::is_random,
      .mean_variance = deterministic_variance::mean_variance,
      .log_variance = deterministic_variance::log_variance,
      .has_vanilla_value = true,
  };
  registry.extend(
      PathModelKind{.name = "black_scholes",
                    .doc = "geometric Brownian motion, exact steps (Black and Scholes 1973)",
                    .bridged = true,
                    .functions = &functions});
}

}  // namespace gsim::pricing
