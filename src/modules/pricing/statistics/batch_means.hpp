#pragma once
// Means of the samples of a trade over batches of consecutive blocks, from which the error of the
// value of a portfolio is estimated (portfolio_error.hpp): batches with the same blocks of several
// trades are simulated with the same random numbers.

#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::pricing {

/// The means of a trade's payoff x and its control variate y over blocks [index << level, (index +
/// 1) << level).
struct BatchMean {
  Index level = 0, index = 0;
  double mean_x = 0, mean_y = 0;
  Index first_block() const { return index << level; }
  Index blocks() const { return Index{1} << level; }
};

/// The batches of one trade, in the order of their blocks. Batches are nodes of the binary tree of
/// blocks (engine/merge_stack.hpp), merged up to a largest level: batches of one block up to block
/// 32, and from then on 16 batches between two evaluation points of EvaluationSchedule. They depend
/// neither on the ranks nor on the slices that computed the blocks. A trade that is not sampled
/// between two evaluation points has no batches there. Their number grows with the logarithm of the
/// number of blocks.
class BatchMeans {
 public:
  /// Appends a batch, whose blocks follow those of the last one, and merges siblings.
  void push(BatchMean batch);
  /// Appends the batches of later blocks.
  void append(const BatchMeans& later);
  const std::vector<BatchMean>& batches() const { return batches_; }
  /// Number of blocks of all batches.
  Index blocks() const;

 private:
  std::vector<BatchMean> batches_;
};

/// The largest number of batches of a trade over `blocks` blocks.
Index batch_count(Index blocks);

}  // namespace gsim::pricing
