#include "src/modules/pricing/greeks/asset_change.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/correlation.hpp"
#include "src/modules/pricing/path_models/gaussian_steps.hpp"

namespace gsim::pricing {
namespace {

/// Relative differences between variances of this size are rounding errors.
constexpr double variance_rounding = 1e-12;

/// Solves C m = h for a covariance matrix C, [n][n], that may be singular, with h in its range.
std::vector<double> solve(const std::vector<double>& c, const std::vector<double>& h) {
  const std::size_t n = h.size();
  std::vector<double> deviation(n), matrix(n * n), m(n);
  for (std::size_t i = 0; i < n; ++i) deviation[i] = std::sqrt(c[i * n + i]);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double scale = deviation[i] * deviation[j];
      matrix[i * n + j] = scale > 0 ? c[i * n + j] / scale : 0;
    }
  const std::vector<double> l = semidefinite_cholesky(matrix, static_cast<Index>(n));
  for (std::size_t i = 0; i < n; ++i) {
    if (l[i * n + i] == 0) continue;
    double sum = h[i] / deviation[i];
    for (std::size_t j = 0; j < i; ++j) sum -= l[i * n + j] * m[j];
    m[i] = sum / l[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (l[i * n + i] == 0) continue;
    double sum = m[i];
    for (std::size_t j = i + 1; j < n; ++j) sum -= l[j * n + i] * m[j];
    m[i] = sum / l[i * n + i];
  }
  for (std::size_t i = 0; i < n; ++i) m[i] = deviation[i] > 0 ? m[i] / deviation[i] : 0;
  return m;
}

class ConditionalChange {
 public:
  ConditionalChange(const Simulation& base, const Simulation& bumped,
                    const std::vector<Index>& assets, std::size_t position)
      : base_(base),
        assets_(assets),
        own_(position),
        bumped_(bumped.assets[static_cast<std::size_t>(assets[position])]),
        slopes_(assets.size()) {}

  std::optional<AssetChange> find(const std::vector<Index>& records) {
    std::vector<RecordChange> list;
    std::vector<double> slopes;
    std::size_t first = 0, next = 0;
    const auto add =
        [&](Index count) {  // the change of the last interval, also until later records
          list.resize(static_cast<std::size_t>(count), change_);
          while (slopes.size() < list.size() * slopes_.size())
            slopes.insert(slopes.end(), slopes_.begin(), slopes_.end());
        };
    for (std::size_t k = 0; k < base_.grid.times.size() && next < records.size(); ++k) {
      if (base_.grid.record_of_step[k] != records[next]) continue;
      if (!take_interval(first, k + 1)) return {};
      add(records[next++] + 1);
      first = k + 1;
    }
    add(base_.grid.recorded_dates);
    if (!has_other_slopes_) slopes.clear();
    const double spot_ratio = exponential(bumped_.log_spot - asset(own_).log_spot);
    return AssetChange(std::move(list), without_rounding(spot_ratio - 1), std::move(slopes),
                       assets_.size());
  }

 private:
  /// Sets the slopes of the interval of the steps [first, last), and adds its shift; false if there
  /// is no derivative.
  bool take_interval(std::size_t first, std::size_t last) {
    const AssetDynamics& own = asset(own_);
    double v = 0, w = 0, drift = 0, other_drift = 0, squares = 0;
    std::vector<double> derivative(last - first);  // of the deviations of the steps
    for (std::size_t k = first; k < last; ++k) {
      v += own.variance_step[k];
      w += bumped_.variance_step[k];
      drift += own.drift_step[k];
      other_drift += bumped_.drift_step[k];
      const double change = bumped_.variance_step[k] - own.variance_step[k];
      if (is_near(own.variance_step[k], bumped_.variance_step[k], variance_rounding)) continue;
      if (own.variance_step[k] == 0 && slopes_.size() > 1) return false;
      if (own.variance_step[k] == 0) continue;  // the variance of the whole interval decides
      derivative[k - first] = change / (2 * std::sqrt(own.variance_step[k]));
      squares += square(derivative[k - first]);
    }
    if (v == 0 && w > 0) return false;
    const bool has_same_variance = is_near(v, w, variance_rounding);
    slopes_.assign(slopes_.size(), 0.0);
    if (squares > 0 && slopes_.size() > 1)
      find_slopes(first, derivative, has_same_variance ? 0 : 0.5 * (w - v), std::sqrt(squares));
    bool has_others = false;
    for (std::size_t i = 0; i < slopes_.size(); ++i)
      has_others = has_others || (i != own_ && slopes_[i] != 0);
    if (!has_others) slopes_[own_] = has_same_variance ? 0 : 0.5 * (w - v) / v;
    has_other_slopes_ = has_other_slopes_ || has_others;
    change_.slope = slopes_[own_];
    change_.shift += other_drift - drift;
    if (has_same_variance && !has_others) return true;
    double fall = has_same_variance ? 0 : 0.5 * (w - v);
    for (std::size_t i = 0; i < slopes_.size(); ++i)
      if (slopes_[i] != 0) fall += slopes_[i] * mean(asset(i), first, last);
    change_.shift -= fall;
    return true;
  }

