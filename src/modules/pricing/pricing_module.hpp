#pragma once
// The module "pricing", which the engine's loop calls: a PathEngine simulates paths, and SampleSums
// accumulates the samples.

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/pricing/greeks/greeks.hpp"
#include "src/modules/pricing/importance_sampling/tilted_trades.hpp"
#include "src/modules/pricing/pricing_config.hpp"
#include "src/modules/pricing/pricing_setup.hpp"
#include "src/modules/pricing/results/remarks.hpp"
#include "src/modules/pricing/statistics/estimator.hpp"
#include "src/modules/pricing/statistics/portfolio_error.hpp"
#include "src/modules/pricing/statistics/sample_sums.hpp"

namespace gsim::pricing {

/// The estimate of a trade at an evaluation point.
struct HistoryEntry {
  Index trade = 0;
  Index samples = 0;
  double price = 0;
  double standard_error = 0;
};

/// The value of the portfolio, if it has a target.
struct TotalValue {
  PortfolioValue estimate;
  bool has_converged = false;
};

/// A bound of a price with early exercise; NaN: none.
struct UpperBound {
  double value = 0;
  double standard_error = 0;
};

class PricingModule : public Module {
 public:
  /// The available payoffs and path models; they must outlive the module.
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
  std::string tighten_targets(bool was_evaluated) override;
  void write_results(DatasetWriter& writer) const override;
  ReportTable report() const override;
  std::uint64_t digest() const override;

 private:
  /// Makes the state of zero blocks, once the exercise policies are known.
  void start();
  Index trade_count() const { return static_cast<Index>(config_.trades.size()); }
  PathEngine& engine();
  /// Adds the number and the memory of the Greeks to the plan.
  void note_greeks(const Context& context, WorkPlan& plan) const;
  /// The paths for the active trades among `trades`: those of the portfolio, and separate ones for
  /// every trade that is priced by importance sampling or on separate paths (separate_paths.hpp).
  std::vector<SampleSource> sources(const std::vector<Index>& trades);
  /// Whether the trades that have not met their targets are simulated on separate paths.
  bool has_separate_paths() const;
  /// The paths of one trade; valid until the next call.
  PathEngine& engine_of(Index trade);
  /// Adds the paths for Greeks to the list, which are also those for prices on the paths of the
  /// portfolio, where that gives the same bits.
  void add_greeks(std::vector<SampleSource>& list);
  /// Simulates blocks [first, first + count) of the sources. Collective.
  void simulate(std::span<const SampleSource> list, Index first, Index count);
  /// With on_error = "skip", excludes trades whose sums are not finite.
  void exclude_not_finite();
  /// Excludes a trade from the rest of the run.
  void exclude(Index trade);
  /// Active trades that have not met their targets and whose samples have a large relative
  /// variance.
  std::vector<TiltCandidate> tilt_candidates() const;
  /// Switches trades with payments on few paths to importance sampling, repeating their first
  /// `done` blocks. Collective.
  void tilt_trades(Index done);
  /// The targets of the trade's estimate: its own, or those of the stop rule.
  StopRule targets(Index trade) const;
  bool has_total_target() const { return config_.options.total_error > 0; }
  /// Whether the trade takes no samples until the next evaluation point.
  bool rests(Index trade) const;
  /// Lets trades rest, or wakes them, where the portfolio's value has a target
  /// (portfolio_value.cpp).
  void choose_resting();
  /// Updates the value of the portfolio.
  void update_total();
  bool meets_total_target() const;
  std::vector<PortfolioTrade> portfolio_trades() const;
  /// The assets that no trade on the paths of the portfolio needs until the next evaluation point.
  std::vector<std::uint8_t> unused_assets() const;
  void add_total(Evaluation& result) const;
  Estimate total_estimate() const;
  void write_total(DatasetWriter& writer) const;
  std::string total_text() const;
  /// Whether the trade's estimate meets the targets of the stop rule with enough samples.
  bool meets_targets(Index trade) const;
  /// Updates the trade's estimate from its sums; false if the trade must be excluded.
  bool update(Index trade);
  PriceEstimate estimate(Index trade) const;
  /// The estimate in the form of the engine, with name and unit.
  Estimate engine_estimate(Index trade) const;
  /// The limits of the run, for remarks.
  RunLimits limits(Index trade) const;
  /// The state of a trade for its remarks; it refers to data of this module.
  TradeState state_of(Index trade) const;
  /// Trades that were excluded on reading or later.
  std::vector<SkippedTrade> skipped() const;
  /// The upper bound of a trade's price for the whole quantity; of a short position the lower one.
  UpperBound upper_bound(Index trade) const;
  void write_trades(DatasetWriter& writer) const;
  void write_upper_bounds(DatasetWriter& writer) const;
  void write_currencies(DatasetWriter& writer) const;
  void write_terms(DatasetWriter& writer) const;
  /// Also logs warnings about prices whose samples show a bias.
  void write_remarks(DatasetWriter& writer) const;
  void write_history(DatasetWriter& writer) const;

  std::vector<const PayoffKind*> payoffs_;
  std::vector<const PathModelKind*> models_;
  PricingConfig config_;
  PricingSetup setup_;
  bool has_trade_targets_ = false;  ///< whether any trade has a target of its own
  std::unique_ptr<Context> context_;
  EvaluationSchedule schedule_;
  std::unique_ptr<PathEngine> engine_;    ///< created before the first block
  std::unique_ptr<PathEngine> separate_;  ///< separate paths of one trade at a time
  SampleSums sums_;
  std::vector<std::uint8_t> active_;     ///< whether the trade is still sampled
  std::vector<std::uint8_t> converged_;  ///< whether it met the error targets of the stop rule
  /// Whether the trade takes no samples until the next evaluation point for the sake of the
  /// portfolio's value: changes at evaluation points only.
  std::vector<std::uint8_t> resting_;
  TotalValue total_;
  std::vector<std::uint8_t> failed_;    ///< a payoff was not finite; the trade is skipped
  TiltedTrades tilted_;                 ///< priced by importance sampling
  std::vector<PriceEstimate> current_;  ///< at the last evaluation or update
  std::vector<HistoryEntry> history_;
  Greeks greeks_;
};

}  // namespace gsim::pricing
