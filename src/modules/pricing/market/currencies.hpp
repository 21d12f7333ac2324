#pragma once
// Currencies of a market besides its base currency, and the exchange rates between them.
//
// An exchange rate FORDOM is the price, in units of the domestic currency DOM, of one unit of the
// foreign currency FOR: an asset of the currency DOM whose dividend yield is the interest rate of
// FOR (Garman and Kohlhagen 1983, "Foreign currency option values", Journal of International Money
// and Finance 2, 231). Exchange rates connect the currencies without a cycle, so that exactly one
// product of them, and of their inverses, is the price of one currency in another.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/market/term_structure.hpp"

namespace gsim::pricing {

struct MarketConfig;

/// Index of a currency: 0 is the base currency, i > 0 is MarketConfig::currencies[i - 1].
inline constexpr Index base_currency = 0;

/// A currency besides the base currency.
struct MarketCurrency {
  std::string name;
  StepFunction rate;               ///< instantaneous risk-free rate
  std::vector<double> rate_times;  ///< as MarketConfig::rate_times
  bool has_zero_rates = false;
};

/// The two currencies of an exchange rate.
struct ExchangeRate {
  Index foreign = 0, domestic = 0;
};

/// A factor of the price of one currency in another: the spot of the asset `pair` to the power
/// `sign`, 1 or -1.
struct CurrencyLeg {
  Index pair = 0;
  double sign = 1;
};

/// Index of the currency of that name, or -1.
Index find_currency(const MarketConfig& market, const std::string& name);
/// As find_currency(); ConfigError at `key` if there is none.
Index require_currency(const Section& section, std::string_view key, const MarketConfig& market,
                       const std::string& name);
/// "EUR"; "currency" for a base currency without a name.
std::string currency_name(const MarketConfig& market, Index currency);

/// The two currencies of which `name` is composed, as EURUSD; ConfigError unless there is exactly
/// one such pair of different currencies, and if exchange rates connect them already.
ExchangeRate exchange_rate_of(const Section& section, const MarketConfig& market,
                              const std::string& name);
/// The factors of the price of one unit of `from` in `to`; empty if both are the same, or if no
/// exchange rates connect them (`connected` is set to false).
std::vector<CurrencyLeg> currency_legs(const MarketConfig& market, Index from, Index to,
                                       bool* connected);

}  // namespace gsim::pricing
