#include "src/modules/pricing/greeks/path_derivative.hpp"

#include <algorithm>
#include <cmath>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/greeks/bumped_asset.hpp"

namespace gsim::pricing {
namespace {

/// Whether the paths of a simulation are those of PathLoop::general, which simulates tangents.
bool has_general_loop(const Simulation& s) {
  const auto is_other = [](const AssetDynamics& a) {
    return a.scheme == StepScheme::local_volatility || a.has_jumps ||
           a.scheme == StepScheme::launched;
  };
  return std::any_of(s.assets.begin(), s.assets.end(), is_other) ||
         (s.assets.size() > 1 && !std::all_of(s.assets.begin(), s.assets.end(), is_lognormal));
}

/// Whether the schemes and jumps of an asset are those of paths that depend on the market through
/// the drifts and deviations of the steps alone.
bool has_tangent(const AssetDynamics& a, const AssetDynamics& b, bool has_same_times) {
  const bool is_local = a.scheme == StepScheme::local_volatility;
  return a.scheme == b.scheme && (is_local || a.scheme == StepScheme::black_scholes) &&
         a.lv_log_spots == b.lv_log_spots && a.has_jumps == b.has_jumps &&
         a.jump_intensity == b.jump_intensity && a.jump_mean == b.jump_mean &&
         a.jump_sd == b.jump_sd && (!a.has_jumps || has_same_times) && a.numbers == b.numbers &&
         a.step_numbers == b.step_numbers;
}

/// The deviations of the steps: at every point of the grid of local volatilities, [step][point], or
/// the only one of a lognormal asset.
std::vector<double> deviations_of(const AssetDynamics& a, const std::vector<double>& times) {
  std::vector<double> list;
  if (a.scheme != StepScheme::local_volatility) {
    for (const double variance : a.variance_step) list.push_back(std::sqrt(variance));
    return list;
  }
  list = local_volatility_of_steps(a, times);
  const std::size_t points = a.lv_log_spots.size();
  double from = 0;
  for (std::size_t k = 0; k < times.size(); ++k) {
    for (std::size_t j = 0; j < points; ++j) list[k * points + j] *= std::sqrt(times[k] - from);
    from = times[k];
  }
  return list;
}

double difference(double a, double b) {
  constexpr double rounding = 1e-15;
  return std::fabs(b - a) < rounding ? 0 : b - a;
}

/// Adds the differences of the deviations of a step, at all points: one number if they are equal.
void add_deviations(const std::vector<double>& differences, AssetTangent& tangent) {
  constexpr double rounding = 1e-9;
  const auto [least, most] = std::minmax_element(differences.begin(), differences.end());
  const bool is_constant =
      *most - *least <= rounding * std::fmax(std::fabs(*least), std::fabs(*most));
  tangent.deviation.push_back(is_constant ? *least : 0);
  tangent.deviations.push_back(is_constant ? std::vector<double>() : differences);
}

/// The derivative of the deviation of the first step with respect to today's log-spot. At a point
/// of the grid it is the mean of those on both sides; outside the grid it is 0.
double slope_today(const AssetDynamics& a, const std::vector<double>& deviations) {
  constexpr double same_point = 1e-9;  // of the distance between points
  const std::vector<double>& x = a.lv_log_spots;
  if (x.empty()) return 0;
  const auto last = static_cast<double>(x.size() - 1);
  const double spacing = (x.back() - x.front()) / last;
  const auto slope_above = [&](double point) {
    if (point < 0 || point >= last) return 0.0;
    const auto i = static_cast<std::size_t>(point);
    return (deviations[i + 1] - deviations[i]) / spacing;
  };
  const double at = (a.log_spot - x.front()) / spacing, nearest = std::round(at);
  if (std::fabs(at - nearest) > same_point) return slope_above(std::floor(at));
  return 0.5 * (slope_above(nearest - 1) + slope_above(nearest));
}

}  // namespace

std::optional<AssetTangent> path_derivative(const Simulation& base, const Simulation& bumped,
                                            Index asset) {
  constexpr double largest_drift = 1e-3;  // bumps have the size 2^-20
  const AssetDynamics& a = base.assets[static_cast<std::size_t>(asset)];
  const AssetDynamics& b = bumped.assets[static_cast<std::size_t>(asset)];
  if (!has_general_loop(base) || !has_tangent(a, b, base.grid.times == bumped.grid.times))
    return {};
  AssetTangent tangent;
  tangent.asset = asset;
  tangent.start = difference(0, exponential(b.log_spot - a.log_spot) - 1);
  const std::vector<double> before = deviations_of(a, base.grid.times);
  const std::vector<double> after = deviations_of(b, bumped.grid.times);
  const std::size_t steps = base.grid.times.size(), points = before.size() / steps;
  for (std::size_t k = 0; k < steps; ++k) {
    tangent.drift.push_back(difference(a.drift_step[k], b.drift_step[k]));
    if (std::fabs(tangent.drift.back()) > largest_drift) return {};
    std::vector<double> differences;
    for (std::size_t j = k * points; j < (k + 1) * points; ++j)
      differences.push_back(difference(before[j], after[j]));
    add_deviations(differences, tangent);
  }
  tangent.deviation[0] += tangent.start * slope_today(a, before);
  return tangent;
}

}  // namespace gsim::pricing
