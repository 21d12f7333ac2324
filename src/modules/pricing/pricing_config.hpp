#pragma once
// The whole configuration of the pricing module: [pricing], [market], [[trades]] or trades_file.

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/greeks/greek_options.hpp"
#include "src/modules/pricing/market/market_config.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// The control variates of trades: a related payoff with a closed form where there is one,
/// otherwise the discounted spot; none; always the discounted spot.
enum class ControlVariates { automatic, none, spot };
/// Treatment of invalid market or trade data.
enum class OnError { stop, skip };

/// The [pricing] table.
struct PricingOptions {
  Precision precision = Precision::float64;
  Sampling sampling = Sampling::pseudo_random;
  Index replicates = 128;  ///< independent scramblings of the Sobol sequence
  bool brownian_bridge = true;
  bool antithetic = false;
  bool conditional = false;  ///< samples are expectations given the path of the variance
  ControlVariates control_variates = ControlVariates::automatic;
  bool importance_sampling = true;
  double steps_per_year = 100;  ///< minimum, where paths are discretised
  double confidence = 0.95;     ///< level of the confidence intervals
  double total_error = 0;       ///< target standard error of the portfolio's value; 0: none
  ExerciseOptions exercise;
  OnError on_error = OnError::stop;
  GreekOptions greeks;
  ScriptLibrary scripts;
  SourceLocation sampling_at;  ///< location of `sampling` in the configuration
};

/// A trade that was left out with on_error = "skip", and the reason.
struct SkippedTrade {
  std::string id;      ///< empty if the id could not be read
  std::string reason;  ///< the error message that on_error = "stop" would give
};

struct PricingConfig {
  PricingOptions options;
  MarketConfig market;
  std::vector<TradeConfig> trades;
  std::vector<SkippedTrade> skipped;
  /// Counterparties of netting sets, of trades in a file of Open Source Risk Engine.
  std::map<std::string, std::string> counterparties;
  std::string ore_currency;  ///< of [ore]; empty without that table
  /// Longest time step, years, for all models.
  double longest_step = std::numeric_limits<double>::infinity();
};

/// Describes and validates the tables of the module, with the given payoffs and path models.
void describe_pricing(Section& top, PricingConfig& config, PayoffKinds payoffs,
                      PathModelKinds models);

}  // namespace gsim::pricing
