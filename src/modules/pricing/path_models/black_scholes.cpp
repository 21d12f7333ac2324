// Geometric Brownian motion with a volatility that may depend on time (Black and Scholes 1973).

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/market/market_fields.hpp"
#include "src/modules/pricing/market/path_model_set_up.hpp"

namespace gsim::pricing {
namespace black_scholes_model {
namespace {

void describe(Section& s, AssetConfig& a) { describe_volatility(s, a.variance); }

void set_up(const AssetConfig& a, const TimeGrid& grid, AssetDynamics& d) {
  double from = 0;
  for (const double to : grid.times) {
    d.variance_step.push_back(a.variance.integral(from, to));
    from = to;
  }
}

bool is_random(const AssetConfig& a, double until) { return a.variance.integral(until) > 0; }

double mean_variance(const AssetConfig& a, double date) { return a.variance.integral(date) / date; }

double log_variance(const AssetConfig& a, double date) { return a.variance.integral(date); }

}  // namespace
}  // namespace black_scholes_model

void register_black_scholes(Registry& registry) {
  static constexpr PathModelSetUp functions{
      .model = ModelKind::black_scholes,
      .describe = black_scholes_model::describe,
      .set_up = black_scholes_model::set_up,
      .is_random = black_scholes_model::is_random,
      .mean_variance = black_scholes_model::mean_variance,
      .log_variance = black_scholes_model::log_variance,
      .has_vanilla_value = true,
  };
  registry.extend(
      PathModelKind{.name = "black_scholes",
                    .doc = "geometric Brownian motion, exact steps (Black and Scholes 1973)",
                    .bridged = true,
                    .set_up = &functions});
}

}  // namespace gsim::pricing
