#pragma once
// Calibration of the models of short rates to European swaptions.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/market/market_config.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// [[market.rates.NAME.swaptions]]: a payer swaption into a swap of `length` years from its expiry,
/// and one of three quotes; the others, and a strike at the forward swap rate, are NaN.
struct SwaptionQuote {
  enum class Kind { normal, black, price };
  double expiry = 0, length = 0;
  SwapKeys swap;
  std::vector<double> periods;  ///< TradeConfig::numbers of the swap
  double strike = 0;
  double normal_volatility = 0, black_volatility = 0;  ///< Bachelier 1900, Black 1976
  double price = 0;                                    ///< per unit of notional
  Kind kind = Kind::normal;
  double quote = 0;  ///< the one that is given
};

void describe_swaption_quotes(Section& rate, std::vector<SwaptionQuote>& quotes);

/// Sets the parameters of the short rate that are NaN, so that the sum of squared differences of
/// prices, each divided by the normal vega of the quote, is minimal. A poor fit gives a warning in
/// `market`; ConfigError if there are fewer quotes than parameters.
void calibrate_short_rate(const Section& rate, const std::vector<SwaptionQuote>& quotes,
                          MarketConfig& market, AssetConfig& asset);

}  // namespace gsim::pricing
