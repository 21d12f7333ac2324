#pragma once
// The valuation date of a market, and the conversion of dates to years from it.

#include <optional>
#include <string>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/dates/dates.hpp"

namespace gsim::pricing {

/// The keys date, day_count and calendar of [market]. All times of a market are years from its
/// date, by its day count.
struct MarketDates {
  std::optional<Date> today;
  DayCount day_count = DayCount::act_365;
  Calendar calendar;

  /// The day that a text names: a date, or a tenor from today, adjusted to a business day by
  /// "modified following". Throws an InputError if it is neither, or if the market has no date.
  Date date_of(const std::string& text) const;
  /// Years from today; negative before it. The market has a date.
  double years(Date date) const;
  /// The day at `time` as a text or, without one at exactly this time, the number of years.
  std::string text_of(double time) const;
};

/// The conversion of texts to years from today that keys of `dates` use.
DateReader date_reader(const MarketDates& dates);

/// Describes and validates the keys, and makes all keys that are dates accept texts
/// (Section::read_dates_with()).
void describe_market_dates(Section& market, MarketDates& dates);

}  // namespace gsim::pricing
