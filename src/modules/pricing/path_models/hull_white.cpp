// Short rates of [market.rates] (Hull and White 1990): exact steps of the lognormal martingale in
// market/short_rate_model.hpp.

#include <cmath>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/model_keys.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/market/short_rate_model.hpp"

namespace gsim::pricing {
namespace hull_white_model {
namespace {

double log_variance(const AssetConfig& a, double date) {
  return short_rate_variance(*a.short_rate, date);
}

void set_up(const AssetConfig& a, const TimeGrid& grid, AssetDynamics& d) {
  double before = 0;
  for (const double to : grid.times) {
    const double variance = log_variance(a, to);
    d.variance_step.push_back(variance - before);
    before = variance;
  }
  d.deviation = std::sqrt(before);
}

bool is_random(const AssetConfig& a, double) { return a.short_rate->volatility > 0; }

}  // namespace
}  // namespace hull_white_model

void register_hull_white(Registry& registry) {
  static constexpr PathModelFunctions functions{
      .scheme = StepScheme::black_scholes,
      .set_up = hull_white_model::set_up,
      .is_random = hull_white_model::is_random,
      .log_variance = hull_white_model::log_variance,
      .is_of_rates = true,
  };
  registry.extend(PathModelKind{.name = "hull_white",
                                .doc = "short rates of [market.rates] (Hull and White 1990)",
                                .functions = &functions});
}

}  // namespace gsim::pricing
