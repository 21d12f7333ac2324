#pragma once
// What the modules "pricing", "risk" and "exposure" check and report about their input in the same
// way.

#include <string>

#include "gsim/engine/module.hpp"
#include "src/modules/pricing/checks/sampling_risks.hpp"

namespace gsim::pricing {

/// Throws an InputError if [pricing] asks for what only the module pricing has: Sobol points,
/// Greeks, a target for the portfolio's value, or single precision. `module` is the name of the
/// other module, and `greeks_instead` ends the advice about Greeks.
void check_is_double_without_greeks(const PricingOptions& options, const std::string& module,
                                    const std::string& greeks_instead = {});

/// Throws a ConfigError if a trade has a `target_error`, which the module `module` cannot meet.
void check_no_trade_targets(const std::vector<TradeConfig>& trades, const std::string& module);

/// Warns of prices that cannot be computed with the samples and steps of the run
/// (sampling_risks()) and of doubtful values of the market, and adds the skipped trades to `plan`.
/// Where there are any, `skipped_warning` is a further warning.
void report_doubtful_input(const PricingConfig& config, const PricingSetup& setup,
                           const SampledValues& values, const Context& context,
                           const std::string& skipped_warning, WorkPlan& plan);

}  // namespace gsim::pricing
