#pragma once
// The module "pricing": the engine's loop drives it, PathEngine simulates, SampleSums adds up.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/pricing/importance_sampling/tilted_trades.hpp"
#include "src/modules/pricing/pricing_config.hpp"
#include "src/modules/pricing/pricing_setup.hpp"
#include "src/modules/pricing/results/remarks.hpp"
#include "src/modules/pricing/statistics/estimator.hpp"
#include "src/modules/pricing/statistics/sample_sums.hpp"

namespace gsim::pricing {

/// What was known of a trade at an evaluation point.
struct HistoryEntry {
  Index trade = 0;
  Index samples = 0;
  double price = 0;
  double standard_error = 0;
};

class PricingModule : public Module {
 public:
  /// The payoffs and path models that configurations may name; they live as long as the module.
  PricingModule(std::vector<const PayoffKind*> payoffs, std::vector<const PathModelKind*> models)
      : payoffs_(std::move(payoffs)), models_(std::move(models)) {}
  void describe(Section& top) override;
  WorkPlan plan(const Context& context) override;
  void prepare() override;
  Index next_evaluation(Index done) const override { return schedule_.next(done); }
  void advance(Index first, Index count) override;
  Evaluation evaluate(Index done) override;
  void update_estimates() override;
  std::string health() override;
  std::vector<Estimate> estimates() const override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  std::string tighten_targets(bool is_judged) override;
  void write_results(DatasetWriter& writer) const override;
  ReportTable report() const override;
  std::uint64_t digest() const override;

 private:
  Index trade_count() const { return static_cast<Index>(config_.trades.size()); }
  PathEngine& engine();
  /// Paths of the active trades among `trades`: those of the portfolio, and one's own for every
  /// trade that is priced by importance sampling or on separate paths (separate_paths.hpp).
  std::vector<SampleSource> sources(const std::vector<Index>& trades);
  /// Whether the trades that have not met their targets are now simulated on separate paths.
  bool has_separate_paths() const;
  /// The paths of one trade alone, valid until the next call.
  PathEngine& engine_of(Index trade);
  /// Simulates blocks [first, first + count) of the active trades among `trades`.
  void simulate(const std::vector<Index>& trades, Index first, Index count);
  /// Stops trades whose sums are not finite, with on_error = "skip".
  void skip_failed();
  /// Leaves a trade out from now on.
  void fail(Index trade);
  /// Active trades that have not met their targets and whose samples spread widely.
  std::vector<TiltCandidate> tilt_candidates() const;
  /// Has trades that pay on few paths priced by importance sampling from now on, their first `done`
  /// blocks included. Collective.
  void tilt_trades(Index done);
  /// Whether the trade's estimate meets the stop rule's targets and stands on enough samples.
  bool meets_targets(Index trade) const;
  /// Brings the trade's estimate up to its sums; false where it must be left out.
  bool update(Index trade);
  PriceEstimate estimate(Index trade) const;
  Estimate named(Index trade) const;
  /// What the run may do for its trades, for remarks.
  RunLimits limits() const;
  /// The state of a trade for its remarks; it points into this module.
  TradeState state_of(Index trade) const;
  /// Trades that were left out when they were read, and since.
  std::vector<SkippedTrade> skipped() const;
  void write_trades(DatasetWriter& writer) const;
  void write_terms(DatasetWriter& writer) const;
  /// Also warns of prices that the samples show to be biased.
  void write_remarks(DatasetWriter& writer) const;
  void write_history(DatasetWriter& writer) const;

  std::vector<const PayoffKind*> payoffs_;
  std::vector<const PathModelKind*> models_;
  PricingConfig config_;
  PricingSetup setup_;
  std::unique_ptr<Context> context_;
  EvaluationSchedule schedule_;
  std::unique_ptr<PathEngine> engine_;    ///< made before the first block
  std::unique_ptr<PathEngine> separate_;  ///< of one trade alone, one after the other
  SampleSums sums_;
  std::vector<std::uint8_t> active_;     ///< still sampling
  std::vector<std::uint8_t> converged_;  ///< met the stop rule's error targets
  std::vector<std::uint8_t> failed_;     ///< paid what is no number, and is skipped
  TiltedTrades tilted_;                  ///< priced by importance sampling
  std::vector<PriceEstimate> current_;   ///< at the last evaluation or update
  std::vector<HistoryEntry> history_;
};

}  // namespace gsim::pricing
