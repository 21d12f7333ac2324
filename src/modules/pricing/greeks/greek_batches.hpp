#pragma once
// The batches in which a CUDA device evaluates the trades and Greeks of a job.

#include <span>
#include <vector>

#include "gsim/exec/array.hpp"
#include "kernels/pricing/greeks/greeks_job.hpp"
#include "src/modules/pricing/greeks/active_stencil.hpp"

namespace gsim::pricing {

/// Tables of batches in executor memory.
class GreekBatches {
 public:
  explicit GreekBatches(const Executor& executor)
      : slots_(executor, 0), targets_(executor, 0), greeks_(executor, 0) {}

  /// Starts anew, for samples of a tile of `tile_samples` samples.
  void clear(Index tile_samples);
  /// Adds a batch with the active trades of `market`, numbers `trades` of its tables, which gives
  /// no Greeks. The job stays until the batches are used.
  void add_market(const PathJob<double>& market, std::span<const std::int32_t> trades);
  /// Begins a group of stencils; a batch belongs to one group.
  void begin_group();
  /// Adds the entries of a stencil, whose tables stay until the batches are used: `active` are its
  /// rows. A batch has at most `most_columns` slots and Greeks together, or one entry.
  void add_stencil(const GreekStencil<double>& stencil, const ActiveStencil& active,
                   Index most_columns);
  /// Copies the tables to the executor's memory.
  void finish(const Executor& executor);

  /// After finish(): the batch of add_market(), and those of a group.
  const TradeBatch<double>& market() const { return market_.batch.trades; }
  std::span<const GreekBatch<double>> of_group(std::size_t group) const {
    return std::span(finished_).subspan(first_of_group_[group],
                                        first_of_group_[group + 1] - first_of_group_[group]);
  }
  /// Largest numbers of slots and Greeks of a batch with Greeks.
  Index most_slots() const;
  Index most_greeks() const;

 private:
  /// A batch, with indices of its first entries in the tables of all batches.
  struct Batch {
    GreekBatch<double> batch{};
    std::size_t slot = 0, target = 0, launched = 0, greek = 0;
  };

  Batch begin() const;
  void add_trade(Batch& batch, const PathJob<double>& market, Index position, std::int32_t trade);
  GreekBatch<double> finished(const Batch& batch) const;

  Index tile_samples_ = 0;
  Batch market_;
  std::vector<Batch> batches_;
  std::vector<GreekBatch<double>> finished_;
  std::vector<std::size_t> first_of_group_;  ///< and the end
  std::vector<TradeInMarket<double>> slot_list_;
  std::vector<ExerciseTarget<double>> target_list_;
  std::vector<LaunchedInMarket<double>> launched_list_;
  std::vector<GreekOfBatch> greek_list_;
  Array<TradeInMarket<double>> slots_;
  Array<ExerciseTarget<double>> targets_;
  Array<GreekOfBatch> greeks_;
};

}  // namespace gsim::pricing
