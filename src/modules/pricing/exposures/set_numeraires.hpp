#pragma once
// The numeraires of netting sets that have trades on short rates.

#include "gsim/config/section.hpp"
#include "src/modules/pricing/exposures/exposure_options.hpp"

namespace gsim::pricing {

/// Sets NettingSet::numeraire and the numeraires of the trades' measures. ConfigError at
/// `netting_sets` unless every set has at most one rate of each currency, and, in sets with a rate
/// of the base currency, what is correlated with it has a deterministic volatility or the model
/// heston or bates, no trade has a payment lag, and no wrong-way risk is correlated with it.
/// Correlations with rates that are not configured are 0; a warning says so.
void set_numeraires(const Section& section, PricingConfig& config, ExposureOptions& options);

}  // namespace gsim::pricing
