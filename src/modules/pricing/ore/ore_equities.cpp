// Equities of Open Source Risk Engine as tables [market.assets.NAME].

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/ore/ore_market.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {
namespace {

/// ConfigError where a quote is given by a length of time, whose calendar ORE takes from elsewhere.
void require_dates(const std::vector<OreQuote>& quotes, std::size_t word) {
  for (const OreQuote& quote : quotes)
    if (quote.words[word].find('-') == std::string::npos && quote.words[word].size() != 8)
      quote.fail(fmt::format("the quote is for \"{}\", and dates only are supported",
                             excerpt(quote.words[word])));
}

void add_dividends(const OreMarketFiles& files, const std::string& name, const XmlElement& curve,
                   CellTable& curves, CellTable& asset) {
  if (ore_word(curve, "Type", {"DividendYield", "NoDividends"}) == 1) return;
  const std::vector<OreQuote> quotes = files.quotes.list(curve, "EQUITY_DIVIDEND/RATE/", 5, 5);
  require_dates(quotes, 4);
  for (const OreQuote& quote : quotes)  // the limits of [market.curves], for an error of the equity
    if (!(quote.value >= -1 && quote.value <= 10))
      quote.fail(fmt::format("the dividend yield {} is not from -1 to 10", quote.value));
  const OrePillars pillars = ore_pillars(files, quotes, 4, Calendar("weekends"));
  if (curve.has("DividendInterpolation")) {
    const XmlElement interpolation = curve.get("DividendInterpolation");
    ore_word(interpolation, "InterpolationVariable", {"Zero"});
    ore_word(interpolation, "InterpolationMethod", {"Linear"});
  }
  const std::string curve_name = dividend_curve(name);
  CellTable dividends = curves.table(curve_name, pillars.at);
  dividends.set("interpolation", "linear_zero", pillars.at);
  dividends.set("times", pillars.times, pillars.at);
  dividends.set("values", pillars.values, pillars.at);
  asset.set("dividend", curve_name, pillars.at);
}

/// A curve of volatilities by expiry, whose total variance is linear between the expiries, with the
/// last volatility afterwards.
void add_volatilities(const OreMarketFiles& files, const XmlElement& config,
                      const std::string& currency, CellTable& asset) {
  config.ignore("CurveDescription");
  config.ignore("Report");
  config.ignore("Calendar");
  require_currency(config, currency);
  files.require_day_count(config, "DayCounter");
  require_absent(config, "Dimension",
                 "volatilities by <Dimension> are not supported; use "
                 "<VolatilityConfig>");
  const XmlElement list = config.get("VolatilityConfig");
  const std::vector<XmlElement> kinds = list.children();
  if (kinds.size() != 1) list.fail("exactly one kind of volatilities is supported");
  const XmlElement& kind = kinds.front();
  kind.attribute("priority");
  if (kind.name() != "Constant" && kind.name() != "Curve")
    kind.fail(fmt::format("volatilities by <{}> are not supported", excerpt(kind.name())),
              "supported are <Constant> and <Curve>; give this asset in [market.assets]");
  ore_word(kind, "QuoteType", {"ImpliedVolatility"}, true);
  ore_word(kind, "VolatilityType", {"Lognormal"}, true);
  if (kind.name() == "Constant") {
    const OreQuote quote = files.quotes.get(kind.get("Quote"), "EQUITY_OPTION/RATE_LNVOL/", 6, 7);
    asset.set("volatility", fmt::format("{}", quote.value), quote.at);
    return;
  }
  ore_word(kind, "Interpolation", {"Linear"}, true);
  ore_word(kind, "Extrapolation", {"Flat"}, true);
  std::vector<OreQuote> quotes = files.quotes.list(kind, "EQUITY_OPTION/RATE_LNVOL/", 6, 7);
  for (const OreQuote& quote : quotes)
    if (quote.words[5] != "ATMF" && quote.words[5] != "ATM")
      quote.fail("a volatility that is not at the money is not supported in <Curve>");
  require_dates(quotes, 4);
  const OrePillars pillars = ore_pillars(files, quotes, 4, Calendar("weekends"));
  CellTable volatility = asset.table("volatility", pillars.at);
  volatility.set("times", pillars.times, pillars.at);
  volatility.set("values", pillars.values, pillars.at);
}

}  // namespace

std::string dividend_curve(const std::string& equity) { return equity + " dividends"; }

void add_equity(const OreMarketFiles& files, const std::string& name, const XmlElement& curve,
                const XmlElement& volatility, const OreEquityCurrency& currency, CellTable curves,
                CellTable assets) {
  for (const char* text : {"CurveDescription", "Calendar", "Extrapolation"}) curve.ignore(text);
  require_currency(curve, currency.name);
  files.require_day_count(curve, "DayCounter");
  const XmlElement forecast = curve.get("ForecastingCurve");
  if (forecast.text() != currency.discount_curve)
    forecast.fail(
        fmt::format("the equity grows by the curve `{}`, and `{}` discounts; different "
                    "curves are not supported",
                    excerpt(forecast.text()), excerpt(currency.discount_curve)));
  const OreQuote spot = files.quotes.get(curve.get("SpotQuote"), "EQUITY/PRICE/", 4, 4);
  CellTable asset = assets.table(name, curve.get("CurveId").place());
  asset.set("spot", fmt::format("{}", spot.value), spot.at);
  if (currency.name != files.currency) asset.set("currency", currency.name, spot.at);
  add_dividends(files, name, curve, curves, asset);
  add_volatilities(files, volatility, currency.name, asset);
  curve.refuse_unread();
  volatility.refuse_unread();
}

}  // namespace gsim::pricing
