#pragma once
// The dates at which paths are recorded, and the time steps between them.

#include <vector>

#include "src/modules/pricing/paths/simulation.hpp"
#include "src/modules/pricing/pricing_config.hpp"

namespace gsim::pricing {

/// Record dates of the portfolio, increasing, without time 0.
std::vector<double> record_dates(const PricingConfig& config);
/// Whether the trade's paths are discretised, with a bias that the standard error does not include:
/// stochastic variance, local volatility, and jumps under continuous monitoring.
bool is_discretised(const PricingConfig& config, const TradeConfig& trade);
/// Number of time steps of the trade if it has paths of its own: one for each of its dates, or the
/// small steps that the models of its assets need.
double separate_step_count(const PricingConfig& config, const TradeConfig& trade);
/// The time grid for paths of `assets` that are recorded at the dates `records`.
TimeGrid make_grid(const PricingConfig& config, const std::vector<Index>& assets,
                   const std::vector<double>& records);

}  // namespace gsim::pricing
