// Short rates of [market.rates] with two factors (Brigo and Mercurio 2006, section 4.2): exact
// steps of the factors in market/two_factors.hpp, each of which takes the place of a log-spot.

#include <cmath>

#include "gsim/engine/registry.hpp"
#include "gsim/pricing/path_model_kind.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/market/two_factors.hpp"

GSIM_DECLARE_PATH_MODEL(gaussian_factor)

namespace gsim::pricing {
namespace g2_model {
namespace {

bool is_second(const AssetConfig& a) { return a.first_factor >= 0; }

double reversion_of(const AssetConfig& a) {
  return is_second(a) ? a.short_rate->second->mean_reversion : a.short_rate->mean_reversion;
}

double log_variance(const AssetConfig& a, double date) {
  const FactorCovariance c = factor_covariance(*a.short_rate, date);
  return is_second(a) ? c.y : c.x;
}

/// The correlation of the changes of both factors over a step, divided by rho.
double share_of_correlation(const ShortRate& rate, double years) {
  const double a = rate.mean_reversion, b = rate.second->mean_reversion;
  return std::fmin(1.0, integrated_exponential(-(a + b), years) /
                            std::sqrt(integrated_exponential(-2 * a, years) *
                                      integrated_exponential(-2 * b, years)));
}

/// The numbers of gaussian_steps.hpp. The first normals of the factors have the correlation rho,
/// and only the second factor uses its second one.
void set_up(const AssetConfig& a, const TimeGrid& grid, AssetDynamics& d) {
  constexpr double reach = 12;  // standard deviations
  d.kind = a.model;
  double from = 0;
  for (const double to : grid.times) {
    const double years = to - from, deviation = std::sqrt(log_variance(a, years));
    const double share = is_second(a) ? share_of_correlation(*a.short_rate, years) : 1;
    d.step_numbers.insert(d.step_numbers.end(),
                          {exponential(-reversion_of(a) * years), deviation * share,
                           deviation * std::sqrt(std::fmax(0.0, (1 - share) * (1 + share))), 0});
    from = to;
  }
  d.deviation = std::sqrt(log_variance(a, from));
  d.reach = reach * d.deviation;
}

bool is_random(const AssetConfig& a, double) {
  return a.short_rate->volatility > 0 || a.short_rate->second->volatility > 0;
}

}  // namespace
}  // namespace g2_model

void register_g2(Registry& registry) {
  static constexpr PathModelFunctions functions{
      .set_up = g2_model::set_up,
      .is_random = g2_model::is_random,
      .log_variance = g2_model::log_variance,
      .is_of_rates = true,
  };
  registry.extend(
      PathModelKind{.name = "g2",
                    .doc = "short rates of [market.rates] with two factors, G2++ (Brigo and "
                           "Mercurio 2006)",
                    .normals = 2,
                    .martingale = false,
                    .launchers = GSIM_PATH_MODEL(gaussian_factor),
                    .functions = &functions});
}

}  // namespace gsim::pricing
