#include "src/modules/pricing/multilevel/level_estimator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gsim/engine/contributing_samples.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {
namespace {

constexpr double smallest_order = 0.5;

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
  return d;
}

double consistency(const LevelDiagnostics& below, const LevelDiagnostics& d) {
  const auto error = [](double variance, Index samples) {
    return std::sqrt(variance / static_cast<double>(samples));
  };
  const double errors = error(below.fine_variance, below.samples) + error(d.variance, d.samples) +
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

/// |E[P - P_L]|, extrapolated from each of the last three corrections.
double remaining_bias(const std::vector<LevelDiagnostics>& levels, Index ratio, double alpha) {
  // The weak order of the schemes is 1: a higher one of few levels is not relied on.
  const double decay = power(static_cast<double>(ratio), std::min(safe_order(alpha), 1.0));
  double factor = 1, largest = 0;
  for (std::size_t i = 0; i < 3 && i + 1 < levels.size(); ++i) {
    largest = std::max(largest, std::fabs(levels[levels.size() - 1 - i].mean) * factor);
    factor /= decay;
  }
  return largest / (decay - 1);
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
    if (!e.levels.empty()) d.consistency = consistency(e.levels.back(), d);
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
  if (!is_exact) e.bias = remaining_bias(e.levels, ratio, e.alpha);
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
  const bool has_points = levels.front().replicates.size() > 1;
  NextSamples next =
      has_points ? by_points(levels, e, target) : by_variance(levels, e, target, ratio, block);
  if (!next.empty()) return next;
  const auto last = static_cast<Index>(levels.size()) - 1;
  if (2 * square(e.bias) <= square(target)) {
    next.has_converged = true;
  } else if (last >= finest) {
    next.is_at_finest = true;
  } else {
    next.blocks.push_back(
        first_blocks(static_cast<Index>(levels.front().replicates.size()), block));
  }
  return next;
}

}  // namespace gsim::pricing
