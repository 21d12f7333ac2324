#include "src/modules/pricing/exposures/random_covariance.hpp"

#include "gsim/core/error.hpp"
#include "gsim/pricing/path_model_kind.hpp"
#include "src/modules/pricing/paths/asset_step_constants.hpp"

GSIM_DECLARE_PATH_MODEL(heston_with_rates)

namespace gsim::pricing {

// The numbers are those of kernels/pricing/path_models/heston_with_rates.cu.
AssetDynamics with_covariances(AssetDynamics asset, const TimeGrid& grid,
                               const std::vector<FactorCovariances>& factors) {
  static const PathModelKind kind{.name = "heston_with_rates",
                                  .doc = "heston and bates, correlated with a short rate",
                                  .normals = 2,
                                  .bridged = true,
                                  .small_steps = true,
                                  .launchers = GSIM_PATH_MODEL(heston_with_rates)};
  constexpr std::size_t most_factors = 2;
  GSIM_EXPECT(asset.has_own_variance && asset.normals == kind.normals);
  GSIM_EXPECT(factors.size() <= most_factors);
  const std::vector<double> dt = step_lengths(grid);
  const bool jumps = asset.has_jumps && asset.jump_intensity > 0;
  std::vector<double> means, cdf;
  Index terms = 0;
  for (const double length : dt) means.push_back(asset.jump_intensity * length);
  if (jumps) cdf = jump_cdf(means, terms);
  std::vector<double>& numbers = asset.step_numbers;
  numbers.clear();
  for (std::size_t k = 0; k < dt.size(); ++k) {
    const double drift = asset.drift_step[k] - (jumps ? means[k] * mean_jump(asset) : 0);
    const QeStep<double> c = qe_step(asset, dt[k]);
    numbers.insert(numbers.end(), {drift, c.decay, c.mean_offset, c.s2_slope, c.s2_offset, c.k0,
                                   c.k1, c.k2, c.k3, c.k4, c.a, c.half_k3, c.half_dt});
    for (std::size_t i = 0; i < most_factors; ++i)
      if (i < factors.size())
        numbers.insert(numbers.end(),
                       {factors[i].decay[k], factors[i].step[k], factors[i].weight[k]});
      else
        numbers.insert(numbers.end(), {0, 0, 0});
    numbers.insert(numbers.end(), cdf.begin() + static_cast<Index>(k) * terms,
                   cdf.begin() + (static_cast<Index>(k) + 1) * terms);
  }
  asset.numbers = {asset.v0, asset.jump_mean, asset.jump_sd, static_cast<double>(terms)};
  asset.scheme = StepScheme::launched;
  asset.kind = &kind;
  return asset;
}

}  // namespace gsim::pricing
