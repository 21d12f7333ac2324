#include "src/modules/pricing/multilevel/level_estimator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gsim/engine/contributing_samples.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/statistics/estimator.hpp"

namespace gsim::pricing {
namespace {

constexpr double smallest_order = 0.5;
/// Without a payment on so many paths of a level, the search ends.
constexpr Index most_samples_without_variance = Index{1} << 24;

/// Whether the payoff has no variance but that of rounding.
bool has_no_variance(const LevelSums& s) {
  constexpr double rounding = 1e-12;
  return s.fine_m2 <= square(rounding * s.fine_mean) * s.count;
}

LevelDiagnostics diagnose(const Level& level) {
  LevelDiagnostics d;
  LevelSums all;
  for (const LevelSums& s : level.replicates) all = merge(all, s);
  d.samples = static_cast<Index>(all.count);
  d.cost = all.count * level.cost;
  d.mean = all.mean;
  d.variance = all.variance();
  d.fine_mean = all.fine_mean;
  d.fine_variance = all.fine_variance();
  d.kurtosis = all.kurtosis();
  const auto replicates = static_cast<double>(level.replicates.size());
  if (d.kurtosis > 1) d.contributing = all.count / (d.kurtosis - 1);
  d.widening = error_widening(d.contributing);
  if (replicates == 1) {
    d.error_variance = d.variance / all.count;
  } else {
    double squares = 0;
    for (const LevelSums& s : level.replicates) squares += square(s.mean - all.mean);
    d.error_variance = squares / (replicates * (replicates - 1));
  }
  d.error_variance *= square(d.widening);
  d.is_certain = level.is_certain;
  if (!d.is_certain && has_no_variance(all))
    d.error_variance = std::numeric_limits<double>::quiet_NaN();
  return d;
}

/// Whether so few samples of a level pay, judged by level 0, that its variances are not known.
bool pays_rarely(const LevelDiagnostics& first, const LevelDiagnostics& d) {
  if (std::isnan(first.error_variance) || std::isnan(d.error_variance)) return true;
  return first.contributing * static_cast<double>(d.samples) <
         min_contributing_samples * static_cast<double>(first.samples);
}

double consistency(const LevelDiagnostics& below, const LevelDiagnostics& d) {
  const auto error = [](double variance, Index samples) {
    return std::sqrt(variance / static_cast<double>(samples));
  };
  const double errors = error(below.fine_variance, below.samples) +
                        d.widening * error(d.variance, d.samples) +
                        error(d.fine_variance, d.samples);
  return errors > 0 ? std::fabs(below.fine_mean + d.mean - d.fine_mean) / (3 * errors) : 0;
}

/// The slope of -log_M(values) by least squares, over the last five levels from 1 on: coarser ones
/// do not have the orders of the limit yet.
template <class Value>
double order(const std::vector<LevelDiagnostics>& levels, Index ratio, Value value) {
  constexpr std::size_t most_levels = 5;
  double n = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  const std::size_t first = levels.size() > most_levels ? levels.size() - most_levels : 1;
  for (std::size_t l = first; l < levels.size(); ++l) {
    const double v = value(levels[l]);
    if (!(v > 0)) continue;
    const auto x = static_cast<double>(l);
    const double y = -logarithm(v) / logarithm(static_cast<double>(ratio));
    n += 1;
    sum_x += x;
    sum_y += y;
    sum_xx += x * x;
    sum_xy += x * y;
  }
  if (n < 2) return std::numeric_limits<double>::quiet_NaN();
  return (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
}

/// The order for extrapolation: at least 1/2, and not NaN.
double safe_order(double order) { return order > smallest_order ? order : smallest_order; }

/// Bounds |E[P - P_L]|, extrapolated from each of the last three corrections.
void bound_bias(MultilevelEstimate& e, Index ratio) {
  // The weak order of the schemes is 1: a higher one of few levels is not relied on.
  const double decay = power(static_cast<double>(ratio), std::min(safe_order(e.alpha), 1.0));
  double factor = 1 / (decay - 1);
  for (std::size_t i = 0; i < 3 && i + 1 < e.levels.size(); ++i) {
    const std::size_t l = e.levels.size() - 1 - i;
    const double mean = std::fabs(e.levels[l].mean);
    const double bias = factor * (mean + std::sqrt(e.levels[l].error_variance));
    e.bias_of_means = std::max(e.bias_of_means, factor * mean);
    if (bias > e.bias) {
      e.bias = bias;
      e.bias_level = l;
      e.bias_factor = factor;
    }
    factor /= decay;
  }
}

/// Variances of corrections, not below what the order predicts from the level before: few samples
/// of a fine level may have no large corrections (Giles 2015, section 3.1).
std::vector<double> safe_variances(const MultilevelEstimate& e, Index ratio) {
  const double decay = power(static_cast<double>(ratio), safe_order(e.beta));
  std::vector<double> variances;
  for (std::size_t l = 0; l < e.levels.size(); ++l) {
    double v = e.levels[l].variance * square(e.levels[l].widening);
    if (l >= 2) v = std::max(v, 0.5 * variances.back() / decay);
    variances.push_back(v);
  }
  return variances;
}

NextSamples by_variance(const std::vector<Level>& levels, const MultilevelEstimate& e,
                        double target, Index ratio, Index block) {
  NextSamples next;
  const std::vector<double> variances = safe_variances(e, ratio);
  double sum = 0;
  for (std::size_t l = 0; l < levels.size(); ++l) sum += std::sqrt(variances[l] * levels[l].cost);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const double samples = 2 / square(target) * std::sqrt(variances[l] / levels[l].cost) * sum;
    const auto done = static_cast<double>(levels[l].blocks);
    const double blocks = std::min(std::ceil(samples / static_cast<double>(block)), 8 * done);
    next.blocks.push_back(blocks > 1.01 * done ? static_cast<Index>(blocks - done) : 0);
  }
  return next;
}

NextSamples by_points(const std::vector<Level>& levels, const MultilevelEstimate& e,
                      double target) {
  NextSamples next;
  next.blocks.assign(levels.size(), 0);
  if (square(e.standard_error) <= 0.5 * square(target)) return next;
  std::size_t best = 0;
  double most = -1;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const double gain = e.levels[l].error_variance / e.levels[l].cost;
    if (gain > most) {
      most = gain;
      best = l;
    }
  }
  next.blocks[best] = levels[best].blocks;
  return next;
}

/// More samples of the first level whose error is unknown, or that has few contributing samples.
NextSamples for_rare_payments(const std::vector<Level>& levels, const MultilevelEstimate& e) {
  NextSamples next;
  next.blocks.assign(levels.size(), 0);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const LevelDiagnostics& d = e.levels[l];
    const bool is_unknown = std::isnan(d.error_variance);
    if (!is_unknown && (l > 0 || d.contributing >= min_contributing_samples)) continue;
    next.is_at_finest = is_unknown && d.samples >= most_samples_without_variance;
    if (!next.is_at_finest) next.blocks[l] = 7 * levels[l].blocks;
    break;
  }
  return next;
}

