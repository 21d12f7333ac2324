#include "src/modules/pricing/ore/ore_legs.hpp"

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/ore/ore_indices.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {
namespace {

constexpr std::size_t max_periods = 2000;

/// The only child of a list such as <Notionals><Notional>; lists that change with time are not
/// supported.
double only_value(const XmlElement& parent, const char* list, const char* element) {
  const XmlElement values = parent.get(list);
  const std::vector<XmlElement> all = values.all(element);
  if (all.empty()) values.fail(fmt::format("<{}> has no <{}>", list, element));
  const double value = all.front().number();
  for (const XmlElement& other : all)
    if (other.number() != value)
      other.fail(fmt::format("a <{}> that changes with time is not supported", element));
  return value;
}

/// The days between the periods, as QuantLib's Schedule makes them.
class Schedule {
 public:
  Schedule(const XmlElement& rules, Date start, Date end)
      : calendar_(ore_calendar(rules.get("Calendar"))),
        convention_(ore_convention(rules.get("Convention"))),
        last_convention_(rules.has("TermConvention") ? ore_convention(rules.get("TermConvention"))
                                                     : convention_),
        tenor_(ore_tenor(rules.get("Tenor"))),
        start_(start),
        end_(end) {
    if (tenor_.length <= 0) rules.get("Tenor").fail("the length of the periods must be positive");
    if (end <= start) rules.get("EndDate").fail("the end is not after the start");
  }

  const Calendar& calendar() const { return calendar_; }

  std::vector<Date> dates(const XmlElement& rules, bool is_forward) const {
    std::vector<Date> list = {is_forward ? start_ : end_};
    for (int i = 1;; ++i) {
      const Tenor step{(is_forward ? i : -i) * tenor_.length, tenor_.unit};
      const Date next = Calendar().advance(list.front(), step, BusinessDayConvention::unadjusted);
      if (is_forward ? end_ < next : next < start_) break;
      if (list.size() > max_periods) rules.fail("the schedule has more than 2000 periods");
      list.push_back(next);
    }
    const Date stop = is_forward ? end_ : start_;
    const BusinessDayConvention at_stop = is_forward ? last_convention_ : convention_;
    if (!(calendar_.adjust(list.back(), at_stop) == calendar_.adjust(stop, at_stop)))
      list.push_back(stop);
    if (!is_forward) list = {list.rbegin(), list.rend()};
    for (std::size_t i = 0; i < list.size(); ++i)
      list[i] = calendar_.adjust(list[i], i + 1 == list.size() ? last_convention_ : convention_);
    return list;
  }

 private:
  Calendar calendar_;
  BusinessDayConvention convention_, last_convention_;
  Tenor tenor_;
  Date start_, end_;
};

/// Whole tenors between two days, to compare the schedule with the index.
Tenor schedule_tenor(const XmlElement& rules) { return ore_tenor(rules.get("Tenor")); }

bool is_same(Tenor a, Tenor b) {
  const auto months = [](Tenor t) {
    return t.unit == TimeUnit::years ? 12 * t.length : t.unit == TimeUnit::months ? t.length : -1;
  };
  if (months(a) >= 0 || months(b) >= 0) return months(a) == months(b);
  return a.length == b.length && a.unit == b.unit;
}

void read_schedule(const XmlElement& leg, OreLeg& result) {
  const XmlElement schedule_data = leg.get("ScheduleData");
  require_absent(schedule_data, "Dates", "schedules by a list of dates are not supported");
  const XmlElement rules = schedule_data.get("Rules");
  result.schedule_at = rules.place();
  if (ore_bool(rules, "EndOfMonth", false))
    rules.get("EndOfMonth").fail("schedules by the end of the month are not supported");
  for (const char* stub : {"FirstDate", "LastDate"})
    require_absent(rules, stub, "irregular first or last periods are not supported");
  const bool is_forward =
      ore_word(rules, "Rule", {"Forward", "Backward"}, true) != 1;  // by default Forward
  const Schedule schedule(rules, ore_date(rules.get("StartDate")), ore_date(rules.get("EndDate")));
  result.dates = schedule.dates(rules, is_forward);
  const XmlElement day_count_at = leg.get("DayCounter");
  const DayCount day_count = ore_day_count(day_count_at);
  const Calendar payment_calendar =
      leg.has("PaymentCalendar") ? ore_calendar(leg.get("PaymentCalendar")) : schedule.calendar();
  const BusinessDayConvention payment_convention = ore_convention(leg.get("PaymentConvention"));
  const int lag = leg.has("PaymentLag") ? ore_count(leg.get("PaymentLag")) : 0;
  for (std::size_t i = 1; i < result.dates.size(); ++i) {
    const Date start = result.dates[i - 1], end = result.dates[i];
    if (end <= start) rules.fail("two dates of the schedule are adjusted to the same day");
    result.accruals.push_back(ore_year_fraction(day_count_at, day_count, start, end));
    result.payments.push_back(
        lag == 0 ? payment_calendar.adjust(end, payment_convention)
                 : payment_calendar.advance(end, {lag, TimeUnit::days}, payment_convention));
  }
}

/// The rates that are fixed already of periods that are not paid yet, as QuantLib takes them: a
/// fixing of today, if there is one.
void find_known_rates(const XmlElement& floating, const OreIndex& index, const OreContext& context,
                      OreLeg& result) {
  const Date today = *context.dates->today;
  const Calendar calendar{std::string(index.calendar)};
  for (std::size_t i = 0; i + 1 < result.dates.size(); ++i) {
    if (result.payments[i] <= today) continue;
    const Date fixing = calendar.advance(result.dates[i], {-index.fixing_days, TimeUnit::days},
                                         BusinessDayConvention::preceding);
    if (today < fixing) return;
    const std::optional<double> rate = context.fixings->find(index.name, fixing);
    if (!rate && fixing == today) return;
    if (!rate)
      floating.fail(fmt::format("the period from {} needs the fixing of {} on {}",
                                to_string(result.dates[i]), index.name, to_string(fixing)),
                    "add it to the file `fixings_file` of [ore]");
    result.known_rates.push_back(*rate);
  }
}

/// ConfigError unless the forward rate of each period is that from its start to its end: where
/// these are business days, and the fixing has the lag of the index.
void check_fixing_days(const XmlElement& leg, const XmlElement& floating, const OreIndex& index,
                       const OreLeg& result) {
  require_number(floating, "FixingDays", index.fixing_days,
                 fmt::format("the rate {} is fixed {} days before a period, and other lags are not "
                             "supported",
                             index.name, index.fixing_days));
  const Calendar calendar{std::string(index.calendar)};
  for (const Date& date : result.dates)
    if (!calendar.is_business_day(date))
      leg.get("ScheduleData")
          .get("Rules")
          .get("Convention")
          .fail(fmt::format("the schedule has the date {}, which is no business day of {}",
                            to_string(date), index.calendar),
                "use an adjusted schedule");
}

void read_floating(const XmlElement& leg, const OreContext& context, OreLeg& result) {
  const XmlElement floating = leg.get("FloatingLegData");
  result.rate_at = floating.place();
  const XmlElement name = floating.get("Index");
  result.index = name.text();
  const std::optional<OreIndex> index = find_ore_index(result.index);
  if (!index || index->is_overnight || !index->tenor)
    name.fail(fmt::format("the index \"{}\" is not supported", excerpt(result.index)),
              fmt::format("supported are term rates of {}", ore_index_names()));
  result.rate = floating.has("Spreads") ? only_value(floating, "Spreads", "Spread") : 0;
  if (ore_bool(floating, "IsInArrears", false))
    floating.get("IsInArrears").fail("rates that are fixed in arrears are not supported");
  if (floating.has("Gearings") && only_value(floating, "Gearings", "Gearing") != 1)
    floating.get("Gearings").fail("gearings are not supported");
  for (const char* flag : {"IsAveraged", "HasSubPeriods", "IncludeSpread", "NakedOption"})
    if (ore_bool(floating, flag, false))
      floating.get(flag).fail(fmt::format("<{}> is not supported", flag));
  for (const char* list : {"Caps", "Floors"})
    require_absent(floating, list, "caps and floors of the coupons of a leg are not supported");
  const XmlElement rules = leg.get("ScheduleData").get("Rules");
  if (!is_same(schedule_tenor(rules), *index->tenor))
    rules.get("Tenor").fail(
        fmt::format("the periods last {}, and the rate {} is for another length of time",
                    tenor_text(schedule_tenor(rules)), result.index));
  const XmlElement day_count = leg.get("DayCounter");
  if (ore_day_count(day_count) != index->day_count)
    day_count.fail(fmt::format("a day count other than that of {} is not supported", result.index));
  check_fixing_days(leg, floating, *index, result);
  find_known_rates(floating, *index, context, result);
}

template <class List, class Text>
std::string joined(const List& list, const Text& text) {
  std::string cell;
  for (const auto& value : list) cell += fmt::format("{}{}", cell.empty() ? "" : ";", text(value));
  return cell;
}

}  // namespace

OreLeg ore_leg(const XmlElement& leg, const OreContext& context) {
  OreLeg result;
  result.at = leg.place();
  result.is_fixed = ore_word(leg, "LegType", {"Fixed", "Floating"}) == 0;
  result.is_payer = ore_bool(leg.get("Payer"));
  result.currency = leg.text("Currency");
  result.notional = only_value(leg, "Notionals", "Notional");
  if (leg.get("Notionals").has("Exchanges"))
    for (const XmlElement& exchange : leg.get("Notionals").get("Exchanges").children())
      if (ore_bool(exchange)) exchange.fail("exchanges of the notional are not supported");
  read_schedule(leg, result);
  if (result.is_fixed) {
    const XmlElement fixed = leg.get("FixedLegData");
    result.rate_at = fixed.place();
    result.rate = only_value(fixed, "Rates", "Rate");
  } else {
    read_floating(leg, context, result);
  }
  return result;
}

void set_leg(const OreLeg& leg, CellTable& row) {
  const std::string side = leg.is_fixed ? "fixed" : "float";
  const auto date = [](Date d) { return to_string(d); };
  const auto number = [](double value) { return fmt::format("{}", value); };
  row.set(side + "_dates", joined(leg.dates, date), leg.schedule_at);
  row.set(side + "_accruals", joined(leg.accruals, number), leg.schedule_at);
  row.set(side + "_payments", joined(leg.payments, date), leg.schedule_at);
  if (leg.is_fixed) {
    row.set("strike", number(leg.rate), leg.rate_at);
    return;
  }
  row.set("rate", leg.index, leg.rate_at);
  row.set("spread", number(leg.rate), leg.rate_at);
  if (!leg.known_rates.empty())
    row.set("known_rates", joined(leg.known_rates, number), leg.rate_at);
}

}  // namespace gsim::pricing
