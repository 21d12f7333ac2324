#pragma once
// The running sums of a portfolio, identical on every rank: one merge stack per trade and
// replicate. Greeks are trades here, after those of the portfolio.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/timer.hpp"
#include "gsim/domain/work_shares.hpp"
#include "gsim/engine/merge_stack.hpp"
#include "gsim/io/dataset.hpp"
#include "src/modules/pricing/paths/path_engine.hpp"
#include "src/modules/pricing/statistics/batch_means.hpp"

namespace gsim::pricing {

/// A node of a merge stack with the index of its stack, as exchanged between ranks.
struct PackedNode {
  std::int64_t stack;
  std::int64_t level;
  std::int64_t index;
  BlockStatistics value;
};

/// The paths on which some trades of a run are priced.
struct SampleSource {
  std::function<PathEngine&()> engine;  ///< created before its first block
  std::vector<Index> trades;            ///< the engine's trade j is trade trades[j] of the run
  std::vector<std::uint8_t> active;     ///< [trades] non-zero: the trade is sampled
  bool is_shared = false;               ///< by all trades of the portfolio
};

class SampleSums {
 public:
  SampleSums() = default;
  /// Keeps batch means of the first `batched_trades` trades, for one replicate only.
  SampleSums(Index trades, Index replicates, Index batched_trades = 0);

  /// Simulates blocks [first, first + count) of every source for its active trades, divided among
  /// the ranks by their measured speeds, and adds them to the sums on every rank. Collective; an
  /// error on any rank is thrown on all.
  void advance(std::span<const SampleSource> sources, const Communicator& communicator, Index first,
               Index count, RegionTimer* timer = nullptr);
  /// Discards the samples of a trade.
  void reset(Index trade);

  Index replicates() const { return replicates_; }
  /// Number of samples of one trade.
  double samples(Index trade) const;
  /// Batch means of one of the first `batched_trades` trades.
  const BatchMeans& batches(Index trade) const { return batches_[static_cast<std::size_t>(trade)]; }
  /// Sums of one trade, one entry per replicate (count 0: no block yet).
  std::vector<BlockStatistics> of_trade(Index trade) const;
  /// Trades among `trades` whose sums are not finite, in increasing order.
  std::vector<Index> not_finite(IndexRange trades) const;

  /// The sums of `trades` are kept in the datasets GROUP/node and GROUP/value.
  void save(DatasetWriter& writer, const std::string& group, IndexRange trades) const;
  void restore(DatasetReader& reader, const std::string& group, IndexRange trades);
  /// The batch means are kept in the datasets GROUP/batch and GROUP/batch_mean.
  void save_batches(DatasetWriter& writer, const std::string& group) const;
  void restore_batches(DatasetReader& reader, const std::string& group);

 private:
  using Stack = MergeStack<BlockStatistics>;
  /// The sums of one rank over a slice.
  struct LocalSums {
    std::vector<Stack> stacks;
    std::vector<BatchMeans> batches;
  };
  /// Adds this rank's part of the range to `local`, which starts with empty sums.
  void simulate(const SampleSource& source, IndexRange range, LocalSums& local) const;
  Stack& stack(std::vector<Stack>& stacks, Index trade, Index replicate) const {
    return stacks[static_cast<std::size_t>(trade * replicates_ + replicate)];
  }
  WorkShares shares_;  ///< of the ranks in the blocks of a slice
  Index trades_ = 0, replicates_ = 1;
  std::vector<Stack> stacks_;        ///< [trade][replicate]
  std::vector<BatchMeans> batches_;  ///< [batched trade]
};

}  // namespace gsim::pricing
