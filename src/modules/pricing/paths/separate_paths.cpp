#include "src/modules/pricing/paths/separate_paths.hpp"

#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/paths/time_grid.hpp"

namespace gsim::pricing {

PricingConfig portfolio_of_one(const PricingConfig& config, const TradeConfig& trade) {
  PricingConfig portfolio;
  portfolio.options = config.options;
  portfolio.market = config.market;
  portfolio.trades = {trade};
  portfolio.longest_step = config.longest_step;
  return portfolio;
}

Simulation separate_simulation(const PricingConfig& config, const TradeConfig& trade,
                               Arithmetic arithmetic, std::uint64_t seed) {
  return set_up(portfolio_of_one(config, trade), arithmetic, seed).simulation;
}

bool are_separate_paths_cheaper(const PricingConfig& config, const Simulation& shared,
                                std::span<const std::uint8_t> remaining) {
  if (shared.sampling == Sampling::sobol) return false;
  const double shared_steps =
      static_cast<double>(shared.grid.times.size()) * static_cast<double>(shared.assets.size());
  double separate_steps = 0;
  for (std::size_t i = 0; i < remaining.size(); ++i) {
    if (remaining[i] == 0) continue;
    const TradeConfig& trade = config.trades[i];
    separate_steps += separate_step_count(config, trade) * static_cast<double>(trade.assets.size());
    if (separate_steps >= shared_steps) return false;
  }
  return true;
}

}  // namespace gsim::pricing
