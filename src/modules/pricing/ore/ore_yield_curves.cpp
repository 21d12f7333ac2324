// Yield curves of Open Source Risk Engine as tables [market.curves.ID].

#include <array>
#include <map>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/ore/ore_indices.hpp"
#include "src/modules/pricing/ore/ore_market.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {
namespace {

std::string number(double value) { return fmt::format("{}", value); }

/// One curve while it is translated.
struct CurveTranslation {
  const OreMarketFiles& files;
  XmlElement config;
  std::string id;
  CellTable& table;
  std::map<std::string, std::string> values = {};  ///< of the conventions that are set

  /// Sets a convention of all quotes of the curve. ConfigError at `at` if an earlier segment set
  /// another value, since gsim has one for a curve.
  void set_convention(const std::string& key, const std::string& value, const XmlElement& at);
};

void CurveTranslation::set_convention(const std::string& key, const std::string& value,
                                      const XmlElement& at) {
  const auto [known, is_new] = values.emplace(key, value);
  if (is_new)
    table.set(key, value, at.place());
  else if (known->second != value)
    at.fail(
        fmt::format("the curve `{}` would have quotes with different conventions ({}: {} and "
                    "{}), which is not supported",
                    excerpt(id), key, known->second, value));
}

OreIndex index_of(const XmlElement& element) {
  const std::string name = element.text();
  const std::optional<OreIndex> index = find_ore_index(name);
  if (!index)
    element.fail(fmt::format("the index \"{}\" is not supported", excerpt(name)),
                 fmt::format("supported are {}", ore_index_names()));
  return *index;
}

std::string day_count_name(DayCount day_count) {
  return std::string(day_counts[static_cast<std::size_t>(day_count)]);
}

std::string convention_name(BusinessDayConvention convention) {
  return std::string(business_day_conventions[static_cast<std::size_t>(convention)]);
}

/// The conventions of the index of a quote.
void set_index(CurveTranslation& c, const OreIndex& index, const XmlElement& at) {
  c.set_convention("calendar", std::string(index.calendar), at);
  c.set_convention("day_count", day_count_name(index.day_count), at);
}

void add_quote(CurveTranslation& c, const OreQuote& quote, const char* type,
               const std::string& maturity, const std::string& start, int settlement_days) {
  CellTable row = c.table.append("quotes", quote.at);
  row.set("type", type, quote.at);
  if (!start.empty()) row.set("start", start, quote.at);
  row.set("maturity", maturity, quote.at);
  row.set("rate", number(quote.value), quote.at);
  row.set("settlement_days", std::to_string(settlement_days), quote.at);
}

Tenor tenor_of(const OreQuote& quote, const std::string& text) {
  return locate_errors(quote.element.location(), [&] { return ore_tenor(text); });
}

/// Business days, as "2D".
int days_of(const OreQuote& quote, const std::string& text) {
  const Tenor tenor = tenor_of(quote, text);
  if (tenor.unit != TimeUnit::days) quote.fail("the start of the quote must be a number of days");
  return tenor.length;
}

Date spot_date(const CurveTranslation& c, const Calendar& calendar, int days) {
  return calendar.advance(calendar.adjust(*c.files.dates.today, BusinessDayConvention::following),
                          {days, TimeUnit::days}, BusinessDayConvention::following);
}

/// Deposits and FRAs have the days of QuantLib's indices: "following" up to a month, and "modified
/// following" with the end of the month from a month on.
Date index_end(const Calendar& calendar, Date start, Tenor tenor) {
  const bool is_short = tenor.unit == TimeUnit::days || tenor.unit == TimeUnit::weeks;
  return calendar.advance(
      start, tenor,
      is_short ? BusinessDayConvention::following : BusinessDayConvention::modified_following,
      !is_short);
}

/// MM/RATE/EUR/2D/6M or, with an index, MM/RATE/EUR/ESTER/0D/1D.
void add_deposits(CurveTranslation& c, const XmlElement& segment) {
  const XmlElement convention = c.files.convention("Deposit", segment);
  if (!ore_bool(convention.get("IndexBased")))
    convention.get("IndexBased").fail("deposits without an index are not supported");
  const XmlElement name = convention.get("Index");
  const OreIndex index = index_of(name);
  set_index(c, index, name);
  convention.refuse_unread();
  const Calendar calendar{std::string(index.calendar)};
  for (const OreQuote& quote : c.files.quotes.list(segment, "MM/RATE/", 5, 6)) {
    const int days = days_of(quote, quote.words[quote.words.size() - 2]);
    const Tenor tenor = tenor_of(quote, quote.words.back());
    const Date end = index_end(calendar, spot_date(c, calendar, days), tenor);
    add_quote(c, quote, "deposit", to_string(end), "", days);
  }
}

/// FRA/RATE/EUR/6M/6M: start, and length of time of the rate.
void add_fras(CurveTranslation& c, const XmlElement& segment) {
  const XmlElement convention = c.files.convention("FRA", segment);
  const XmlElement name = convention.get("Index");
  const OreIndex index = index_of(name);
  set_index(c, index, name);
  convention.refuse_unread();
  const Calendar calendar{std::string(index.calendar)};
  for (const OreQuote& quote : c.files.quotes.list(segment, "FRA/RATE/", 5, 5)) {
    const Tenor wait = tenor_of(quote, quote.words[3]), tenor = tenor_of(quote, quote.words[4]);
    if (!index.tenor || tenor_text(tenor) != tenor_text(*index.tenor))
      quote.fail(fmt::format("the FRA is on a rate for {}, and its convention on {}",
                             tenor_text(tenor), index.name));
    const Date start = index_end(calendar, spot_date(c, calendar, index.fixing_days), wait);
    add_quote(c, quote, "fra", to_string(index_end(calendar, start, tenor)), to_string(start),
              index.fixing_days);
  }
}

std::string frequency_tenor(const XmlElement& convention, const char* child) {
  static constexpr std::array<const char*, 4> tenors = {"1Y", "6M", "3M", "1M"};
  const int word = ore_word(convention, child, {"Annual", "Semiannual", "Quarterly", "Monthly"});
  return tenors[static_cast<std::size_t>(word)];
}

/// IR_SWAP/RATE/EUR/2D/6M/2Y: start, length of the floating periods, length of the swap.
void add_swaps(CurveTranslation& c, const XmlElement& segment) {
  const XmlElement convention = c.files.convention("Swap", segment);
  const XmlElement name = convention.get("Index");
  const OreIndex index = index_of(name);
  if (!index.tenor) name.fail("the index of a swap needs a length of time");
  set_index(c, index, name);
  c.set_convention("calendar", ore_calendar_name(convention.get("FixedCalendar")),
                   convention.get("FixedCalendar"));
  c.set_convention("convention", "modified_following", name);  // of the floating payments
  c.set_convention("convention", convention_name(ore_convention(convention.get("FixedConvention"))),
                   convention.get("FixedConvention"));
  c.set_convention("fixed_tenor", frequency_tenor(convention, "FixedFrequency"),
                   convention.get("FixedFrequency"));
  c.set_convention("fixed_day_count",
                   day_count_name(ore_day_count(convention.get("FixedDayCounter"))),
                   convention.get("FixedDayCounter"));
  c.set_convention("float_tenor", tenor_text(*index.tenor), name);
  convention.refuse_unread();
  for (const OreQuote& quote : c.files.quotes.list(segment, "IR_SWAP/RATE/", 6, 7)) {
    const std::size_t n = quote.words.size();
    if (days_of(quote, quote.words[n - 3]) != index.fixing_days)
      quote.fail(fmt::format("the swap begins after {} days, and {} after {}", quote.words[n - 3],
                             index.name, index.fixing_days));
    if (tenor_text(tenor_of(quote, quote.words[n - 2])) != tenor_text(*index.tenor))
      quote.fail(fmt::format("the swap is on a rate for {}, and its convention on {}",
                             quote.words[n - 2], index.name));
    add_quote(c, quote, "swap", tenor_text(tenor_of(quote, quote.words.back())), "",
              index.fixing_days);
  }
}

/// IR_SWAP/RATE/EUR/2D/1D/1Y or, with an index, IR_SWAP/RATE/EUR/ESTER/2D/1D/1Y.
void add_overnight_swaps(CurveTranslation& c, const XmlElement& segment) {
  const XmlElement convention = c.files.convention("OIS", segment);
  const XmlElement name = convention.get("Index");
  const OreIndex index = index_of(name);
  if (!index.is_overnight) name.fail("the index of an overnight swap must be an overnight rate");
  set_index(c, index, name);
  c.set_convention("day_count", day_count_name(ore_day_count(convention.get("FixedDayCounter"))),
                   convention.get("FixedDayCounter"));
  const BusinessDayConvention days = ore_convention(convention.get("FixedConvention"));
  c.set_convention("convention", convention_name(days), convention.get("FixedConvention"));
  if (convention.has("FixedPaymentConvention")) {
    const XmlElement payments = convention.get("FixedPaymentConvention");
    if (ore_convention(payments) != days)
      payments.fail("a <FixedPaymentConvention> other than <FixedConvention> is not supported");
  } else if (days == BusinessDayConvention::unadjusted) {
    convention.fail("payments on days other than the ends of the periods are not supported",
                    "ORE pays on the following business day by default; give "
                    "<FixedPaymentConvention>, equal to <FixedConvention>");
  }
  if (convention.has("FixedCalendar"))
    c.set_convention("calendar", ore_calendar_name(convention.get("FixedCalendar")),
                     convention.get("FixedCalendar"));
  if (ore_bool(convention, "EOM", false))
    convention.get("EOM").fail("overnight swaps by the end of the month are not supported");
  ore_word(convention, "FixedFrequency", {"Annual"}, true);
  require_number(convention, "RateCutoff", 0, "a rate cutoff is not supported");
  ore_word(convention, "Rule", {"Backward"}, true);
  const int lag = convention.has("PaymentLag") ? ore_count(convention.get("PaymentLag")) : 0;
  c.set_convention("payment_lag", std::to_string(lag), convention);
  const int spot = ore_count(convention.get("SpotLag"));
  convention.refuse_unread();
  for (const OreQuote& quote : c.files.quotes.list(segment, "IR_SWAP/RATE/", 6, 7))
    add_quote(c, quote, "ois", tenor_text(tenor_of(quote, quote.words.back())), "", spot);
}

/// A list of pillars, of zero rates or discount factors.
void add_pillars(CurveTranslation& c, const XmlElement& segment) {
  const bool is_zero = ore_word(segment, "Type", {"Zero", "Discount"}) == 0;
  const auto quotes = is_zero ? c.files.quotes.list(segment, "ZERO/RATE/", 6, 6)
                              : c.files.quotes.list(segment, "DISCOUNT/RATE/", 5, 5);
  Calendar calendar;
  BusinessDayConvention roll = BusinessDayConvention::unadjusted;
  if (is_zero || segment.has("Conventions")) {
    const XmlElement convention = c.files.convention("Zero", segment);
    c.files.require_day_count(convention, "DayCounter");
    ore_word(convention, "Compounding", {"Continuous"}, true);
    convention.ignore("CompoundingFrequency");  // of other compounding
    if (ore_bool(convention.get("TenorBased"))) {
      require_number(convention, "SpotLag", 0, "a spot lag of zero rates is not supported");
      convention.ignore("SpotCalendar");
      calendar = ore_calendar(convention.get("TenorCalendar"));
      roll = ore_convention(convention.get("RollConvention"));
      if (ore_bool(convention, "EOM", false))
        convention.get("EOM").fail("pillars by the end of the month are not supported");
    }
    convention.refuse_unread();
  }
  std::map<Date, double> pillars;
  for (const OreQuote& quote : quotes) {
    if (is_zero && ore_day_count(quote.element, quote.words[4]) != c.files.dates.day_count)
      quote.fail(fmt::format("the day count {} of the zero rate is not that of its convention",
                             excerpt(quote.words[4])));
    const Date date = c.files.pillar(quote, quote.words.back(), calendar, roll);
    if (!pillars.emplace(date, quote.value).second)
      quote.fail(fmt::format("two quotes of the curve are of {}", to_string(date)));
  }
  std::string times, values;
  for (const auto& [date, value] : pillars) {
    if (date == *c.files.dates.today && !is_zero && value == 1) continue;
    times += fmt::format("{}{}", times.empty() ? "" : ";", to_string(date));
    values += fmt::format("{}{}", values.empty() ? "" : ";", value);
  }
  const TextPlace at = segment.get("Quotes").place();
  c.table.set("kind", is_zero ? "zero" : "discount", at);
  c.table.set("times", times, at);
  c.table.set("values", values, at);
}

void add_segments(CurveTranslation& c) {
  const XmlElement list = c.config.get("Segments");
  const std::vector<XmlElement> segments = list.children();
  if (segments.empty()) list.fail("the curve has no segment");
  for (const XmlElement& segment : segments) {
    if (segment.name() != "Direct" && segment.name() != "Simple")
      segment.fail(fmt::format("curves by <{}> are not supported", excerpt(segment.name())),
                   "supported are <Direct> and <Simple>");
    if (segment.name() == "Direct") {
      if (segments.size() > 1) segment.fail("<Direct> must be the only segment of a curve");
      add_pillars(c, segment);
      continue;
    }
    if (segment.get("Quotes").all("Quote").empty()) {  // nothing that a curve could meet
      segment.ignore_unread();
      continue;
    }
    const std::string projection = segment.text("ProjectionCurve", c.id);
    if (projection != c.id)
      segment.get("ProjectionCurve").fail("a segment that another curve projects is not supported");
    ore_word(segment, "PillarChoice", {"LastRelevantDate"}, true);
    using Add = void (*)(CurveTranslation&, const XmlElement&);
    static constexpr std::array<Add, 4> types = {add_deposits, add_fras, add_swaps,
                                                 add_overnight_swaps};
    const int type = ore_word(segment, "Type", {"Deposit", "FRA", "Swap", "OIS"});
    types[static_cast<std::size_t>(type)](c, segment);
  }
}

}  // namespace