/// More samples of the level whose standard error alone makes the bound of the bias too large, if
/// there is one and they cost at most `most_cost`.
NextSamples for_bias(const std::vector<Level>& levels, const MultilevelEstimate& e, double allowed,
                     double most_cost) {
  NextSamples next;
  next.blocks.assign(levels.size(), 0);
  // Means so close to the limit would need very many samples.
  if (e.bias_of_means > 0.9 * allowed) return next;
  const LevelDiagnostics& d = e.levels[e.bias_level];
  const Level& level = levels[e.bias_level];
  const auto done = static_cast<double>(level.blocks);
  const double needed =
      square(std::sqrt(d.error_variance) / (allowed / e.bias_factor - std::fabs(d.mean)));
  const bool has_points = level.replicates.size() > 1;
  const double further = has_points ? done : std::ceil((std::min(needed, 8.0) - 1) * done);
  if (further * level.cost <= most_cost) next.blocks[e.bias_level] = static_cast<Index>(further);
  return next;
}

}  // namespace

bool NextSamples::empty() const {
  return std::all_of(blocks.begin(), blocks.end(), [](Index n) { return n == 0; });
}

Index first_blocks(Index replicates, Index block) {
  // With fewer samples, the rare large corrections of barriers may be missing altogether.
  constexpr Index fewest_samples = 8192;
  Index blocks = replicates;
  while (blocks * block < fewest_samples) blocks *= 2;
  return blocks;
}

MultilevelEstimate estimate_levels(const std::vector<Level>& levels, Index ratio, bool is_exact) {
  MultilevelEstimate e;
  double variance = 0;
  for (const Level& level : levels) {
    LevelDiagnostics d = diagnose(level);
    if (!e.levels.empty() && !pays_rarely(e.levels.front(), e.levels.back()) &&
        !pays_rarely(e.levels.front(), d))
      d.consistency = consistency(e.levels.back(), d);
    e.value += d.mean;
    e.cost += d.cost;
    variance += d.error_variance;
    e.levels.push_back(d);
  }
  e.standard_error = std::sqrt(variance);
  e.alpha = order(e.levels, ratio, [](const auto& d) { return std::fabs(d.mean); });
  e.beta = order(e.levels, ratio, [](const auto& d) { return d.variance; });
  e.gamma = -order(e.levels, ratio,
                   [](const auto& d) { return d.cost / static_cast<double>(d.samples); });
  if (!is_exact) bound_bias(e, ratio);
  if (std::isnan(variance)) e.bias = variance;  // means without payments tell nothing
  e.rms_error = std::sqrt(variance + square(e.bias));
  // The paths of the finest level alone, whose number of steps is that of the level above 0 less
  // its coarse path.
  const double steps = levels.front().cost *
                       power(static_cast<double>(ratio), static_cast<double>(levels.size()) - 1);
  if (variance > 0) e.single_cost = e.levels.back().fine_variance / variance * steps;
  return e;
}

NextSamples next_samples(const std::vector<Level>& levels, const MultilevelEstimate& e,
                         double target, Index ratio, Index block, Index finest) {
  NextSamples next = for_rare_payments(levels, e);
  if (!next.empty() || next.is_at_finest) return next;
  const bool has_points = levels.front().replicates.size() > 1;
  next = has_points ? by_points(levels, e, target) : by_variance(levels, e, target, ratio, block);
  if (!next.empty()) return next;
  const auto last = static_cast<Index>(levels.size()) - 1;
  if (2 * square(e.bias) <= square(target)) {
    next.has_converged = true;
    return next;
  }
  const Index new_blocks =
      first_blocks(static_cast<Index>(levels.front().replicates.size()), block);
  const double new_cost = static_cast<double>(new_blocks * ratio) * levels.back().cost;
  next = for_bias(levels, e, target / std::sqrt(2.0),
                  last < finest ? new_cost : std::numeric_limits<double>::infinity());
  if (!next.empty()) return next;
  if (last >= finest)
    next.is_at_finest = true;
  else
    next.blocks.push_back(new_blocks);
  return next;
}

}  // namespace gsim::pricing
