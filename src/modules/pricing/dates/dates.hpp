#pragma once
// Days, calendars, schedules and day counts. They come from QuantLib, which is included in the
// folder quantlib alone; nothing depends on its global evaluation date. Without it (has_dates())
// all functions but those on tenors throw an InputError. Year fractions are quotients of whole
// numbers of days, so that their bits are the same on every machine.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gsim::pricing {

/// Whether dates are available: whether gsim was built with QuantLib, and it can be loaded.
bool has_dates();

/// A day, by a number that rises by one from day to day.
struct Date {
  int serial = 0;
  bool operator==(const Date&) const = default;
  bool operator<(const Date& other) const { return serial < other.serial; }
  bool operator<=(const Date& other) const { return serial <= other.serial; }
};
/// The day that a text such as "2026-11-28" names. Throws an InputError if the text has another
/// form, or if there is no such day from 1901 to 2199.
Date parse_date(const std::string& text);
/// The day as a text such as "2026-11-28".
std::string to_string(Date date);

enum class TimeUnit { days, weeks, months, years };
/// A length of time on the calendar; for a Calendar, days are business days.
struct Tenor {
  int length = 0;
  TimeUnit unit = TimeUnit::days;
};
/// The tenor that a text such as "10D", "2W", "6M" or "5Y" names, of at most 200 years.
std::optional<Tenor> parse_tenor(std::string_view text);

/// A day given as such, or by a tenor from another day.
struct DateOrTenor {
  std::optional<Tenor> tenor;
  Date date;  ///< without a tenor
};
/// The day or tenor that a text names. Throws an InputError if it names neither.
DateOrTenor parse_date_or_tenor(const std::string& text);

enum class DayCount { act_365, act_360, act_act, thirty_360, thirty_e_360 };
inline constexpr std::array<std::string_view, 5> day_counts = {"act/365", "act/360", "act/act",
                                                               "30/360", "30e/360"};
/// The years from one day to a later one: days / 365; days / 360; days of leap years / 366 and
/// others / 365 (ISDA); and 30/360 (bond basis) or 30E/360 (Eurobond basis).
double year_fraction(DayCount day_count, Date from, Date to);

enum class BusinessDayConvention { following, modified_following, preceding, unadjusted };
inline constexpr std::array<std::string_view, 4> business_day_conventions = {
    "following", "modified_following", "preceding", "unadjusted"};

/// The end of a standard credit default swap (ISDA 2015) that is traded on `trade`: three months
/// and the tenor after the 20th of March or September that precedes it.
Date cds_maturity(Date trade, Tenor tenor);

struct BusinessDays;

/// The business days of a market.
class Calendar {
 public:
  /// Every day is a business day.
  Calendar() = default;
  /// The calendar of that name, or the days that are business days in all of several, joined by
  /// "+" ("US+UK"). Throws an InputError with the known names if there is no such calendar.
  explicit Calendar(const std::string& name);

  bool is_business_day(Date date) const;
  Date adjust(Date date, BusinessDayConvention convention) const;
  /// The day that is `tenor` after `date` (before it, if negative). Days are counted as business
  /// days; after other tenors the day is adjusted. With `end_of_month`, the last business day of a
  /// month leads to the last one of another month.
  Date advance(Date date, Tenor tenor, BusinessDayConvention convention,
               bool end_of_month = false) const;
  /// Adjusted days from `from` to `to` in steps of `step`, counted backwards from `to`, so that the
  /// first interval may be shorter.
  std::vector<Date> schedule(Date from, Date to, Tenor step,
                             BusinessDayConvention convention) const;
  /// The days between the quarterly periods of a standard credit default swap that is traded on
  /// `trade` and ends on `end`: the 20th of March, June, September and December, adjusted by
  /// "following" except for the last day; the first day is not after `trade`.
  std::vector<Date> cds_schedule(Date trade, Date end) const;

 private:
  std::shared_ptr<const BusinessDays> days_;  ///< null: every day is a business day
};

}  // namespace gsim::pricing
