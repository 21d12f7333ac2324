// The library libgsim_dates.so, the only one that is linked with QuantLib.

#include "src/modules/pricing/dates/date_functions.hpp"

#include <algorithm>
#include <charconv>
#include <ql/time/calendars/australia.hpp>
#include <ql/time/calendars/canada.hpp>
#include <ql/time/calendars/denmark.hpp>
#include <ql/time/calendars/hongkong.hpp>
#include <ql/time/calendars/japan.hpp>
#include <ql/time/calendars/jointcalendar.hpp>
#include <ql/time/calendars/newzealand.hpp>
#include <ql/time/calendars/norway.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/calendars/singapore.hpp>
#include <ql/time/calendars/sweden.hpp>
#include <ql/time/calendars/switzerland.hpp>
#include <ql/time/calendars/target.hpp>
#include <ql/time/calendars/unitedkingdom.hpp>
#include <ql/time/calendars/unitedstates.hpp>
#include <ql/time/calendars/weekendsonly.hpp>
#include <ql/time/daycounters/thirty360.hpp>
#include <ql/time/schedule.hpp>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"

namespace gsim::pricing {

namespace ql = QuantLib;

struct BusinessDays {
  ql::Calendar calendar;
};

namespace {

struct NamedCalendar {
  std::string_view name;
  ql::Calendar (*make)();
};
template <class T>
ql::Calendar make() {
  return T();
}
template <ql::UnitedStates::Market market>
ql::Calendar make_us() {
  return ql::UnitedStates(market);
}
constexpr NamedCalendar calendars[] = {
    {"none", make<ql::NullCalendar>},
    {"weekends", make<ql::WeekendsOnly>},
    {"TARGET", make<ql::TARGET>},
    {"US", make_us<ql::UnitedStates::Settlement>},
    {"NYSE", make_us<ql::UnitedStates::NYSE>},
    {"SIFMA", make_us<ql::UnitedStates::GovernmentBond>},
    {"UK", make<ql::UnitedKingdom>},
    {"Japan", make<ql::Japan>},
    {"Switzerland", make<ql::Switzerland>},
    {"Australia", make<ql::Australia>},
    {"Canada", make<ql::Canada>},
    {"Denmark", make<ql::Denmark>},
    {"HongKong", make<ql::HongKong>},
    {"NewZealand", make<ql::NewZealand>},
    {"Norway", make<ql::Norway>},
    {"Singapore", make<ql::Singapore>},
    {"Sweden", make<ql::Sweden>},
};

ql::Calendar find_calendar(std::string_view name) {
  std::string names;
  for (const NamedCalendar& calendar : calendars) {
    if (calendar.name == name) return calendar.make();
    names += fmt::format("{}{}", names.empty() ? "" : ", ", calendar.name);
  }
  throw InputError(
      fmt::format("no calendar `{}`; the calendars are {}, and several of them joined by +",
                  excerpt(std::string(name)), names));
}

ql::Date to_quantlib(Date date) {
  return ql::Date(static_cast<ql::Date::serial_type>(date.serial));
}
Date from_quantlib(const ql::Date& date) { return {static_cast<int>(date.serialNumber())}; }
std::vector<Date> from_quantlib(const ql::Schedule& schedule) {
  std::vector<Date> dates;
  dates.reserve(schedule.size());
  for (const ql::Date& date : schedule.dates()) dates.push_back(from_quantlib(date));
  return dates;
}

ql::BusinessDayConvention to_quantlib(BusinessDayConvention convention) {
  switch (convention) {
    case BusinessDayConvention::following:
      return ql::Following;
    case BusinessDayConvention::modified_following:
      return ql::ModifiedFollowing;
    case BusinessDayConvention::preceding:
      return ql::Preceding;
    case BusinessDayConvention::unadjusted:
      break;
  }
  return ql::Unadjusted;
}

ql::Period to_quantlib(Tenor tenor) {
  constexpr ql::TimeUnit units[] = {ql::Days, ql::Weeks, ql::Months, ql::Years};
  return {tenor.length, units[static_cast<int>(tenor.unit)]};
}

// A day outside QuantLib's range of years, which it reports by an exception.
template <class Function>
auto in_range(Function function) {
  try {
    return function();
  } catch (const ql::Error&) {
    throw InputError("a date is outside the years 1901 to 2199");
  }
}

int days_in_year(int year) { return ql::Date::isLeap(year) ? 366 : 365; }

// Actual/actual (ISDA): the share of the first year, whole years, and the share of the last one.
double actual_actual(const ql::Date& from, const ql::Date& to) {
  const int first = from.year(), last = to.year();
  const auto share = [](int days, int year) {
    return static_cast<double>(days) / static_cast<double>(days_in_year(year));
  };
  const auto days = [](const ql::Date& a, const ql::Date& b) { return static_cast<int>(b - a); };
  if (first == last) return share(days(from, to), first);
  const double begin = share(days(from, ql::Date(1, ql::January, first + 1)), first);
  const double end = share(days(ql::Date(1, ql::January, last), to), last);
  return begin + static_cast<double>(last - first - 1) + end;
}

double over(ql::Date::serial_type days, double year) { return static_cast<double>(days) / year; }

Date read_date(const std::string& text) {
  constexpr std::size_t dashes[] = {4, 7};
  int parts[3] = {};
  bool is_date = text.size() == 10 && text[dashes[0]] == '-' && text[dashes[1]] == '-';
  for (std::size_t i = 0, at = 0; is_date && i < 3;
       at = dashes[std::min<std::size_t>(i++, 1)] + 1) {
    const char *begin = text.data() + at, *end = begin + (i == 0 ? 4 : 2);
    const auto [rest, error] = std::from_chars(begin, end, parts[i]);
    is_date = error == std::errc() && rest == end && *begin != '-';
  }
  const auto [year, month, day] = parts;
  if (!is_date)
    throw InputError(
        fmt::format("\"{}\" is not a date; dates are written 2026-11-28", excerpt(text)));
  const bool is_month = year >= 1901 && year <= 2199 && month >= 1 && month <= 12 && day >= 1;
  const auto last_day = [](int y, int m) {
    return ql::Date::endOfMonth(ql::Date(1, static_cast<ql::Month>(m), y)).dayOfMonth();
  };
  if (!is_month || day > last_day(year, month))
    throw InputError(
        fmt::format("there is no day {}{}", text, is_month ? "" : " in the years 1901 to 2199"));
  return from_quantlib(ql::Date(day, static_cast<ql::Month>(month), year));
}

std::string date_text(Date date) {
  const ql::Date d = to_quantlib(date);
  return fmt::format("{:04}-{:02}-{:02}", d.year(), static_cast<int>(d.month()), d.dayOfMonth());
}

double years_between(DayCount day_count, Date first, Date last) {
  if (last < first) return -years_between(day_count, last, first);
  const ql::Date from = to_quantlib(first), to = to_quantlib(last);
  switch (day_count) {
    case DayCount::act_365:
      return over(to - from, 365);
    case DayCount::act_360:
      return over(to - from, 360);
    case DayCount::act_act:
      return actual_actual(from, to);
    case DayCount::thirty_360:
      return over(ql::Thirty360(ql::Thirty360::BondBasis).dayCount(from, to), 360);
    case DayCount::thirty_e_360:
      break;
  }
  return over(ql::Thirty360(ql::Thirty360::EurobondBasis).dayCount(from, to), 360);
}

std::shared_ptr<const BusinessDays> find_business_days(const std::string& name) {
  const auto plus = name.find('+');
  ql::Calendar calendar = find_calendar(std::string_view(name).substr(0, plus));
  for (auto begin = plus; begin != std::string::npos;) {
    const auto end = name.find('+', begin + 1);
    calendar = ql::JointCalendar(
        calendar, find_calendar(std::string_view(name).substr(begin + 1, end - begin - 1)));
    begin = end;
  }
  return std::make_shared<const BusinessDays>(BusinessDays{calendar});
}

ql::Calendar calendar_of(const BusinessDays* days) {
  return days == nullptr ? ql::NullCalendar() : days->calendar;
}

bool is_business_day(const BusinessDays& days, Date date) {
  return days.calendar.isBusinessDay(to_quantlib(date));
}

Date adjust(const BusinessDays& days, Date date, BusinessDayConvention convention) {
  return in_range([&] {
    return from_quantlib(days.calendar.adjust(to_quantlib(date), to_quantlib(convention)));
  });
}

Date advance(const BusinessDays* days, Date date, Tenor tenor, BusinessDayConvention convention,
             bool end_of_month) {
  return in_range([&] {
    return from_quantlib(calendar_of(days).advance(to_quantlib(date), to_quantlib(tenor),
                                                   to_quantlib(convention), end_of_month));
  });
}

std::vector<Date> schedule(const BusinessDays* days, Date from, Date to, Tenor step,
                           BusinessDayConvention convention) {
  return in_range([&] {
    const ql::BusinessDayConvention rule = to_quantlib(convention);
    return from_quantlib(ql::Schedule(to_quantlib(from), to_quantlib(to), to_quantlib(step),
                                      calendar_of(days), rule, rule, ql::DateGeneration::Backward,
                                      false));
  });
}

std::vector<Date> cds_schedule(const BusinessDays* days, Date trade, Date end) {
  return in_range([&] {
    return from_quantlib(ql::Schedule(to_quantlib(trade), to_quantlib(end),
                                      ql::Period(3, ql::Months), calendar_of(days), ql::Following,
                                      ql::Unadjusted, ql::DateGeneration::CDS2015, false));
  });
}

Date cds_end(Date trade, Tenor tenor) {
  return in_range([&] {
    ql::Date anchor = ql::previousTwentieth(to_quantlib(trade), ql::DateGeneration::CDS2015);
    if (anchor.month() == ql::June || anchor.month() == ql::December) anchor -= 3 * ql::Months;
    return from_quantlib(anchor + to_quantlib(tenor) + 3 * ql::Months);
  });
}

}  // namespace

extern "C" const DateFunctions* gsim_date_functions() {
  static constexpr DateFunctions functions = {
      read_date,       date_text, years_between, cds_end,  find_business_days,
      is_business_day, adjust,    advance,       schedule, cds_schedule};
  return &functions;
}

}  // namespace gsim::pricing
