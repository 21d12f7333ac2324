// Exchange rates of Open Source Risk Engine as tables [market.fx.FORDOM].

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/ore/ore_market.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {
namespace {

/// The quote FX/RATE of the pair, or one over that of the opposite direction.
OreQuote spot_quote(const OreMarketFiles& files, const std::string& foreign,
                    const std::string& domestic, const XmlElement& user) {
  const std::string opposite = fmt::format("FX/RATE/{}/{}", domestic, foreign);
  const std::string direct = fmt::format("FX/RATE/{}/{}", foreign, domestic);
  if (files.quotes.has(direct) || !files.quotes.has(opposite))
    return files.quotes.get(user, direct);
  OreQuote quote = files.quotes.get(user, opposite);
  if (!(quote.value > 0)) quote.fail("the exchange rate must be positive");
  quote.value = 1 / quote.value;
  return quote;
}

/// ConfigError unless the rates of the pair are for delivery on the same day, as those of gsim. The
/// convention is that which ORE takes: the first one in the order of their names.
void require_no_spot_days(const OreMarketFiles& files, const std::string& foreign,
                          const std::string& domestic, const XmlElement& user) {
  constexpr const char* suggestion =
      "give the rate of today, and an <FX> convention of the pair with <SpotDays> 0";
  std::vector<XmlElement> found;
  for (const XmlElement& convention : files.conventions.root().all("FX")) {
    const std::string source = convention.text("SourceCurrency"),
                      target = convention.text("TargetCurrency");
    if ((source == foreign && target == domestic) || (source == domestic && target == foreign))
      found.push_back(convention);
  }
  if (found.empty())
    user.fail(fmt::format("conventions.xml has no <FX> convention of {} and {}, so that ORE takes "
                          "exchange rates for delivery after two days, which is not supported",
                          excerpt(foreign), excerpt(domestic)),
              suggestion);
  const XmlElement& first = *std::min_element(
      found.begin(), found.end(),
      [](const XmlElement& a, const XmlElement& b) { return a.text("Id") < b.text("Id"); });
  if (ore_count(first.get("SpotDays")) != 0)
    first.get("SpotDays")
        .fail("exchange rates for delivery on a later day are not supported", suggestion);
}

}  // namespace

void add_exchange_rate(const OreMarketFiles& files, const std::string& foreign,
                       const std::string& domestic, const XmlElement& config,
                       CellTable exchange_rates) {
  for (const char* text : {"CurveDescription", "Conventions", "Report", "ButterflyErrorTolerance"})
    config.ignore(text);
  for (const char* curve : {"FXForeignCurveID", "FXDomesticCurveID"})  // not used at the money
    config.ignore(curve);
  ore_word(config, "Dimension", {"ATM"});
  ore_word(config, "TimeInterpolation", {"V"}, true);
  if (config.has("DayCounter")) files.require_day_count(config, "DayCounter");
  const XmlElement spot_id = config.get("FXSpotID");
  if (spot_id.text() != fmt::format("FX/{}/{}", foreign, domestic))
    spot_id.fail(fmt::format("the spot is \"{}\", and the pair {}{}", excerpt(spot_id.text()),
                             foreign, domestic));
  require_no_spot_days(files, foreign, domestic, config);
  const Calendar calendar =
      config.has("Calendar") ? ore_calendar(config.get("Calendar")) : Calendar("TARGET");
  const XmlElement expiries = config.get("Expiries");
  std::vector<OreQuote> quotes;
  for (const std::string& expiry : ore_parts(expiries.text(), ','))
    quotes.push_back(files.quotes.get(
        expiries, fmt::format("FX_OPTION/RATE_LNVOL/{}/{}/{}/ATM", foreign, domestic, expiry)));
  if (quotes.empty()) expiries.fail("there is no expiry");
  constexpr std::size_t expiry_word = 4;
  const OrePillars pillars = ore_pillars(files, quotes, expiry_word, calendar);
  CellTable rate = exchange_rates.table(foreign + domestic, config.get("CurveId").place());
  const OreQuote spot = spot_quote(files, foreign, domestic, config);
  rate.set("spot", fmt::format("{}", spot.value), spot.at);
  CellTable volatility = rate.table("volatility", pillars.at);
  volatility.set("times", pillars.times, pillars.at);
  volatility.set("values", pillars.values, pillars.at);
  config.refuse_unread();
}

}  // namespace gsim::pricing
