#include "src/modules/md/files/tokens.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::md {

void fail_at(const std::string& file, Index line, const std::string& problem,
             const std::string& suggestion) {
  throw InputError(fmt::format("{}:{}: {}; {}", file, line, problem, suggestion));
}

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r\f\v";
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t first = line.find_first_not_of(blanks);
    if (first == line.npos) return words;
    line.remove_prefix(first);
    const std::size_t end = std::min(line.find_first_of(blanks), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

bool LineReader::next() {
  if (unread_.empty()) return false;
  const std::size_t end = std::min(unread_.find('\n'), unread_.size());
  line_ = unread_.substr(0, end);
  unread_.remove_prefix(std::min(end + 1, unread_.size()));
  if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
  ++number_;
  return true;
}

double LineReader::real(std::string_view word, std::string_view field) const {
  std::string text(word.substr(word.starts_with('+') ? 1 : 0));
  for (char& c : text)
    if (c == 'D' || c == 'd') c = 'e';
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range)
    fail(fmt::format("{} is {}, out of the range of doubles", field, word),
         "give 0, or an absolute value from 2.3e-308 to 1.7e308");
  if (error != std::errc() || stop != end || !std::isfinite(value))
    fail(fmt::format("{} is \"{}\", not a number", field, word), "give a finite number");
  return value;
}

Index LineReader::integer(std::string_view word, std::string_view field, Index minimum,
                          Index maximum) const {
  const std::string_view digits = word.substr(word.starts_with('+') ? 1 : 0);
  Index value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end)
    fail(fmt::format("{} is \"{}\", not a whole number", field, word), "give a whole number");
  if (error != std::errc() || value < minimum || value > maximum)
    fail(fmt::format("{} is {}", field, word),
         fmt::format("it must be {} to {}", minimum, maximum));
  return value;
}

}  // namespace gsim::md
