#pragma once
// The policies of all trades of a portfolio with early exercise.

#include "gsim/engine/module.hpp"
#include "src/modules/pricing/pricing_config.hpp"

namespace gsim::pricing {

/// Finds the policies, and the upper bounds where they are requested, of all trades with early
/// exercise, each on paths of its own assets and dates, and sets them in `config.trades`.
/// Collective.
void find_exercise_policies(PricingConfig& config, const Context& context);

/// Writes the policies of all trades to a checkpoint, and reads them from one.
void save_policies(const PricingConfig& config, DatasetWriter& writer);
void restore_policies(PricingConfig& config, DatasetReader& reader);

}  // namespace gsim::pricing
