#pragma once
// The values of all trades in changed markets. A trade with a closed form is valued by it. The
// other trades are simulated with the same random numbers in every market, so that the error of a
// change of value is small where the change is small; their control variates keep the coefficients
// of today's market. Trades with early exercise are exercised in the states in which they are
// exercised in today's market, or by a policy that is found anew.

#include <span>
#include <vector>

#include "gsim/exec/executor.hpp"
#include "src/modules/pricing/greeks/market_bump.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/pricing_setup.hpp"
#include "src/modules/pricing/risk/risk_options.hpp"

namespace gsim::pricing {

/// Number of batches of the simulated samples. The spread of the results of the batches gives the
/// error of what depends on all of them.
inline constexpr Index inner_batches = 16;

/// The value of a trade today, of the whole quantity.
struct TradeValue {
  double value = 0;
  double standard_error = 0;  ///< 0 for closed forms
  bool is_simulated = false;
};

/// A flag for each trade of the configuration that has a closed form.
std::vector<std::uint8_t> closed_form_flags(const PricingConfig& config);

class Revaluation {
 public:
  /// `config` has the exercise policies of its trades. Fixings, and strikes that are set, today are
  /// those of its market, and do not change with the spots. Simulated trades have `inner_samples`
  /// samples, a multiple of 64 inner_batches. Throws as set_up().
  Revaluation(const PricingConfig& config, const Executor& executor, Arithmetic arithmetic,
              std::uint64_t seed, Index inner_samples,
              ScenarioExercise exercise = ScenarioExercise::frozen);

  const std::vector<TradeValue>& today() const { return today_; }
  bool has_simulated_trades() const { return !simulated_.empty(); }

  /// Changes of the value of every trade from today's market to each of the `markets`, which are
  /// given by their bumps: `changes` is [market][trade], `batches` [market][batch] the change of
  /// the total value of the simulated trades according to the samples of one batch, and empty if
  /// there are no such trades.
  void evaluate(std::span<const std::vector<MarketBump>> markets, std::span<double> changes,
                std::span<double> batches) const;

 private:
  /// The simulated trades in a bumped market.
  Simulation in_market(const std::vector<MarketBump>& bumps, const std::vector<Index>& all) const;
  /// The values of one unit of the simulated trades: [batch][trade].
  std::vector<double> simulate(const Simulation& simulation) const;
  /// Sets the coefficients of the control variates from the samples in today's market.
  void set_coefficients();
  /// The value of a trade with a closed form, of the whole quantity.
  double closed_form(Index trade, const MarketConfig& market) const;
  double quantity(Index trade) const;

  PricingConfig config_;  ///< with the fixings of today as past ones
  Executor executor_;
  Arithmetic arithmetic_;
  std::uint64_t seed_;
  ScenarioExercise exercise_;
  std::vector<double> dates_;  ///< of the trades with a closed form, years
  std::vector<Index> assets_;  ///< all assets of the market
  std::vector<Index> closed_;  ///< trades with a closed form; all others are simulated
  std::vector<Index> simulated_;
  PricingConfig simulated_config_;  ///< with the simulated trades alone
  PricingSetup simulated_setup_;
  std::vector<double> coefficients_;  ///< of the simulated trades' control variates
  std::vector<double> closed_today_, simulated_today_;
  std::vector<TradeValue> today_;
};

}  // namespace gsim::pricing
