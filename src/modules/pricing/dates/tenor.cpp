#include <charconv>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/dates/dates.hpp"

namespace gsim::pricing {

std::optional<Tenor> parse_tenor(std::string_view text) {
  constexpr std::string_view letters = "DWMY";
  constexpr int per_year[] = {366, 53, 12, 1}, longest = 200;
  if (text.size() < 2) return std::nullopt;
  const char upper = static_cast<char>(text.back() >= 'a' ? text.back() - 'a' + 'A' : text.back());
  const std::size_t unit = letters.find(upper);
  Tenor tenor;
  const char* const end = text.data() + text.size() - 1;
  const auto [rest, error] = std::from_chars(text.data(), end, tenor.length);
  if (unit == std::string_view::npos || error != std::errc() || rest != end || tenor.length < 0 ||
      tenor.length > longest * per_year[unit])
    return std::nullopt;
  tenor.unit = static_cast<TimeUnit>(unit);
  return tenor;
}

DateOrTenor parse_date_or_tenor(const std::string& text) {
  if (const std::optional<Tenor> tenor = parse_tenor(text)) return {tenor, {}};
  if (has_dates() && text.find('-') == std::string::npos)
    throw InputError(
        fmt::format("\"{}\" is neither a date such as \"2026-11-28\" nor a length of time such as "
                    "\"6M\"",
                    excerpt(text)));
  return {std::nullopt, parse_date(text)};
}

}  // namespace gsim::pricing
