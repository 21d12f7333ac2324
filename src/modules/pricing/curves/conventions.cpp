#include "src/modules/pricing/curves/conventions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::pricing {
namespace {

struct Defaults {
  std::string_view calendar;
  Index settlement_days;
  DayCount day_count;
  Tenor fixed_tenor;
  DayCount fixed_day_count;
  Tenor float_tenor;
  Index payment_lag;
};

constexpr Tenor half_year{6, TimeUnit::months}, year{1, TimeUnit::years};

// In the order of `currencies`. Swaps pay a term rate (Libor before 2022, Euribor, Tibor);
// overnight swaps SOFR, ESTR, SONIA, TONA and SARON.
constexpr Defaults defaults[] = {
    {"US", 2, DayCount::act_360, half_year, DayCount::thirty_360, {3, TimeUnit::months}, 2},
    {"TARGET", 2, DayCount::act_360, year, DayCount::thirty_360, half_year, 1},
    {"UK", 0, DayCount::act_365, half_year, DayCount::act_365, half_year, 0},
    {"Japan", 2, DayCount::act_365, half_year, DayCount::act_365, half_year, 2},
    {"Switzerland", 2, DayCount::act_360, year, DayCount::thirty_360, half_year, 2},
};
static_assert(std::size(defaults) == currencies.size());

DayCount day_count_of(const Section& s, std::string_view key, const std::string& word,
                      DayCount if_absent) {
  if (word.empty()) return if_absent;
  const auto found = std::find(day_counts.begin(), day_counts.end(), word);
  if (found == day_counts.end()) {
    const std::vector<std::string> known(day_counts.begin(), day_counts.end());
    s.fail(key, fmt::format("no day count `{}`", word),
           suggest_known(word, known, "the day counts are"));
  }
  return static_cast<DayCount>(found - day_counts.begin());
}

Tenor tenor_of(const Section& s, std::string_view key, const std::string& text, Tenor if_absent) {
  if (text.empty()) return if_absent;
  const std::optional<Tenor> tenor = parse_tenor(text);
  if (!tenor || tenor->length == 0)
    s.fail(key, fmt::format("\"{}\" is not a length of time", text), "write \"3M\" or \"1Y\"");
  return *tenor;
}

}  // namespace

void describe_conventions(Section& s, ConventionKeys& k) {
  constexpr std::string_view or_default = "; absent: as usual for the currency";
  const auto doc = [&](std::string_view text) {
    return KeyInfo{.doc = fmt::format("{}{}", text, or_default)};
  };
  s.optional_word("currency", k.currency, currencies,
                  {.doc = "currency, which sets the conventions of the quotes"});
  s.optional("calendar", k.calendar, doc("business days of the quotes, as market.calendar"));
  s.optional_word("convention", k.convention, business_day_conventions,
                  {.doc = "adjustment of days that are no business days"});
  s.optional("settlement_days", k.settlement_days,
             {.doc = fmt::format("business days from today to the spot date{}", or_default),
              .minimum = 0,
              .maximum = 10});
  s.optional("end_of_month", k.end_of_month,
             {.doc = "whether deposits and FRAs that begin on the last business day of a month end "
                     "on one"});
  s.optional("day_count", k.day_count,
             doc("day count of deposits, FRAs, floating payments and overnight swaps"));
  s.optional("fixed_tenor", k.fixed_tenor,
             doc("time between the fixed payments of swaps, as \"6M\""));
  s.optional("fixed_day_count", k.fixed_day_count, doc("day count of the fixed payments of swaps"));
  s.optional("float_tenor", k.float_tenor,
             doc("time between the floating payments of swaps, as \"3M\""));
  s.optional("payment_lag", k.payment_lag,
             {.doc = fmt::format(
                  "business days from the end of a period of an overnight swap to its payments{}",
                  or_default),
              .minimum = 0,
              .maximum = 10});
}

CurveConventions conventions_of(const Section& s, const ConventionKeys& k) {
  const Defaults& d = defaults[k.currency];
  CurveConventions c;
  try {
    c.calendar = Calendar(k.calendar.empty() ? std::string(d.calendar) : k.calendar);
  } catch (const InputError& error) {
    s.fail(k.calendar.empty() ? "currency" : "calendar", error.what());
  }
  c.convention = static_cast<BusinessDayConvention>(k.convention);
  c.settlement_days = k.settlement_days < 0 ? d.settlement_days : k.settlement_days;
  c.end_of_month = k.end_of_month;
  c.day_count = day_count_of(s, "day_count", k.day_count, d.day_count);
  c.fixed_tenor = tenor_of(s, "fixed_tenor", k.fixed_tenor, d.fixed_tenor);
  c.fixed_day_count = day_count_of(s, "fixed_day_count", k.fixed_day_count, d.fixed_day_count);
  c.float_tenor = tenor_of(s, "float_tenor", k.float_tenor, d.float_tenor);
  c.payment_lag = k.payment_lag < 0 ? d.payment_lag : k.payment_lag;
  return c;
}

}  // namespace gsim::pricing
