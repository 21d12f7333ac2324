#include "src/modules/transport/tallies/statistics/batch_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "gsim/core/error.hpp"

namespace gsim::transport {
namespace {

/// The exponent l of the longest blocks, of 2^l batches, that leave at least 20 blocks; 0 below 40
/// batches.
Index level_of(Index batches) {
  const auto blocks = static_cast<std::uint64_t>(batches / min_blocks);
  return blocks < 2 ? 0 : std::bit_width(blocks) - 1;
}

/// Further block lengths beyond those of the planned batches, for runs that are continued up to
/// eight times as long.
constexpr Index spare_levels = 3;

Index levels_for(Index planned, bool correlated) {
  return correlated ? level_of(planned) + 2 + spare_levels : 1;
}

}  // namespace

BatchStatistics::BatchStatistics(Index quantities, Index planned, bool correlated)
    : quantities_(quantities),
      levels_(levels_for(planned, correlated)),
      records_(static_cast<std::size_t>(quantities * columns()), 0.0) {}

double BatchStatistics::bytes(Index planned, bool correlated) {
  return static_cast<double>(sizeof(double)) *
         static_cast<double>(columns_of(levels_for(planned, correlated)));
}

int BatchStatistics::level() const {
  return static_cast<int>(std::min(level_of(batches_), std::max(levels_ - 2, Index{0})));
}

void BatchStatistics::add(std::span<const double> values) {
  GSIM_EXPECT(static_cast<Index>(values.size()) == quantities_);
  double* record = records_.data();
  for (const double value : values) {
    if (batches_ == 0) record[0] = value;
    double block = value - record[0];
    record[1] += block;
    double* const powers = record + 2 + 2 * levels_;
    const double square = block * block;
    powers[0] += value != 0 ? 1 : 0;
    powers[1] += square * block;
    powers[2] += square * square;
    for (Index l = 0; l < levels_; ++l) {
      double* const at = record + 2 + 2 * l;
      at[1] += block * block;
      if ((batches_ >> l & 1) == 0) {  // this block is the first half of a longer one
        at[0] = block;
        break;
      }
      block += at[0];
      at[0] = 0;
    }
    record += columns();
  }
  ++batches_;
}

BatchMoments BatchStatistics::moments(Index quantity) const {
  BatchMoments result;
  if (batches_ == 0) return result;
  const double* const record = records_.data() + quantity * columns();
  const auto n = static_cast<double>(batches_);
  result.mean = record[0] + record[1] / n;
  if (blocks() < 2) return result;
  // Batches beyond the last complete block count in the mean alone.
  result.standard_error = std::sqrt(variance(record, level()) / n);
  return result;
}

/// The variance of a batch from blocks of 2^level batches. At least two complete blocks are needed.
double BatchStatistics::variance(const double* record, int level) const {
  double sum = record[1];  // over complete blocks
  for (int l = 0; l < level; ++l)
    if ((batches_ >> l & 1) != 0) sum -= record[2 + 2 * l];
  const auto count = static_cast<double>(batches_ >> level);
  const double deviations = record[3 + 2 * level] - sum / count * sum;
  return deviations > 0 ? deviations / (count - 1) / static_cast<double>(Index{1} << level) : 0.0;
}

double BatchStatistics::growth(Index quantity) const {
  constexpr Index min_longer_blocks = 5;
  const int next_level = level() + 1;
  if (next_level >= levels_ || batches_ >> next_level < min_longer_blocks) return 0;
  const double* const record = records_.data() + quantity * columns();
  const double current = variance(record, level());
  return current > 0 ? variance(record, next_level) / current : 0.0;
}

BatchMoments BatchStatistics::widened_moments(Index quantity) const {
  BatchMoments result = moments(quantity);
  result.standard_error *= error_widening(contributing_histories(quantity));
  return result;
}

SampleMoments BatchStatistics::spread(Index quantity) const {
  const double* const record = records_.data() + quantity * columns();
  const double* const powers = record + 2 + 2 * levels_;
  const auto n = static_cast<double>(batches_);
  SampleMoments m;
  m.count = batches_;
  if (batches_ == 0) return m;
  m.nonzero = static_cast<Index>(powers[0]);
  const double mean = record[1] / n, squares = record[3];
  m.second = squares - mean * record[1];
  m.fourth = powers[2] - 4 * mean * powers[1] + 6 * mean * mean * squares -
             3 * mean * mean * mean * record[1];
  // A difference within rounding of the sums counts as no spread.
  constexpr double rounding = 1e-12;
  if (!(m.second > rounding * squares) || !(m.fourth > 0)) m.second = m.fourth = 0;
  return m;
}

double BatchStatistics::contributing_histories(Index quantity) const {
  const double* const record = records_.data() + quantity * columns();
  const double number = contributing_samples(spread(quantity));
  if (level() == 0 || blocks() < 2) return number;
  const double single = variance(record, 0);
  const double inefficiency = single > 0 ? variance(record, level()) / single : 1.0;
  return inefficiency > 1 ? number / inefficiency : number;
}

void BatchStatistics::restore(std::vector<double> records, Index columns, Index batches) {
  GSIM_EXPECT(static_cast<Index>(records.size()) == quantities_ * columns &&
              columns >= columns_of(1) && columns % 2 == 1);
  records_ = std::move(records);
  levels_ = (columns - columns_of(0)) / 2;
  batches_ = batches;
}

Index BatchStatistics::max_batches() const {
  if (levels_ < 2) return std::numeric_limits<Index>::max();
  return min_blocks * (Index{1} << (levels_ - 1)) - 1;
}

}  // namespace gsim::transport
