// Dates, which a build without QuantLib has none of.

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/dates/dates.hpp"

using namespace gsim;
using namespace gsim::pricing;

namespace {

int days(const char* from, const char* to) {
  return parse_date(to).serial - parse_date(from).serial;
}

double years(DayCount day_count, const char* from, const char* to) {
  return year_fraction(day_count, parse_date(from), parse_date(to));
}

std::string advanced(const Calendar& calendar, const char* from, const char* tenor,
                     BusinessDayConvention convention, bool end_of_month = false) {
  return to_string(
      calendar.advance(parse_date(from), *parse_tenor(tenor), convention, end_of_month));
}

constexpr auto modified = BusinessDayConvention::modified_following;
constexpr auto following = BusinessDayConvention::following;

}  // namespace

TEST_CASE("dates are read and written as texts") {
  CHECK(days("2026-11-28", "2026-12-01") == 3);
  CHECK(days("2028-02-28", "2028-03-01") == 2);
  CHECK(to_string(parse_date("2026-11-28")) == "2026-11-28");
  CHECK(to_string(parse_date("1901-01-01")) == "1901-01-01");
  CHECK(to_string(parse_date("2199-12-31")) == "2199-12-31");
  for (const char* text :
       {"", "2026", "2026-11", "2026-1-28", "26-11-28", "2026/11/28", "28-11-2026",
        "2026-11-28T10:00", "2026--1-28", "2026-11-+8", " 2026-11-28"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(parse_date(text), doctest::Contains("is not a date"), InputError);
  }
  CHECK_THROWS_WITH_AS(parse_date("2027-02-29"), "there is no day 2027-02-29", InputError);
  CHECK_THROWS_WITH_AS(parse_date("2026-13-01"),
                       "there is no day 2026-13-01 in the years 1901 to 2199", InputError);
  CHECK_THROWS_AS(parse_date("2200-01-01"), InputError);
}

TEST_CASE("day counts") {
  CHECK(years(DayCount::act_365, "2026-11-28", "2027-11-28") == 1);
  CHECK(years(DayCount::act_365, "2027-11-28", "2028-11-28") == 366.0 / 365);
  CHECK(years(DayCount::act_360, "2026-11-28", "2027-02-28") == 92.0 / 360);
  CHECK(years(DayCount::act_act, "2026-01-01", "2026-07-01") == 181.0 / 365);
  CHECK(years(DayCount::act_act, "2027-07-01", "2030-07-01") == 184.0 / 365 + 2 + 181.0 / 365);
  // The example of ISDA's paper of 1998 on actual/actual: 61 days / 365 and 121 days / 366.
  CHECK(years(DayCount::act_act, "2003-11-01", "2004-05-01") == 61.0 / 365 + 121.0 / 366);
  CHECK(years(DayCount::thirty_360, "2026-01-30", "2026-03-31") == 60.0 / 360);
  CHECK(years(DayCount::thirty_360, "2026-01-29", "2026-03-31") == 62.0 / 360);
  CHECK(years(DayCount::thirty_e_360, "2026-01-29", "2026-03-31") == 61.0 / 360);
  CHECK(years(DayCount::act_365, "2027-11-28", "2026-11-28") == -1);
}

TEST_CASE("tenors") {
  CHECK(parse_tenor("6M")->length == 6);
  CHECK(parse_tenor("2y")->unit == TimeUnit::years);
  CHECK(parse_tenor("10D")->unit == TimeUnit::days);
  CHECK(parse_tenor("0D")->length == 0);
  for (const char* text :
       {"", "M", "6", "6 M", "-6M", "1.5Y", "6X", "500Y", "1Y6M", "99999999999Y"}) {
    CAPTURE(text);
    CHECK(!parse_tenor(text));
  }
}

TEST_CASE("calendars: business days, conventions and schedules") {
  const Calendar target("TARGET"), every_day;
  CHECK(!target.is_business_day(parse_date("2026-11-28")));  // a Saturday
  CHECK(!target.is_business_day(parse_date("2027-03-26")));  // Good Friday
  CHECK(every_day.is_business_day(parse_date("2026-11-28")));
  CHECK(to_string(target.adjust(parse_date("2026-11-28"), following)) == "2026-11-30");
  CHECK(to_string(target.adjust(parse_date("2027-01-31"), modified)) == "2027-01-29");
  CHECK(to_string(target.adjust(parse_date("2027-01-31"), BusinessDayConvention::preceding)) ==
        "2027-01-29");
  CHECK(advanced(every_day, "2026-08-31", "6M", modified) == "2027-02-28");
  CHECK(advanced(target, "2026-11-27", "2D", following) == "2026-12-01");
  CHECK(advanced(target, "2027-02-26", "1M", modified, true) == "2027-03-31");
  CHECK(advanced(target, "2027-02-26", "1M", modified) == "2027-03-30");
  // Thanksgiving is a holiday in the United States alone, Boxing Day in the United Kingdom.
  const Calendar both("US+UK");
  CHECK(!both.is_business_day(parse_date("2026-11-26")));
  CHECK(!both.is_business_day(parse_date("2029-12-26")));
  CHECK(Calendar("UK").is_business_day(parse_date("2026-11-26")));

  const std::vector<Date> dates = target.schedule(
      parse_date("2026-11-27"), parse_date("2028-01-27"), *parse_tenor("6M"), modified);
  std::string text;
  for (const Date date : dates) text += to_string(date) + " ";
  CHECK(text == "2026-11-27 2027-01-27 2027-07-27 2028-01-27 ");
}

TEST_CASE("unknown calendars, and days beyond the calendar") {
  CHECK_THROWS_WITH_AS(Calendar("Mars"), doctest::Contains("no calendar `Mars`; the calendars are"),
                       InputError);
  CHECK_THROWS_AS(Calendar("US+"), InputError);
  CHECK_THROWS_AS(Calendar(""), InputError);
  CHECK_THROWS_WITH_AS(advanced(Calendar(), "2199-12-31", "1Y", following),
                       "a date is outside the years 1901 to 2199", InputError);
}
