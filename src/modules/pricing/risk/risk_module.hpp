#pragma once
// The module "risk": market risk of a portfolio. Its units are scenarios: first those of the
// sensitivities, of [[risk.stress]] and of the history, then simulated ones. Every rank revalues
// the portfolio in a part of the scenarios by its measured speed, and all ranks keep the gains in
// all of them.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/domain/work_shares.hpp"
#include "gsim/engine/module.hpp"
#include "src/modules/pricing/risk/revaluation.hpp"
#include "src/modules/pricing/risk/risk_analysis.hpp"
#include "src/modules/pricing/risk/scenarios.hpp"

namespace gsim::pricing {

class RiskModule : public Module {
 public:
  /// The available payoffs and path models; they must outlive the module.
  RiskModule(std::vector<const PayoffKind*> payoffs, std::vector<const PathModelKind*> models)
      : payoffs_(std::move(payoffs)), models_(std::move(models)) {}
  void describe(Section& top) override;
  void validate() override;
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
  std::string tighten_targets(bool) override { return {}; }  // evaluate() changes nothing
  void write_results(DatasetWriter& writer) const override;
  ReportTable report() const override;
  std::uint64_t digest() const override;

 private:
  /// Scenarios [first, last) of one kind among the units of the run that do not depend on their
  /// number.
  IndexRange fixed_range(ScenarioKind kind) const;
  Index fixed_count() const { return static_cast<Index>(fixed_.size()); }
  /// Gains of the finished scenarios of one kind.
  Gains gains_of(ScenarioKind kind) const;
  /// Gains of second order in the first `count` simulated scenarios, which the ranks share.
  /// Collective.
  Gains quadratic_gains(Index count) const;
  /// The gains from which a method estimates; not for delta_normal.
  Gains gains_for(RiskMethod method) const;
  /// The scenario of a unit.
  Scenario scenario(Index unit) const;
  /// Warns of changes that are smaller than configured, and of policies of early exercise.
  void warn_of_scenarios(const Context& context) const;
  /// Creates revaluation_. Collective.
  void value_today();
  std::vector<TradeSensitivities> sensitivities() const;
  /// Those of the simulated trades together, by the samples of each batch; empty without such
  /// trades.
  std::vector<TradeSensitivities> batch_sensitivities() const;
  /// Computes measures_ from the finished scenarios.
  void measure_all();
  /// The measures with bootstrap intervals, and the contributions of all trades.
  struct Tables {
    std::vector<MeasureRow> measures;
    std::vector<ContributionRow> contributions;
  };
  const Tables& tables() const;  ///< collective
  Estimate estimate_of(RiskMethod method, double level, bool is_var) const;
  void write_measures(DatasetWriter& writer) const;
  void write_contributions(DatasetWriter& writer) const;
  void write_increment_errors(DatasetWriter& writer) const;
  void write_scenarios(DatasetWriter& writer) const;
  void write_sensitivities(DatasetWriter& writer) const;
  void write_trades(DatasetWriter& writer) const;
  void write_terms(DatasetWriter& writer) const;

  std::vector<const PayoffKind*> payoffs_;
  std::vector<const PathModelKind*> models_;
  PricingConfig config_;
  RiskOptions options_;
  std::unique_ptr<Context> context_;
  Index simulated_count_ = 0;  ///< largest number of simulated scenarios
  SensitivityPlan sensitivity_plan_;
  std::vector<Scenario> fixed_;  ///< sensitivities, stress scenarios, history
  std::optional<ScenarioGenerator> generator_;
  std::unique_ptr<Revaluation> revaluation_;  ///< once the exercise policies are known
  WorkShares shares_;                         ///< of the ranks in the scenarios of a slice
  Gains fixed_gains_, simulated_gains_;
  std::size_t fixed_checked_ = 0, simulated_checked_ = 0;  ///< gains that are known to be finite
  Index simulated_done_ = 0;
  std::vector<MeasureRow> measures_;  ///< at the last evaluation or update
  mutable std::optional<Tables> tables_;
};

}  // namespace gsim::pricing
