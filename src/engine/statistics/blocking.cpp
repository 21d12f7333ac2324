#include "gsim/engine/blocking.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/engine/contributing_samples.hpp"

namespace gsim {
namespace {

constexpr Index min_blocks = 8;
constexpr double no_bound = std::numeric_limits<double>::infinity();
constexpr Index min_samples = 16;  // with fewer samples, no level is long enough (blocking.hpp)

}  // namespace

std::string BlockedMean::remark() const {
  if (has_error()) {
    if (degrees_of_freedom >= min_degrees) return {};
    return fmt::format(
        "the standard error comes from only {} blocks and is uncertain by {:.0f} %; it meets "
        "no error target",
        degrees_of_freedom + 1, 100 / std::sqrt(2 * static_cast<double>(degrees_of_freedom)));
  }
  if (count == 0) return "no samples";
  if (count < min_samples)
    return fmt::format("standard error unknown, {} sample{} too few", count,
                       count == 1 ? " is" : "s are");
  return fmt::format("standard error unknown, {} samples span too few correlation times", count);
}

Estimate BlockedMean::estimate(std::string name, std::string unit, double factor) const {
  Estimate e;
  e.name = std::move(name);
  e.unit = std::move(unit);
  e.mean = mean * factor;
  e.standard_error =
      has_error() ? standard_error * std::abs(factor) : std::numeric_limits<double>::infinity();
  e.count = count;
  e.degrees_of_freedom = degrees_of_freedom;
  e.remark = remark();
  set_contributing_samples(e, contributing_blocks);
  return e;
}

Blocking::Blocking(Index series, int components)
    : series_(series), components_(static_cast<std::size_t>(components)) {
  GSIM_EXPECT(series >= 0 && components >= 1);
  origin_.resize(static_cast<std::size_t>(series) * components_);
  scratch_.resize(origin_.size());
}

Blocking::Level Blocking::empty_level() const {
  const auto series = static_cast<std::size_t>(series_);
  return {std::vector<double>(series * data_per_series(), 0.0),
          std::vector<double>(series * powers_per_series(), 0.0)};
}

// Adds the values in scratch_ to a level that holds n values already. If the new and the last value
// form a pair, scratch_ becomes the mean of the pair.
void Blocking::add_to_level(Level& level, Index n) {
  const std::size_t c = components_, pair_count = pairs();
  const bool completes_pair = n % 2 == 1;
  for (std::size_t s = 0; s < static_cast<std::size_t>(series_); ++s) {
    double* const x = scratch_.data() + s * c;
    if (c == 1) {
      double* const power = level.powers.data() + s * powers_per_series();
      power[0] += x[0] + origin_[s] != 0 ? 1 : 0;
      power[1] += x[0] * x[0] * x[0];
      power[2] += x[0] * x[0] * x[0] * x[0];
    }
    double* const sum = level.data.data() + s * data_per_series();
    double *const first = sum + c, *const last = first + c;
    double *const product = last + c, *const neighbours = product + pair_count;
    std::size_t k = 0;
    for (std::size_t a = 0; a < c; ++a)
      for (std::size_t b = a; b < c; ++b, ++k) {
        product[k] += x[a] * x[b];
        if (n > 0) neighbours[k] += 0.5 * (x[a] * last[b] + last[a] * x[b]);
      }
    for (std::size_t a = 0; a < c; ++a) {
      sum[a] += x[a];
      if (n == 0) first[a] = x[a];
      const double pair = 0.5 * (last[a] + x[a]);
      last[a] = x[a];
      if (completes_pair) x[a] = pair;
    }
  }
}

void Blocking::add(std::span<const double> values) {
  GSIM_EXPECT(values.size() == origin_.size());
  if (count_ == 0) std::copy(values.begin(), values.end(), origin_.begin());
  for (std::size_t i = 0; i < values.size(); ++i) scratch_[i] = values[i] - origin_[i];
  // A level with an odd number of values has one without a partner.
  Index n = count_++;
  for (std::size_t k = 0;; ++k, n /= 2) {
    if (k == levels_.size()) levels_.push_back(empty_level());
    add_to_level(levels_[k], n);
    if (n % 2 == 0) return;
  }
}

double Blocking::contributing_blocks(Index series, std::size_t level) const {
  if (components_ != 1) return no_bound;
  const auto s = static_cast<std::size_t>(series);
  const double* const sum = levels_[level].data.data() + s * data_per_series();
  const double* const power = levels_[level].powers.data() + s * powers_per_series();
  const auto n = static_cast<double>(count_ >> level);
  const double mean = sum[0] / n, squares = sum[3];
  SampleMoments m;
  m.count = count_ >> level;
  m.nonzero = static_cast<Index>(power[0]);
  m.second = squares - mean * sum[0];
  m.fourth =
      power[2] - 4 * mean * power[1] + 6 * mean * mean * squares - 3 * mean * mean * mean * sum[0];
  // Sums that cancel to rounding errors count as variance 0.
  constexpr double rounding = 1e-12;
  if (!(m.second > rounding * squares) || !(m.fourth > 0)) return no_bound;
  return contributing_samples(m);
}

/// Mean, variance and lag-1 autocovariance (divisor n) of a level's values.
struct Blocking::Moments {
  double mean = 0, variance = 0, neighbours = 0;
};

Blocking::Moments Blocking::moments_of(Index series, std::size_t level,
                                       std::span<const double> weights) const {
  const std::size_t c = components_, pair_count = pairs();
  const double* const sum =
      levels_[level].data.data() + static_cast<std::size_t>(series) * data_per_series();
  const double *const first = sum + c, *const last = first + c, *const product = last + c;
  double x = 0, x_first = 0, x_last = 0, xx = 0, xy = 0;
  std::size_t k = 0;
  for (std::size_t a = 0; a < c; ++a) {
    x += weights[a] * sum[a];
    x_first += weights[a] * first[a];
    x_last += weights[a] * last[a];
    for (std::size_t b = a; b < c; ++b, ++k) {
      const double w = (a == b ? 1.0 : 2.0) * weights[a] * weights[b];
      xx += w * product[k];
      xy += w * product[k + pair_count];
    }
  }
  const auto n = static_cast<double>(count_ >> level);
  Moments m;
  m.mean = x / n;
  m.variance = std::fmax(xx / n - m.mean * m.mean, 0.0);
  m.neighbours = (xy - m.mean * (2 * x - x_first - x_last) + (n - 1) * m.mean * m.mean) / n;
  return m;
}

double Blocking::mean_of(Index series, std::span<const double> weights) const {
  double mean = moments_of(series, 0, weights).mean;
  for (std::size_t a = 0; a < components_; ++a)
    mean += weights[a] * origin_[static_cast<std::size_t>(series) * components_ + a];
  return mean;
}

// Computes all members but the mean: see the head of blocking.hpp. `squared_of_…` is the squared
// standard error of the mean if the samples or the blocks were independent.
BlockedMean Blocking::error_of(Index series, std::span<const double> weights) const {
  BlockedMean result;
  result.count = count_;
  if (count_ < min_samples) return result;
  const auto n = static_cast<double>(count_);
  const double squared_of_samples = moments_of(series, 0, weights).variance / (n - 1);
  if (squared_of_samples == 0) {
    result.standard_error = 0;
    result.degrees_of_freedom = count_ - 1;
    result.block = 1;
    result.inefficiency = 1;
    return result;
  }
  for (std::size_t k = 0; (count_ >> k) >= min_blocks; ++k) {
    const auto blocks = static_cast<double>(count_ >> k);
    const auto size = static_cast<double>(Index{1} << k);
    const Moments m = moments_of(series, k, weights);
    const double squared_of_blocks = m.variance / (blocks - 1);
    const double inefficiency = squared_of_blocks / squared_of_samples;
    if (!(4 * size * size * size > n * inefficiency * inefficiency)) continue;
    const double correction = m.variance > 0 ? 1 + 2 * m.neighbours / m.variance + 2 / blocks : 1.0;
    const double squared_error = squared_of_blocks * (correction > 1 ? correction : 1.0);
    result.standard_error = std::sqrt(squared_error);
    result.degrees_of_freedom = (count_ >> k) - 1;
    result.block = Index{1} << k;
    result.inefficiency = squared_error / squared_of_samples;
    result.contributing_blocks = contributing_blocks(series, k);
    return result;
  }
  return result;
}

BlockedMean Blocking::mean(Index series, std::span<const double> weights) const {
  GSIM_EXPECT(series >= 0 && series < series_ && weights.size() == components_);
  if (count_ == 0) return {};
  BlockedMean result = error_of(series, weights);
  result.mean = mean_of(series, weights);
  return result;
}

BlockedMean Blocking::mean(Index series) const {
  std::vector<double> weights(components_, 0.0);
  weights[0] = 1;
  return mean(series, weights);
}

BlockedMean Blocking::ratio(Index series, std::span<const double> numerator,
                            std::span<const double> denominator) const {
  GSIM_EXPECT(numerator.size() == components_ && denominator.size() == components_);
  BlockedMean none;
  none.count = count_;
  if (count_ == 0) return none;
  const double denominator_mean = mean_of(series, denominator);
  if (denominator_mean == 0) return none;
  const double ratio = mean_of(series, numerator) / denominator_mean;
  std::vector<double> residual(components_);
  for (std::size_t a = 0; a < components_; ++a)
    residual[a] = (numerator[a] - ratio * denominator[a]) / denominator_mean;
  BlockedMean result = error_of(series, residual);
  result.mean = ratio;
  return result;
}

void Blocking::save(DatasetWriter& writer, const std::string& path) const {
  writer.write(path + "/count", count_);
  std::vector<double> all = origin_;
  for (const Level& level : levels_) {
    all.insert(all.end(), level.data.begin(), level.data.end());
    all.insert(all.end(), level.powers.begin(), level.powers.end());
  }
  writer.write(path + "/sums", all);
}

void Blocking::restore(DatasetReader& reader, const std::string& path) {
  const auto count = reader.read_value<Index>(path + "/count");
  const auto all = reader.read<double>(path + "/sums");
  std::size_t levels = 0;
  while (count >> levels > 0) ++levels;
  const Level empty = empty_level();
  const std::size_t size = empty.data.size() + empty.powers.size();
  if (count < 0 || all.size() != origin_.size() + levels * size)
    throw IoError(fmt::format("the averages in {} are not those of {} series of {} components",
                              path, series_, components_));
  count_ = count;
  const auto* next = all.data();
  std::copy_n(next, origin_.size(), origin_.data());
  next += origin_.size();
  levels_.assign(levels, empty);
  for (Level& level : levels_) {
    std::copy_n(next, level.data.size(), level.data.data());
    next += level.data.size();
    std::copy_n(next, level.powers.size(), level.powers.data());
    next += level.powers.size();
  }
}

void Blocking::add_to(Digest& digest) const {
  digest.add(count_);
  digest.add(std::span<const double>(origin_));
  for (const Level& level : levels_) digest.add(std::span<const double>(level.data));
}

}  // namespace gsim
