#pragma once
// The module "multilevel": trades priced by multilevel Monte Carlo, each for itself. A unit of work
// is one block of samples of one level of one trade. Units are planned in rounds: every evaluation
// point is the end of a round, and decides from sums of all samples so far, which every rank holds
// with the same bits, how many blocks of which levels the next round has. Ranks compute parts of a
// round whose steps of paths are in proportion to their measured speeds.

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gsim/domain/work_shares.hpp"
#include "gsim/engine/merge_stack.hpp"
#include "gsim/engine/module.hpp"
#include "src/modules/pricing/multilevel/level_estimator.hpp"
#include "src/modules/pricing/multilevel/level_sampler.hpp"

namespace gsim {
class Registry;
}

namespace gsim::pricing {

class MultilevelModule : public Module {
 public:
  /// The available payoffs and path models; they must outlive the module.
  MultilevelModule(std::vector<const PayoffKind*> payoffs, std::vector<const PathModelKind*> models)
      : payoffs_(std::move(payoffs)), models_(std::move(models)) {}
  void describe(Section& top) override;
  WorkPlan plan(const Context& context) override;
  void prepare() override;
  Index next_evaluation(Index done) const override;
  void advance(Index first, Index count) override;
  Evaluation evaluate(Index done) override;
  void update_estimates() override;
  std::string health() override;
  std::vector<Estimate> estimates() const override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  void write_results(DatasetWriter& writer) const override;
  ReportTable report() const override;
  std::uint64_t digest() const override;

 private:
  using Stack = MergeStack<LevelSums>;
  /// A level of a trade with its sums.
  struct LevelState {
    std::vector<Stack> replicates;
    Index blocks = 0;  ///< that have been planned
  };
  struct TradeState {
    std::vector<LevelState> levels;
    MultilevelEstimate estimate;
    bool has_converged = false;
    bool is_at_finest = false;  ///< it stopped as NextSamples::is_at_finest tells
    bool is_certain = false;    ///< its value is not random
  };
  /// Blocks [blocks.first, blocks.last) of a level in a round.
  struct PlannedBlocks {
    Index trade, level;
    IndexRange blocks;
  };
  Index trade_count() const { return static_cast<Index>(config_.trades.size()); }
  const TradeConfig& trade(Index t) const { return config_.trades[static_cast<std::size_t>(t)]; }
  Index replicates() const { return level_replicates(config_.options); }
  /// Level `level` of a trade, without its sums.
  Level level_of(Index trade, std::size_t level) const;
  /// Marks the trades whose values are not random.
  void find_certain_trades();
  /// Adds blocks of a level to the round.
  void add_to_round(Index trade, Index level, Index blocks);
  /// The part of the round in units [first, last).
  std::vector<PlannedBlocks> part_of_round(IndexRange units) const;
  Index round_end() const;
  /// Steps of the paths of one sample, which measure the work of the blocks of a level.
  Index work_of_block(const PlannedBlocks& planned) const;
  /// The work of parts of a round.
  Index work_of(std::span<const PlannedBlocks> parts) const;
  /// The part of units [first, last) of the round that this rank computes.
  std::vector<PlannedBlocks> part_of_rank(IndexRange units) const;
  void update(Index trade);
  void write_tables(DatasetWriter& writer) const;

  std::vector<const PayoffKind*> payoffs_;
  std::vector<const PathModelKind*> models_;
  PricingConfig config_;
  MultilevelOptions options_;
  std::unique_ptr<Context> context_;
  Index total_units_ = 0;
  std::vector<TradeState> trades_;
  WorkShares shares_;                 ///< of the ranks in the work of a slice
  Index round_begin_ = 0;             ///< first unit of the round
  std::vector<PlannedBlocks> round_;  ///< in the order of the units
};

/// Registers the module.
void register_multilevel_module(Registry& registry);

}  // namespace gsim::pricing