  /// Solves for the slopes, given half the change of the asset's variance in the interval. Those
  /// that are small relative to `size`, the deviation of the derivative, are rounding errors.
  void find_slopes(std::size_t first, const std::vector<double>& derivative, double half_change,
                   double size) {
    constexpr double rounding = 1e-8;
    const std::size_t n = assets_.size();
    std::vector<double> covariance(n * n), with_change(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j)
        for (std::size_t k = 0; k < derivative.size(); ++k)
          covariance[i * n + j] += deviation(i, first + k) * deviation(j, first + k);
      for (std::size_t j = 0; j <= i; ++j)
        covariance[j * n + i] = covariance[i * n + j] *= correlation(i, j);
      for (std::size_t k = 0; k < derivative.size(); ++k)
        with_change[i] += derivative[k] * deviation(i, first + k);
      with_change[i] *= correlation(own_, i);
    }
    with_change[own_] = half_change;
    slopes_ = solve(covariance, with_change);
    for (std::size_t i = 0; i < n; ++i)
      if (std::fabs(slopes_[i]) * std::sqrt(covariance[i * n + i]) <= rounding * size)
        slopes_[i] = 0;
  }

  /// The expected change of the log-spot of an asset over steps.
  static double mean(const AssetDynamics& a, std::size_t first, std::size_t last) {
    double drift = 0, variance = 0;
    for (std::size_t k = first; k < last; ++k) {
      drift += a.drift_step[k];
      variance += a.variance_step[k];
    }
    return drift - 0.5 * variance;
  }

  const AssetDynamics& asset(std::size_t i) const {
    return base_.assets[static_cast<std::size_t>(assets_[i])];
  }
  double deviation(std::size_t i, std::size_t step) const {
    return std::sqrt(asset(i).variance_step[step]);
  }
  /// Of the normals of two assets.
  double correlation(std::size_t i, std::size_t j) const {
    if (i == j) return 1;
    const std::size_t n = base_.assets.size();
    double sum = 0;
    for (std::size_t f = 0; f < n; ++f)
      sum += base_.factor[static_cast<std::size_t>(assets_[i]) * n + f] *
             base_.factor[static_cast<std::size_t>(assets_[j]) * n + f];
    return sum;
  }

  const Simulation& base_;
  const std::vector<Index>& assets_;
  std::size_t own_;
  const AssetDynamics& bumped_;
  std::vector<double> slopes_;  ///< of the last interval, by asset of the trade
  RecordChange change_;         ///< until the last interval
  bool has_other_slopes_ = false;
};

}  // namespace

double without_rounding(double change) {
  constexpr double rounding = 1e-15;
  return std::fabs(change) < rounding ? 0 : change;
}

double relative_change(double from, double to) {
  return from == to ? 0 : without_rounding(logarithm(to / from));
}

double AssetChange::shift(Index from, Index to) const {
  if (records_.empty()) return 0;
  const double before = from < 0 ? 0 : records_[static_cast<std::size_t>(from)].shift;
  return without_rounding(records_[static_cast<std::size_t>(to)].shift - before);
}

AssetChange AssetChange::with_slope(double slope, Index records) const {
  AssetChange changed = *this;
  if (changed.records_.empty()) changed.records_.resize(static_cast<std::size_t>(records));
  for (RecordChange& r : changed.records_) r.slope += slope;
  return changed;
}

std::optional<AssetChange> factor_change(const Simulation& base, const Simulation& bumped,
                                         Index asset) {
  using gaussian_steps::Number;
  constexpr double rounding = 1e-12;
  const AssetDynamics& a = base.assets[static_cast<std::size_t>(asset)];
  const AssetDynamics& b = bumped.assets[static_cast<std::size_t>(asset)];
  const std::size_t steps = base.grid.times.size();
  if (a.kind == nullptr || std::string_view(a.kind->name) != "g2" || a.kind != b.kind ||
      base.grid.times != bumped.grid.times ||
      a.step_numbers.size() != gaussian_steps::count * steps)
    return {};
  const double own = gaussian_steps::number(a, 0, Number::own);
  if (!(own > 0)) return {};
  const double ratio = gaussian_steps::number(b, 0, Number::own) / own;
  for (std::size_t k = 0; k < steps; ++k) {
    const auto is_scaled = [&](Number n, double by) {
      return is_near(by * gaussian_steps::number(a, k, n), gaussian_steps::number(b, k, n),
                     rounding);
    };
    const bool has_shift = gaussian_steps::number(a, k, Number::shift) != 0 ||
                           gaussian_steps::number(b, k, Number::shift) != 0;
    if (has_shift || !is_scaled(Number::decay, 1) || !is_scaled(Number::own, ratio) ||
        !is_scaled(Number::further, ratio))
      return {};
  }
  return AssetChange().with_slope(ratio - 1, base.grid.recorded_dates);
}

std::optional<AssetChange> conditional_change(const Simulation& base, const Simulation& bumped,
                                              const std::vector<Index>& assets,
                                              std::size_t position,
                                              const std::vector<Index>& records) {
  return ConditionalChange(base, bumped, assets, position).find(records);
}

}  // namespace gsim::pricing
