#pragma once
// The dates at which paths are recorded, and the time steps between them.

#include <vector>

#include "src/modules/pricing/paths/simulation.hpp"
#include "src/modules/pricing/pricing_config.hpp"

namespace gsim::pricing {

/// Records (dates) of the portfolio, rising, without time 0.
std::vector<double> record_dates(const PricingConfig& config);
/// Whether the trade's paths are a discretisation, whose bias no error bar contains: stochastic
/// variance, local volatility, and jumps under continuous monitoring.
bool is_discretised(const PricingConfig& config, const TradeConfig& trade);
/// Time steps that the trade needs on paths of its own: its dates, or the small steps of its
/// assets' models.
double steps_alone(const PricingConfig& config, const TradeConfig& trade);
/// Steps for these records.
TimeGrid make_grid(const PricingConfig& config, const std::vector<Index>& assets,
                   const std::vector<double>& records);

}  // namespace gsim::pricing
