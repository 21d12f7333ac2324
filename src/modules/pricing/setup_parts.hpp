#pragma once
// The stages of set_up(), apart so that each can be read and tested alone.

#include <vector>

#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// Which extremes of an asset's path between records some trade needs.
struct ExtremeNeeds {
  bool maximum = false, minimum = false;
  bool any() const { return maximum || minimum; }
};
ExtremeNeeds extreme_needs(const TradeConfig& trade);

/// Records (dates) of the portfolio, rising, without time 0.
std::vector<double> record_dates(const PricingConfig& config);
/// Whether the trade's paths are a discretisation, whose bias no error bar holds: stochastic
/// variance, local volatility, and jumps under continuous monitoring.
bool is_discretised(const PricingConfig& config, const TradeConfig& trade);
/// Time steps that a trade alone asks for: its dates, or the small steps of its assets' models.
double steps_alone(const PricingConfig& config, const TradeConfig& trade);
/// Position of the record at `date`, which must be there.
Index record_at(const std::vector<double>& records, double date);
/// Steps for these records.
TimeGrid make_grid(const PricingConfig& config, const std::vector<Index>& assets,
                   const std::vector<double>& records);

AssetDynamics make_dynamics(const MarketConfig& market, const AssetConfig& asset,
                            const TimeGrid& grid);

/// What trade programs and controls look up: forwards and covariances at any record.
struct MarketView {
  const MarketConfig* market;
  const std::vector<double>* records;
  double discount(double date) const;
  double forward(Index asset, double date) const;
  double variance(Index asset,
                  double date) const;  ///< of ln S, black_scholes and merton diffusions
  bool is_black_scholes(Index asset) const;
};
/// Covariance of ln S_i and ln S_j at `date`, both black_scholes: correlation times the integral of
/// both volatilities.
double log_covariance(const MarketConfig& market, Index first, Index second, double date);

/// Discount factors of a rebate paid when a continuously watched barrier is touched: one for each
/// interval that ends at a record, the mean over the touches within it. Exact for one asset with
/// flat rate, yield and volatility; else the place of the touch within its interval is that of the
/// flat asset with the same averages.
std::vector<double> discounts_at_touch(const TradeConfig& trade, const MarketView& view,
                                       const std::vector<Index>& records);
/// The trade's payoff; its assets are positions among those simulated, in `order`.
TradeSetup make_program(const TradeConfig& trade, const MarketView& view,
                        const std::vector<Index>& order);
/// Chooses the control variate of a program and its expectation.
void choose_control(const TradeConfig& trade, const MarketView& view, bool spot_only,
                    TradeSetup& program);

}  // namespace gsim::pricing
