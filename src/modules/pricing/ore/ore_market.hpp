#pragma once
// Market data of Open Source Risk Engine as keys of [market]: todaysmarket.xml says which curves,
// equities, exchange rates and issuers there are, curveconfig.xml how they follow from the quotes
// in market.txt, with the conventions of conventions.xml. Each becomes a table of [market.curves],
// [market.currencies], [market.assets], [market.fx] or [market.credit], with the places from which
// its values come, and is read and checked as those of the configuration. Curves are bootstrapped
// by gsim. Of other currencies than that of [ore] those are read that an equity or an exchange rate
// needs. What is not understood is an error; what today's market has besides (curves that nothing
// needs, volatilities of rates) is listed in a warning.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "src/modules/pricing/market/market_dates.hpp"
#include "src/modules/pricing/ore/ore_options.hpp"
#include "src/modules/pricing/ore/ore_quotes.hpp"
#include "src/modules/pricing/ore/xml_document.hpp"

namespace gsim::pricing {

/// The files while they are translated.
struct OreMarketFiles {
  OreMarketFiles(const OreOptions& options, const MarketDates& market_dates);

  std::string currency;
  const MarketDates& dates;
  XmlDocument todays_market, curves, conventions;
  OreQuotes quotes;

  /// The element of that kind ("YieldCurves", "YieldCurve") in curveconfig.xml with that CurveId.
  /// ConfigError at `user` if there is none.
  XmlElement config(const char* list, const char* kind, const std::string& id,
                    const XmlElement& user) const;
  /// The convention of that kind ("Swap") that the child <Conventions> of `user` names.
  XmlElement convention(const char* kind, const XmlElement& user) const;
  /// The day that a text names: a date, or a length of time from today on `calendar`.
  Date pillar(const OreQuote& quote, const std::string& text, const Calendar& calendar,
              BusinessDayConvention convention) const;
  /// ConfigError unless the child, A365 where it is absent, is the day count of the market, which
  /// converts its dates to times.
  void require_day_count(const XmlElement& parent, const char* child) const;
};

/// ConfigError unless the child <Currency> is `currency`.
void require_currency(const XmlElement& parent, const std::string& currency);

/// Values by date, as the keys `times` and `values`; after the last date its value stays.
struct OrePillars {
  std::string times, values;
  TextPlace at;
};
/// The pillars of quotes of which the word at `word` is a date, or a length of time on `calendar`.
/// ConfigError at a quote of today or before, and at two of one date.
OrePillars ore_pillars(const OreMarketFiles& files, const std::vector<OreQuote>& quotes,
                       std::size_t word, const Calendar& calendar);

/// An equity or exchange rate that is not supported, and why.
struct OreProblem {
  std::string name, message;
};

/// The tables.
class OreMarket {
 public:
  /// Of the curves of indices those are read whose index or CurveId is in `needed`. Equities and
  /// exchange rates with an error are left out, and are in problems(); issuers with an error are
  /// left out with a warning.
  OreMarket(const OreOptions& options, const MarketDates& dates,
            const std::set<std::string>& needed);
  ~OreMarket();
  OreMarket(const OreMarket&) = delete;
  OreMarket& operator=(const OreMarket&) = delete;

  CellTable& curves() { return *curves_; }
  CellTable& currencies() { return *currencies_; }
  CellTable& credit() { return *credit_; }
  CellTable& assets() { return *assets_; }
  CellTable& exchange_rates() { return *exchange_rates_; }
  /// Whether the tables name other currencies than that of [ore].
  bool has_other_currencies() const { return discount_curves_.size() > 1; }
  /// The name of the curve that discounts in the currency.
  const std::string& discount_curve() const { return discount_curve_; }
  /// The curve of the forward rates of an index; empty if the files have none that was read.
  std::string forecast_curve(const std::string& index) const;
  /// What was ignored, for warnings.
  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::vector<OreProblem>& problems() const { return problems_; }

 private:
  class Lists;
  void add_curve(const std::string& id, const std::string& currency, const XmlElement& user);
  const std::string& discount_curve_of(const std::string& currency, const XmlElement& user);
  void read_todays_market(const std::set<std::string>& needed);
  void read_discount_curve(Lists& lists);
  void read_forecast_curves(Lists& lists, const std::set<std::string>& needed);
  void read_equities(Lists& lists);
  void read_exchange_rates(Lists& lists);
  bool read_exchange_rate(const XmlElement& entry, std::set<std::string>& connected);
  void read_credit(Lists& lists);
  void warn_of_rest(const XmlElement& root);

  OreMarketFiles files_;
  std::unique_ptr<CellTable> curves_, currencies_, credit_, assets_, exchange_rates_;
  std::map<std::string, XmlElement> discounting_;       ///< entries of <DiscountingCurves>
  std::string discount_curve_;                          ///< of the currency of [ore]
  std::map<std::string, std::string> discount_curves_;  ///< that were read, by currency
  std::map<std::string, std::string> forecast_curves_;  ///< by index
  std::vector<std::string> warnings_;
  std::vector<OreProblem> problems_;
  int others_ = 0;  ///< entries of other currencies, or of indices that are not needed
};

/// Adds the table [market.curves.ID] of a <YieldCurve> of that currency; other curves that it needs
/// are in `needed` afterwards.
void add_yield_curve(const OreMarketFiles& files, const XmlElement& config,
                     const std::string& currency, CellTable curves,
                     std::vector<std::string>& needed);
/// The name of the curve of dividends of an equity.
std::string dividend_curve(const std::string& equity);
/// The currency of an equity, and the curve that discounts in it.
struct OreEquityCurrency {
  std::string name, discount_curve;
};
/// Adds the tables of an equity: [market.assets.NAME] and, where it has dividends, the curve
/// "NAME dividends".
void add_equity(const OreMarketFiles& files, const std::string& name, const XmlElement& curve,
                const XmlElement& volatility, const OreEquityCurrency& currency, CellTable curves,
                CellTable assets);
/// Adds the table [market.fx.FORDOM], the price of one unit of `foreign` in units of `domestic`,
/// from its <FXVolatility> (at the money, by expiry) and the quote FX/RATE of either direction.
void add_exchange_rate(const OreMarketFiles& files, const std::string& foreign,
                       const std::string& domestic, const XmlElement& config,
                       CellTable exchange_rates);
/// Adds the table [market.credit.NAME] of a <DefaultCurve>; returns the CurveId of the curve that
/// discounts its credit default swaps, empty if it has none.
std::string add_credit(const OreMarketFiles& files, const std::string& name,
                       const XmlElement& config, CellTable credit);

}  // namespace gsim::pricing
