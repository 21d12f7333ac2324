// Quotes of Open Source Risk Engine by date, as lists of times and values.

#include <map>

#include <fmt/format.h>

#include "src/modules/pricing/ore/ore_market.hpp"

namespace gsim::pricing {

OrePillars ore_pillars(const OreMarketFiles& files, const std::vector<OreQuote>& quotes,
                       std::size_t word, const Calendar& calendar) {
  std::map<Date, double> sorted;
  for (const OreQuote& quote : quotes) {
    const Date date =
        files.pillar(quote, quote.words[word], calendar, BusinessDayConvention::following);
    if (date <= *files.dates.today)
      quote.fail(fmt::format("the quote is of {}, which is not after today", to_string(date)));
    if (!sorted.emplace(date, quote.value).second)
      quote.fail(fmt::format("two quotes are of {}", to_string(date)));
  }
  OrePillars result{{}, {}, quotes.front().at};
  for (const auto& [date, value] : sorted) {
    result.times += fmt::format("{}{}", result.times.empty() ? "" : ";", to_string(date));
    result.values += fmt::format("{}{}", result.values.empty() ? "" : ";", value);
  }
  // ORE keeps the last value afterwards: a far pillar with the same value.
  result.times += ";199.0";
  result.values += fmt::format(";{}", sorted.rbegin()->second);
  return result;
}

}  // namespace gsim::pricing