void add_yield_curve(const OreMarketFiles& files, const XmlElement& config,
                     const std::string& currency, CellTable curves,
                     std::vector<std::string>& needed) {
  require_currency(config, currency);
  const std::string id = config.text("CurveId");
  CellTable table = curves.table(id, config.get("CurveId").place());
  CurveTranslation c{files, config, id, table};
  const bool is_zero = ore_word(config, "InterpolationVariable", {"Discount", "Zero"}, true) == 1;
  ore_word(config, "InterpolationMethod", {is_zero ? "Linear" : "LogLinear"}, true);
  table.set("interpolation", is_zero ? "linear_zero" : "log_linear",
            config.has("InterpolationVariable") ? config.get("InterpolationVariable").place()
                                                : config.place());
  files.require_day_count(config, "YieldCurveDayCounter");
  ore_bool(config, "Extrapolation", true);
  ore_word(config, "ExtrapolationMethod", {"ContinuousForward"}, true);
  for (const char* numerics : {"CurveDescription", "Tolerance", "BootstrapConfig", "Report"})
    config.ignore(numerics);
  add_segments(c);
  const std::string discount = config.text("DiscountCurve", id);
  if (discount != id) {
    table.set("discount", discount, config.get("DiscountCurve").place());
    needed.push_back(discount);
  }
  config.refuse_unread();
}

}  // namespace gsim::pricing
