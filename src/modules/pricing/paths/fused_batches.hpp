#pragma once
// Chooses the trades that a CUDA device evaluates while it simulates their paths, and divides them
// into batches, each of which is simulated by a launch of its own.

#include <span>
#include <vector>

#include "gsim/exec/array.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {

/// The batches for a set of active trades. A trade is fused if the paths are those of one asset of
/// gsim's own models, without conditional sampling, and if neither its payoff nor its control
/// variate is on several assets or evaluated by launchers. A batch is full when the states of its
/// payoffs fill the words of a thread. Trades with fixings on a quarter of the steps or more are
/// always fused; trades with fewer, for which a simulation of their own would cost more than
/// reading stored paths, only if they fit into batches of others or into the first one.
template <class T>
class FusedBatches {
 public:
  /// `tables` must outlive this object. No trade is fused if they keep no image.
  FusedBatches(Executor executor, const Simulation& simulation, const PathTables<T>& tables);

  /// Makes the batches for the trades in `active` (indices, ascending).
  void choose(std::span<const std::int32_t> active);
  /// The active trades: those of the batches, in order, and then the others, ascending.
  const std::vector<std::int32_t>& order() const { return order_; }
  /// The batches, to be read on the host; their tables are in the executor's memory.
  const std::vector<FusedBatch<T>>& batches() const { return batches_; }
  /// Number of trades of all batches.
  Index trades() const { return trades_; }
  /// Largest number of trades of a batch.
  Index largest() const;
  /// Memory of the executor that is held, bytes.
  double bytes() const { return static_cast<double>(memory_.size()); }

 private:
  /// A payoff or control variate of a trade.
  struct Slot {
    const PayoffView<T>* terms;  ///< in the executor's memory
    PayoffView<T> view;
    bool is_control;
    int words;
  };
  struct Batch {
    std::vector<std::int32_t> trades;
    int words = 0;
  };
  std::vector<Slot> slots_of(std::int32_t trade) const;
  /// Whether the trade has fixings on a quarter of the steps or more.
  bool has_many_fixings(const std::vector<Slot>& slots) const;
  /// The batch with room for `words` to which a trade is added; null: the trade is not fused.
  Batch* batch_for(std::vector<Batch>& batches, int words, bool many_fixings) const;
  FusedBatch<T> pack(TablePacker& packer, const Batch& batch) const;

  const PathTables<T>* tables_;
  bool is_one_asset_, has_extremes_;
  Index steps_, group_steps_ = 1;
  int words_per_path_;
  std::vector<Index> step_of_record_;
  std::vector<bool> is_record_;  ///< [steps]
  Array<std::byte> memory_;
  std::vector<std::int32_t> order_;
  std::vector<FusedBatch<T>> batches_;
  Index trades_ = 0;
};

}  // namespace gsim::pricing
