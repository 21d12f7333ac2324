#pragma once
// Means and standard errors of many quantities over batches, where successive batches may be
// correlated, as generations of neutrons are.
//
// Batches are joined to blocks of 1, 2, 4, … successive ones, and the sum of squares of block sums
// is kept for each length: log2(batches) numbers per quantity, and no history of batches. The
// spread of blocks long enough to be independent gives the standard error of the mean (H.
// Flyvbjerg, H. G. Petersen, J. Chem. Phys. 91 (1989) 461). The shortest length that leaves 20 to
// 39 blocks is used: with 19 to 38 degrees of freedom the error is known to 11 to 16 %, and the
// remaining correlation is that between neighbouring blocks of n / 20 batches or more.

#include <limits>
#include <span>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/engine/contributing_samples.hpp"

namespace gsim::transport {

/// The smallest number of blocks for the error of a correlated series.
inline constexpr Index min_blocks = 20;

struct BatchMoments {
  double mean = 0;
  /// Standard error of the mean; infinite for fewer than two blocks.
  double standard_error = std::numeric_limits<double>::infinity();
};

class BatchStatistics {
 public:
  /// `correlated`: blocks grow as described above; otherwise each batch is a block. `planned`: the
  /// expected number of batches; if there are more, the number of blocks of the last length grows.
  BatchStatistics(Index quantities, Index planned, bool correlated);

  /// Adds a batch: a value of each quantity.
  void add(std::span<const double> values);

  Index batches() const { return batches_; }
  Index quantities() const { return quantities_; }
  /// The number of batches per block, and of blocks, from which errors are computed.
  Index block_length() const { return Index{1} << level(); }
  Index blocks() const { return batches_ >> level(); }
  /// Degrees of freedom of the errors; 0 where there are no errors.
  Index degrees_of_freedom() const { return blocks() > 1 ? blocks() - 1 : 0; }
  BatchMoments moments(Index quantity) const;
  /// The same with an error that is enlarged where few batches or histories contribute
  /// (error_widening()), so that confidence intervals have their nominal coverage.
  BatchMoments widened_moments(Index quantity) const;
  /// Moments of single batches.
  SampleMoments spread(Index quantity) const;
  /// The number of contributing_samples(); for correlated batches divided by the number of batches
  /// per independent one.
  double contributing_histories(Index quantity) const;
  /// The factor by which blocks of twice the length increase the square of the error: 1 where
  /// blocks are long enough to be independent; uncertain by about one half for a single quantity.
  /// 0: unknown.
  double growth(Index quantity) const;

  /// The complete state: `columns` numbers per quantity, and the number of batches.
  Index columns() const { return columns_of(levels_); }
  std::span<const double> records() const { return records_; }
  /// Restores the state from records() of the same number of quantities.
  void restore(std::vector<double> records, Index columns, Index batches);

  /// The number of batches up to which blocks grow. After restore() it is that of the run that
  /// wrote the records: eight times its planned number of batches.
  Index max_batches() const;

  /// Bytes of memory per quantity.
  static double bytes(Index planned, bool correlated);

 private:
  static Index columns_of(Index levels) { return 5 + 2 * levels; }
  /// log2 of block_length().
  int level() const;
  /// The variance of a batch from blocks of 2^level batches.
  double variance(const double* record, int level) const;

  Index quantities_;
  Index levels_;  ///< lengths 1, 2, …, 2^(levels - 1); the last one is for growth() only
  Index batches_ = 0;
  /// Of each quantity: its value in the first batch, which is subtracted from all others to avoid
  /// cancellation; the sum of all batches; for each length, the block that is the
  /// first half of an incomplete longer block, and the sum of squares; then the number of batches
  /// with a value other than 0, and the sums of third and fourth powers of single batches.
  std::vector<double> records_;
};

}  // namespace gsim::transport
