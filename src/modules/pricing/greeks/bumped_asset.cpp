#include "src/modules/pricing/greeks/bumped_asset.hpp"

#include <algorithm>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {
namespace {

/// Whether two assets differ at most in spots, drifts and variances of the steps.
bool has_same_model(const AssetDynamics& a, const AssetDynamics& b) {
  return a.v0 == b.v0 && a.kappa == b.kappa && a.theta == b.theta && a.sigma == b.sigma &&
         a.rho == b.rho && a.jump_intensity == b.jump_intensity && a.jump_mean == b.jump_mean &&
         a.jump_sd == b.jump_sd && a.lv_times == b.lv_times && a.lv_log_spots == b.lv_log_spots &&
         a.lv_volatility == b.lv_volatility && a.numbers == b.numbers &&
         a.step_numbers == b.step_numbers;
}

/// Relative differences of this size are rounding errors.
constexpr double rounding = 1e-12;

}  // namespace

bool is_lognormal(const AssetDynamics& a) {
  return a.scheme == StepScheme::black_scholes && !a.has_jumps;
}

BumpedAsset::BumpedAsset(const Simulation& base, const Simulation& bumped, std::size_t asset,
                         bool is_continuous, ChangeOrder order)
    : base_(base.assets[asset]),
      bumped_(bumped.assets[asset]),
      grid_(base.grid),
      is_continuous_(is_continuous),
      has_same_paths_(has_same_model(base_, bumped_) &&
                      (is_lognormal(base_) || base.grid.times == bumped.grid.times)),
      order_(order) {}

bool BumpedAsset::is_same() const {
  return has_same_paths_ && base_.log_spot == bumped_.log_spot &&
         base_.drift_step == bumped_.drift_step && base_.variance_step == bumped_.variance_step;
}

std::optional<std::vector<RecordChange>> BumpedAsset::changes() const {
  if (!is_relative()) return {};
  std::vector<RecordChange> list;
  RecordChange change;
  bool has_ratio = false;  // whether a step since the last record has set the slope
  double first_ratio = 1;  // of that step
  for (std::size_t k = 0; k < grid_.times.size(); ++k) {
    const double ratio = ratio_of(k);
    if (has_variance(k)) {
      if (!(ratio > 0) || (has_ratio && !is_near(first_ratio, ratio, rounding))) return {};
      if (!has_ratio) {
        change.slope = ratio == 1 ? 0 : slope_of(base_.variance_step[k], bumped_.variance_step[k]);
        first_ratio = order_ == ChangeOrder::exact ? 1 + change.slope : ratio;
      }
      has_ratio = true;
    }
    change.shift += bumped_.drift_step[k] - base_.drift_step[k];
    if (ratio != 1)
      change.shift -= 0.5 * (bumped_.variance_step[k] - base_.variance_step[k]) +
                      (order_ == ChangeOrder::exact ? ratio - 1 : change.slope) *
                          (base_.drift_step[k] - 0.5 * base_.variance_step[k]);
    if (grid_.record_of_step[k] < 0) continue;
    list.push_back(change);
    change.slope = 0;
    has_ratio = false;
  }
  const bool is_scaled =
      std::all_of(list.begin(), list.end(), [](const RecordChange& c) { return c.slope == 0; }) &&
      base_.drift_step == bumped_.drift_step;
  if (is_continuous_ && !is_scaled) return {};
  return list;
}

std::optional<std::vector<RecordChange>> BumpedAsset::changes_of_distribution(
    const std::vector<Index>& records) const {
  if (!is_lognormal(base_) || !is_relative()) return changes();
  std::vector<RecordChange> list;
  RecordChange change;
  double v = 0, w = 0, drift = 0, other_drift = 0;  // since the last of `records`
  std::size_t next = 0;
  for (std::size_t k = 0; k < grid_.times.size() && next < records.size(); ++k) {
    v += base_.variance_step[k];
    w += bumped_.variance_step[k];
    drift += base_.drift_step[k];
    other_drift += bumped_.drift_step[k];
    if (grid_.record_of_step[k] != records[next]) continue;
    if (v == 0 && w > 0) return {};
    const bool is_same_variance = v == 0 || is_near(1, w / v, rounding);
    change.slope = is_same_variance ? 0 : slope_of(v, w);
    change.shift += other_drift - drift;
    if (!is_same_variance) change.shift -= 0.5 * (w - v) + change.slope * (drift - 0.5 * v);
    list.resize(static_cast<std::size_t>(records[next++]) + 1, change);
    v = w = drift = other_drift = 0;
  }
  list.resize(static_cast<std::size_t>(grid_.recorded_dates), change);
  return list;
}

bool BumpedAsset::is_relative() const {
  return has_same_paths_ && base_.scheme != StepScheme::launched && base_.lv_log_spots.empty() &&
         (base_.variance_step == bumped_.variance_step || is_lognormal(base_));
}

double BumpedAsset::spot_ratio() const { return exponential(bumped_.log_spot - base_.log_spot); }

bool BumpedAsset::has_variance(std::size_t step) const {
  return is_lognormal(base_) && (base_.variance_step[step] > 0 || bumped_.variance_step[step] > 0);
}

double BumpedAsset::ratio_of(std::size_t step) const {
  if (!has_variance(step)) return 1;
  if (!(base_.variance_step[step] > 0)) return -1;
  const double square = bumped_.variance_step[step] / base_.variance_step[step];
  return is_near(1, square, rounding) ? 1 : std::sqrt(square);
}

double BumpedAsset::slope_of(double v, double w) const {
  return order_ == ChangeOrder::first ? (w - v) / (2 * v) : (w - v) / (v + std::sqrt(v * w));
}

}  // namespace gsim::pricing
