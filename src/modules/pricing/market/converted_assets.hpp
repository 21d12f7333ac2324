#pragma once
// Assets that are paid in another currency than their own.
//
// For an asset S of currency C that is paid in currency P, let X be the price of one unit of C in
// P, and rho the correlation of the Brownian motions of S and X. Under the measure of P
//   quanto      S has the drift r_C - q - rho sigma_S sigma_X: the payoff in S, as a number, is
//               paid in P (Reiner 1992, "Quanto mechanics", Risk 5(3), 59; Haug 2007, "The
//               Complete Guide to Option Pricing Formulas", section 5.3)
//   composite   Y = S X has the drift r_P - q and the variance sigma_S^2 + 2 rho sigma_S sigma_X +
//               sigma_X^2 (Haug 2007, section 5.4)
// exactly for deterministic rates and volatilities, which may depend on time. X may be a product of
// exchange rates and their inverses.

#include "gsim/config/section.hpp"
#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// Index of the converted asset, which is added to the market if it is new. ConfigError at `key`
/// unless source and exchange rates have the model black_scholes, known correlations, and connect
/// both currencies.
Index find_converted(const Section& section, std::string_view key, MarketConfig& market,
                     Index source, Index currency, Conversion conversion);

/// What to add to market.fixings_file for a missing fixing of the asset, a sentence without its
/// end. The past spots of a composite are products of those of its asset and of exchange rates.
std::string advice_on_fixing(const MarketConfig& market, const AssetConfig& asset);

/// Sets what follows from other parts of the market: the values of currencies in the base currency,
/// dividend yields of exchange rates, drops at discrete dividends, and the converted assets. To be
/// called after every change of the market.
void update_derived_values(MarketConfig& market);

/// The assets and exchange rates of the input on whose spots the value of a trade on `assets`, paid
/// in `currency`, depends, ascending.
std::vector<Index> spots_behind(const MarketConfig& market, const std::vector<Index>& assets,
                                Index currency);
/// The same for volatilities.
std::vector<Index> volatilities_behind(const MarketConfig& market,
                                       const std::vector<Index>& assets);
/// The currencies on whose rates the value depends, ascending.
std::vector<Index> rates_behind(const MarketConfig& market, const std::vector<Index>& assets,
                                Index currency);

}  // namespace gsim::pricing
