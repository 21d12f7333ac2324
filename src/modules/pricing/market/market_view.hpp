#pragma once
// Forwards, discount factors and covariances of a market, for the set-up of trades.

#include <vector>

#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// The market and the dates at which paths are recorded.
struct MarketView {
  const MarketConfig* market;
  const std::vector<double>* records;  ///< years from today, increasing

  const AssetConfig& asset(Index i) const;
  double spot(Index asset) const;  ///< today
  double discount(double date) const;
  double forward(Index asset, double date) const;
  /// Variance of ln S at `date` from the diffusion, for black_scholes and merton.
  double variance(Index asset, double date) const;
  bool is_black_scholes(Index asset) const;
  bool is_lognormal(Index asset) const;  ///< black_scholes, or merton between its jumps
};

/// Covariance of ln S_i and ln S_j at `date`, both black_scholes: the correlation times the
/// integral of the product of both volatilities.
double log_covariance(const MarketConfig& market, Index first, Index second, double date);

}  // namespace gsim::pricing
