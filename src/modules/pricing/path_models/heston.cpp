// Stochastic variance (Heston 1993), stepped by Andersen's QE scheme (2008).

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/calibration/asset_calibration.hpp"
#include "src/modules/pricing/market/model_keys.hpp"
#include "src/modules/pricing/market/shared_model_parts.hpp"

namespace gsim::pricing {
namespace heston_model {
namespace {

void describe(Section& s, AssetInput& a) {
  s.optional("calibrate_to", a.calibrate_to,
             {.doc = "surface of [market.volatility_surfaces] to whose implied volatilities the "
                     "parameters are calibrated by least squares; the next five keys, otherwise "
                     "required, are then where the fit starts"});
  describe_stochastic_variance(s, a, has_values(s) && a.calibrate_to.empty());
}

void validate(const Section& s, AssetInput& a) {
  if (!a.calibrate_to.empty()) calibrate_heston_asset(s, a);
}

bool is_random(const AssetConfig& a, double) { return a.v0 > 0 || a.theta > 0; }

}  // namespace
}  // namespace heston_model

void register_heston(Registry& registry) {
  static constexpr PathModelFunctions functions{
      .scheme = StepScheme::heston,
      .describe = heston_model::describe,
      .validate = heston_model::validate,
      .set_up = heston_variance::set_up,
      .is_random = heston_model::is_random,
      .mean_variance = heston_variance::mean_variance,
      .log_variance = heston_variance::log_variance,
      .spot_normal_correlation = heston_variance::spot_normal_correlation,
      .has_own_variance = true,
      .has_vanilla_value = true,
  };
  registry.extend(PathModelKind{
      .name = "heston",
      .doc = "stochastic variance (Heston 1993), stepped by Andersen's QE scheme (2008)",
      .normals = 2,
      .bridged = true,
      .small_steps = true,
      .functions = &functions});
}

}  // namespace gsim::pricing
