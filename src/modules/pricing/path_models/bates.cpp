// Heston's model with lognormal jumps at Poisson times (Bates 1996).

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/market/model_keys.hpp"
#include "src/modules/pricing/market/shared_model_parts.hpp"

namespace gsim::pricing {
namespace bates_model {
namespace {

void describe(Section& s, AssetInput& a) {
  describe_stochastic_variance(s, a, true);
  describe_jumps(s, a);
}

void set_up(const AssetConfig& a, const TimeGrid& grid, AssetDynamics& d) {
  heston_variance::set_up(a, grid, d);
  set_up_jumps(a, d);
}

bool is_random(const AssetConfig& a, double) {
  return a.v0 > 0 || a.theta > 0 || a.jump_intensity > 0;
}

}  // namespace
}  // namespace bates_model

void register_bates(Registry& registry) {
  static constexpr PathModelFunctions functions{
      .scheme = StepScheme::heston,
      .describe = bates_model::describe,
      .set_up = bates_model::set_up,
      .is_random = bates_model::is_random,
      .mean_variance = heston_variance::mean_variance,
      .log_variance = heston_variance::log_variance,
      .spot_normal_correlation = heston_variance::spot_normal_correlation,
      .has_own_variance = true,
      .has_jumps = true,
      .has_vanilla_value = true,
  };
  registry.extend(PathModelKind{.name = "bates",
                                .doc = "Heston with lognormal jumps (Bates 1996)",
                                .normals = 2,
                                .bridged = true,
                                .small_steps = true,
                                .functions = &functions});
}

}  // namespace gsim::pricing
