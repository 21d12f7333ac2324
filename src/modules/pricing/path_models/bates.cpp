// Heston's model with lognormal jumps at Poisson times (Bates 1996).

#include <algorithm>
#include <cmath>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/market/market_fields.hpp"
#include "src/modules/pricing/market/path_model_set_up.hpp"

namespace gsim::pricing {
namespace bates_model {
namespace {

void describe(Section& s, AssetConfig& a) {
  describe_own_variance(s, a);
  describe_jumps(s, a);
}

void set_up(const AssetConfig& a, const TimeGrid&, AssetDynamics& d) {
  d.v0 = a.v0;
  d.kappa = a.kappa;
  d.theta = a.theta;
  d.sigma = a.sigma;
  d.rho = a.rho;
  d.jump_intensity = a.jump_intensity;
  d.jump_mean = a.jump_mean;
  d.jump_sd = a.jump_sd;
}

bool is_random(const AssetConfig& a, double) {
  return a.v0 > 0 || a.theta > 0 || a.jump_intensity > 0;
}

double mean_variance(const AssetConfig& a, double date) {
  return heston_mean_variance(a.v0, a.kappa, a.theta, date);
}

double log_variance(const AssetConfig& a, double date) { return std::max(a.v0, a.theta) * date; }

// For |rho| = 1 the spot has no independent part; the floor then makes any spot correlation too
// large.
double spot_share(const AssetConfig& a) { return std::sqrt(std::fmax(1 - a.rho * a.rho, 1e-12)); }

}  // namespace
}  // namespace bates_model

void register_bates(Registry& registry) {
  static constexpr PathModelSetUp functions{
      .model = ModelKind::bates,
      .describe = bates_model::describe,
      .set_up = bates_model::set_up,
      .is_random = bates_model::is_random,
      .mean_variance = bates_model::mean_variance,
      .log_variance = bates_model::log_variance,
      .spot_share = bates_model::spot_share,
      .has_own_variance = true,
      .has_jumps = true,
      .has_vanilla_value = true,
  };
  registry.extend(PathModelKind{.name = "bates",
                                .doc = "Heston with lognormal jumps (Bates 1996)",
                                .normals = 2,
                                .bridged = true,
                                .small_steps = true,
                                .set_up = &functions});
}

}  // namespace gsim::pricing
