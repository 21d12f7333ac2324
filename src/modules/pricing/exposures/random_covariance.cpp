#include "src/modules/pricing/exposures/random_covariance.hpp"

#include <cmath>

#include "gsim/core/error.hpp"
#include "gsim/pricing/path_model_kind.hpp"
#include "src/modules/pricing/paths/asset_step_constants.hpp"

GSIM_DECLARE_PATH_MODEL(heston_with_rates)

namespace gsim::pricing {
namespace {

constexpr std::size_t most_factors = 2;

const PathModelKind& kind() {
  static const PathModelKind kind{.name = "heston_with_rates",
                                  .doc = "heston and bates, correlated with a short rate",
                                  .normals = 2,
                                  .bridged = true,
                                  .small_steps = true,
                                  .launchers = GSIM_PATH_MODEL(heston_with_rates)};
  return kind;
}

/// The numbers of a step of kernels/pricing/path_models/heston_with_rates.cu.
struct StepNumbers {
  double drift;
  QeStep<double> qe;
  double own, k3, k4;  ///< of the deviation
};

void add_step(const StepNumbers& s, const std::vector<FactorCovariances>& factors, std::size_t k,
              std::vector<double>& numbers) {
  const QeStep<double>& c = s.qe;
  numbers.insert(numbers.end(), {s.drift, c.decay, c.mean_offset, c.s2_slope, c.s2_offset, c.k0,
                                 c.k1, c.k2, c.k3, c.k4, c.a, c.half_k3, c.half_dt});
  for (std::size_t i = 0; i < most_factors; ++i)
    if (i < factors.size())
      numbers.insert(numbers.end(),
                     {factors[i].decay[k], factors[i].step[k], factors[i].weight[k]});
    else
      numbers.insert(numbers.end(), {0, 0, 0});
  numbers.insert(numbers.end(), {s.own, s.k3, s.k4});
}

}  // namespace

AssetDynamics with_covariances(AssetDynamics asset, const TimeGrid& grid,
                               const std::vector<FactorCovariances>& factors) {
  GSIM_EXPECT(asset.has_own_variance && asset.normals == kind().normals);
  GSIM_EXPECT(factors.size() <= most_factors);
  const std::vector<double> dt = step_lengths(grid);
  const bool jumps = asset.has_jumps && asset.jump_intensity > 0;
  std::vector<double> means, cdf;
  Index terms = 0;
  for (const double length : dt) means.push_back(asset.jump_intensity * length);
  if (jumps) cdf = jump_cdf(means, terms);
  asset.step_numbers.clear();
  for (std::size_t k = 0; k < dt.size(); ++k) {
    const double drift = asset.drift_step[k] - (jumps ? means[k] * mean_jump(asset) : 0);
    const QeStep<double> qe = qe_step(asset, dt[k]);
    add_step({drift, qe, 0, qe.k3, qe.k4}, factors, k, asset.step_numbers);
    asset.step_numbers.insert(asset.step_numbers.end(), cdf.begin() + static_cast<Index>(k) * terms,
                              cdf.begin() + (static_cast<Index>(k) + 1) * terms);
  }
  asset.numbers = {asset.v0, asset.jump_mean, asset.jump_sd, static_cast<double>(terms)};
  asset.scheme = StepScheme::launched;
  asset.kind = &kind();
  return asset;
}

AssetDynamics with_random_drift(AssetDynamics rate, const RandomDrift& drift,
                                const TimeGrid& grid) {
  const AssetDynamics& source = *drift.exchange;
  GSIM_EXPECT(source.has_own_variance && !rate.variance_step.empty() && rate.normals == 1);
  const std::vector<double> dt = step_lengths(grid);
  FactorCovariances covariance;
  for (std::size_t k = 0; k < dt.size(); ++k) {
    covariance.decay.push_back(1);
    covariance.step.push_back(drift.correlation * std::sqrt(rate.variance_step[k]));
    covariance.weight.push_back(-drift.sign);
  }
  rate.step_numbers.clear();
  for (std::size_t k = 0; k < dt.size(); ++k) {
    QeStep<double> qe = qe_step(source, dt[k]);
    const double k3 = qe.k3, k4 = qe.k4;
    qe.k0 = qe.k1 = qe.k2 = qe.k3 = qe.k4 = qe.a = qe.half_k3 = 0;  // of the variance alone
    const double variance = rate.variance_step[k];
    add_step({rate.drift_step[k] - 0.5 * variance, qe, std::sqrt(variance), k3, k4}, {covariance},
             k, rate.step_numbers);
  }
  rate.numbers = {source.v0, 0, 0, 0};
  rate.variance_step.clear();
  rate.reach = 0;
  rate.scheme = StepScheme::launched;
  rate.kind = &kind();
  rate.normals = kind().normals;
  rate.further_normals_of = drift.asset;
  return rate;
}

}  // namespace gsim::pricing
