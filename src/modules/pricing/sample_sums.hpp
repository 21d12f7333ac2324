#pragma once
// The running sums of a portfolio, the same on every rank: one merge stack per trade and replicate.

#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/timer.hpp"
#include "gsim/engine/merge_stack.hpp"
#include "gsim/io/dataset.hpp"
#include "path_engine.hpp"

namespace gsim::pricing {

class SampleSums {
 public:
  SampleSums() = default;
  SampleSums(Index trades, Index replicates);

  /// Simulates blocks [first, first + count) for the trades whose flag in `active` is set, each
  /// rank its part, and adds them up on every rank. Collective; an error on any rank is thrown on
  /// all.
  void advance(PathEngine& engine, const Communicator& communicator, Index first, Index count,
               const std::vector<std::uint8_t>& active, RegionTimer* timer = nullptr);

  /// Sums of one trade, one entry per replicate (count 0: no block yet).
  std::vector<BlockStatistics> of_trade(Index trade) const;
  /// First trade whose sums are not finite, or -1.
  Index first_not_finite() const;

  void save(DatasetWriter& writer) const;
  void restore(DatasetReader& reader);

 private:
  using Stack = MergeStack<BlockStatistics>;
  /// Adds this rank's part of the range into `mine`, from empty stacks.
  void simulate(PathEngine& engine, IndexRange range, const std::vector<std::uint8_t>& active,
                std::vector<Stack>& mine) const;
  Stack& stack(std::vector<Stack>& stacks, Index trade, Index replicate) const {
    return stacks[static_cast<std::size_t>(trade * replicates_ + replicate)];
  }
  Index trades_ = 0, replicates_ = 1;
  std::vector<Stack> stacks_;  ///< [trade][replicate]
};

}  // namespace gsim::pricing
