#pragma once
// Forwards, discount factors and covariances of a market, for the set-up of trades.

#include <vector>

#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// The market and the dates at which paths are recorded.
struct MarketView {
  const MarketConfig* market;
  const std::vector<double>* records;  ///< years from today, increasing
  Index currency = base_currency;      ///< in which payments are made

  /// The same market, for payments in another currency.
  MarketView paid_in(Index other) const { return {market, records, other}; }
  const StepFunction& rate() const;  ///< of the currency
  const AssetConfig& asset(Index i) const;
  double spot(Index asset) const;      ///< today
  double discount(double date) const;  ///< of payments in the currency
  double forward(Index asset, double date) const;
  /// Variance of ln S at `date` from the diffusion, for black_scholes and merton.
  double variance(Index asset, double date) const;
  /// The constant dividend yield that, with the mean rate of the currency until `date`, gives the
  /// asset's mean drift.
  double mean_yield(Index asset, double date) const;
  /// Whether rate, drift and variance are constant.
  bool is_flat(Index asset) const;
  bool is_black_scholes(Index asset) const;
  bool is_lognormal(Index asset) const;  ///< black_scholes, or merton between its jumps
};

/// Covariance of ln S_i and ln S_j at `date`, both black_scholes: the correlation times the
/// integral of the product of both volatilities.
double log_covariance(const MarketConfig& market, Index first, Index second, double date);

}  // namespace gsim::pricing
