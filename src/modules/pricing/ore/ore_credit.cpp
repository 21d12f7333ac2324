// Default curves of Open Source Risk Engine as tables [market.credit.NAME].

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/ore/ore_market.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {
namespace {

void set_recovery(const OreMarketFiles& files, const XmlElement& config, CellTable& table) {
  const XmlElement recovery = config.get("RecoveryRate");
  if (recovery.text().find('/') == std::string::npos)
    return table.set("recovery", fmt::format("{}", recovery.number()), recovery.place());
  const OreQuote quote = files.quotes.get(recovery, "RECOVERY_RATE/RATE/", 4, 6);
  table.set("recovery", fmt::format("{}", quote.value), quote.at);
}

std::string joined(const std::vector<std::string>& list) {
  std::string cell;
  for (const std::string& value : list) cell += (cell.empty() ? "" : ";") + value;
  return cell;
}

/// The standard contract, which gsim's bootstrapping prices.
void require_standard(const XmlElement& convention) {
  require_number(convention, "SettlementDays", 1, "only 1 settlement day is supported");
  ore_word(convention, "Frequency", {"Quarterly"});
  ore_word(convention, "PaymentConvention", {"Following", "F"});
  ore_word(convention, "Rule", {"CDS2015"});
  ore_word(convention, "DayCounter", {"A360", "ACT/360", "Act/360", "Actual/360"});
  for (const char* flag : {"SettlesAccrual", "PaysAtDefaultTime"})
    if (!ore_bool(convention.get(flag)))
      convention.get(flag).fail(fmt::format("<{}> must be true", flag));
  ore_word(convention, "LastPeriodDayCounter", {"A360 (Incl Last)"}, true);
}

/// Years of the curve's day count per year of the market's, by which hazard rates are multiplied.
double years_scale(const OreMarketFiles& files, const XmlElement& config) {
  const XmlElement element = config.get("DayCounter");
  const DayCount day_count = ore_day_count(element);
  if (day_count == files.dates.day_count) return 1;
  const bool is_scaled =
      day_count == DayCount::act_360 && files.dates.day_count == DayCount::act_365;
  if (!is_scaled) files.require_day_count(config, "DayCounter");
  return 365.0 / 360;
}

void add_hazard_rates(const OreMarketFiles& files, const XmlElement& config, CellTable& table) {
  const XmlElement convention = files.convention("CDS", config);
  require_standard(convention);
  const Calendar calendar = ore_calendar(convention.get("Calendar"));
  convention.refuse_unread();
  config.ignore("DiscountCurve");  // of credit default swaps
  const double scale = years_scale(files, config);
  std::vector<std::string> times, rates;
  std::vector<OreQuote> quotes = files.quotes.list(config, "HAZARD_RATE/RATE/", 6, 7);
  for (const OreQuote& quote : quotes) {
    times.push_back(to_string(
        files.pillar(quote, quote.words.back(), calendar, BusinessDayConvention::following)));
    rates.push_back(fmt::format("{}", quote.value * scale));
  }
  table.set("times", joined(times), quotes.front().at);
  table.set("hazard_rates", joined(rates), quotes.front().at);
}

/// Returns the CurveId of the discount curve.
std::string add_spreads(const OreMarketFiles& files, const XmlElement& config, CellTable& table) {
  const XmlElement convention = files.convention("CDS", config);
  require_standard(convention);
  table.set("calendar", ore_calendar_name(convention.get("Calendar")),
            convention.get("Calendar").place());
  convention.refuse_unread();
  years_scale(files, config);  // constant hazard rates between pillars do not depend on it
  const XmlElement discount = config.get("DiscountCurve");
  const std::string text = discount.text();
  std::string curve = text.substr(text.rfind('/') + 1);
  table.set("discount", curve, discount.place());
  std::vector<std::string> maturities, spreads;
  std::vector<OreQuote> quotes = files.quotes.list(config, "CDS/CREDIT_SPREAD/", 6, 7);
  for (const OreQuote& quote : quotes) {
    const Tenor tenor =
        locate_errors(quote.element.location(), [&] { return ore_tenor(quote.words.back()); });
    maturities.push_back(tenor_text(tenor));
    spreads.push_back(fmt::format("{}", quote.value));
  }
  table.set("maturities", joined(maturities), quotes.front().at);
  table.set("spreads", joined(spreads), quotes.front().at);
  return curve;
}

}  // namespace

std::string add_credit(const OreMarketFiles& files, const std::string& name,
                       const XmlElement& curve, CellTable credit) {
  curve.ignore("CurveDescription");
  require_currency(curve, files.currency);
  XmlElement config = curve;
  if (curve.has("Configurations")) {
    const XmlElement list = curve.get("Configurations");
    const std::vector<XmlElement> configs = list.all("Configuration");
    if (configs.size() != 1) list.fail("exactly one <Configuration> is supported");
    config = configs.front();
    config.attribute("priority");
  }
  ore_bool(config, "Extrapolation", true);
  ore_bool(config, "AllowNegativeRates", false);
  config.ignore("BootstrapConfig");
  CellTable table = credit.table(name, curve.get("CurveId").place());
  set_recovery(files, config, table);
  std::string discount;
  if (ore_word(config, "Type", {"HazardRate", "SpreadCDS"}) == 0)
    add_hazard_rates(files, config, table);
  else
    discount = add_spreads(files, config, table);
  curve.refuse_unread();
  return discount;
}

}  // namespace gsim::pricing
