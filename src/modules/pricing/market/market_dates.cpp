#include "src/modules/pricing/market/market_dates.hpp"

#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"

namespace gsim::pricing {
namespace {

struct DateTexts {
  std::string today, calendar = "none";
};

void describe(Section& s, MarketDates& dates, DateTexts& texts) {
  s.optional(
      "date", texts.today,
      {.doc = "today, as \"2026-11-28\". Keys of times in years then accept dates and lengths "
              "of time from today (\"10D\" business days, \"2W\", \"6M\", \"5Y\"), too",
       .is_date = true});
  s.optional("day_count", dates.day_count, day_counts,
             {.doc = "conversion of dates to years from today"});
  s.optional(
      "calendar", texts.calendar,
      {.doc = "business days, to which lengths of time from today are adjusted: \"none\", "
              "\"weekends\", \"TARGET\", \"US\", \"UK\", \"Japan\", … as in QuantLib; several "
              "joined by +"});
}

void validate(const Section& s, MarketDates& dates, const DateTexts& texts) {
  const char* key = "date";
  try {
    if (!texts.today.empty()) dates.today = parse_date(texts.today);
    key = "calendar";
    dates.calendar = Calendar(texts.calendar);
  } catch (const InputError& error) {
    s.fail(key, error.what());
  }
}

}  // namespace

Date MarketDates::date_of(const std::string& text) const {
  const auto [tenor, date] = parse_date_or_tenor(text);
  if (!today)
    throw InputError(fmt::format("\"{}\" needs the date of today; set market.date", excerpt(text)));
  return tenor ? calendar.advance(*today, *tenor, BusinessDayConvention::modified_following) : date;
}

double MarketDates::years(Date date) const { return year_fraction(day_count, *today, date); }

std::string MarketDates::text_of(double time) const {
  if (today) {
    // 360 days are a year in some day counts, 366 the longest.
    const int low = static_cast<int>(std::floor(std::fmin(360 * time, 366 * time))) - 2;
    const int high = static_cast<int>(std::ceil(std::fmax(360 * time, 366 * time))) + 2;
    for (int days = low; days <= high; ++days)
      if (const Date date{today->serial + days}; years(date) == time) return to_string(date);
  }
  return fmt::format("{} years", time);
}

DateReader date_reader(const MarketDates& dates) {
  return [dates](const std::string& text) { return dates.years(dates.date_of(text)); };
}

void describe_market_dates(Section& market, MarketDates& dates) {
  DateTexts texts;
  validated([&](Section& s) { describe(s, dates, texts); },
            [&](const Section& s) { validate(s, dates, texts); })(market);
  market.read_dates_with(date_reader(dates));
}

}  // namespace gsim::pricing
