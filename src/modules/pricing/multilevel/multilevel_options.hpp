#pragma once
// The table [multilevel], and what of a portfolio multilevel Monte Carlo can price.

#include <string>
#include <vector>

#include "src/modules/pricing/pricing_config.hpp"

namespace gsim::pricing {

struct MultilevelOptions {
  double target = 0;      ///< root-mean-square error of the value of each trade, currency
  Index refinement = 2;   ///< ratio of the numbers of steps of two levels
  Index first_steps = 1;  ///< steps of the coarsest level
  Index levels = 10;      ///< largest number of levels
};

/// Describes [multilevel], and checks the portfolio and [pricing] against what the module supports.
/// Throws ConfigError with the reason.
void describe_multilevel(Section& top, const PricingConfig& config, MultilevelOptions& options);

/// Warnings of keys of [pricing] that are set, but have no effect on multilevel Monte Carlo.
std::vector<std::string> unused_options(const PricingOptions& options);

/// The underlying of a trade on one asset.
const AssetConfig& underlying_of(const PricingConfig& config, const TradeConfig& trade);
/// The target of a trade: its own (`target_error`), or that of [multilevel].
double target_of(const MultilevelOptions& options, const TradeConfig& trade);
/// The number of steps of a level, from 0.
Index steps_of(const MultilevelOptions& options, Index level);
/// Number of the finest level that has a correction: that whose paths are exact for the trade, or
/// the last one of the configuration.
Index finest_level(const MultilevelOptions& options, const PricingConfig& config,
                   const TradeConfig& trade);

/// Whether the paths of a level have no bias for the trade: lognormal ones that have all its dates.
bool has_no_bias(const MultilevelOptions& options, const PricingConfig& config,
                 const TradeConfig& trade, Index level);

/// Whether the payoff on the paths of a level is not random: digitals, as expectations over the
/// last step, on a level of a single step without a random variance.
bool has_certain_level(const MultilevelOptions& options, const PricingConfig& config,
                       const TradeConfig& trade, Index level);

}  // namespace gsim::pricing
