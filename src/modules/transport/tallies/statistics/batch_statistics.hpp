#pragma once
// Means and standard errors of many quantities over batches, where a batch may resemble the one
// before it, as generations of neutrons do.
//
// Batches are joined to blocks of 1, 2, 4, … consecutive ones, and the sum of squares of block sums
// is kept for each of these lengths: log2(batches) numbers a quantity, and no history. Of blocks
// long enough to be independent, the scatter gives the error of the mean (H. Flyvbjerg, H. G.
// Petersen, J. Chem. Phys. 91 (1989) 461). The shortest length that leaves 20 to 39 blocks is
// taken: its error, of 19 to 38 degrees of freedom, is itself known to 11 to 16 %, and what is left
// of the correlation is that between neighbouring blocks, of n / 20 batches or more.

#include <limits>
#include <span>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/engine/contributing_samples.hpp"

namespace gsim::transport {

/// Blocks, at least, that tell the error of a series that remembers.
inline constexpr Index least_blocks = 20;

struct BatchMoments {
  double mean = 0;
  /// Of the mean; infinite for fewer than two blocks.
  double standard_error = std::numeric_limits<double>::infinity();
};

class BatchStatistics {
 public:
  /// `correlated`: blocks grow as above; else each batch is a block. `planned` batches at most:
  /// more of them are counted in longer lists of blocks of the last length.
  BatchStatistics(Index quantities, Index planned, bool correlated);

  /// One more batch: a value of each quantity.
  void add(std::span<const double> values);

  Index batches() const { return batches_; }
  Index quantities() const { return quantities_; }
  /// Batches of a block, and blocks, that the errors come from.
  Index block_length() const { return Index{1} << level(); }
  Index blocks() const { return batches_ >> level(); }
  /// Of the errors; 0 where there are none.
  Index degrees_of_freedom() const { return blocks() > 1 ? blocks() - 1 : 0; }
  BatchMoments moments(Index quantity) const;
  /// The same with an error that is widened where few batches or histories contribute
  /// (error_widening()), so that intervals cover what they say.
  BatchMoments widened_moments(Index quantity) const;
  /// How single batches spread.
  SampleMoments spread(Index quantity) const;
  /// contributing_samples() of them; where a batch resembles the one before, fewer by the batches
  /// that are worth one independent batch.
  double contributing(Index quantity) const;
  /// By how much blocks of twice that length would raise the square of the error: 1 where blocks
  /// are long enough to be independent, of one quantity to within a half. 0: not known.
  double growth(Index quantity) const;

  /// All there is to it: `columns` numbers a quantity, and the number of batches.
  Index columns() const { return columns_of(levels_); }
  std::span<const double> records() const { return records_; }
  /// Goes on from records() of as many quantities.
  void restore(std::vector<double> records, Index columns, Index batches);

  /// Batches up to which blocks grow as above. After restore(), those of the run that made the
  /// records, which kept lengths for eight times the batches that it planned.
  Index most_batches() const;

  /// Bytes of memory a quantity takes.
  static double bytes(Index planned, bool correlated);

 private:
  static Index columns_of(Index levels) { return 5 + 2 * levels; }
  int level() const;
  double variance(const double* record, int level) const;

  Index quantities_;
  Index levels_;  ///< lengths 1, 2, …, 2^(levels - 1); the last one is for growth() alone
  Index batches_ = 0;
  /// Of each quantity: its value in the first batch, from which all others are reckoned, so that
  /// nothing cancels; the sum of all batches; then by length: the block that waits for the other
  /// half of the next longer one, and the sum of squares; then the number of batches whose value is
  /// not 0, and the sums of third and fourth powers of single batches.
  std::vector<double> records_;
};

}  // namespace gsim::transport
