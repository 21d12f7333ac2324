#include "src/modules/pricing/ore/ore_lines.hpp"

#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/core/utf8.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {
namespace {

constexpr std::string_view separators = " \t\r,;";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(separators); at != std::string_view::npos;
       at = line.find_first_not_of(separators, at)) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace

void for_each_ore_line(const TextSource& source, const std::function<void(const OreLine&)>& use) {
  const std::string_view text = skip_byte_order_mark(source.text());
  const char* const begin = source.text().data();
  std::string last_date;
  OreLine line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::vector<std::string_view> words = words_of(text.substr(at, end - at));
    at = end + 1;
    if (words.empty() || words[0].starts_with('#')) continue;
    const auto fail = [&](std::string_view word, const std::string& problem) {
      throw ConfigError(
          source.location(static_cast<std::size_t>(word.data() - begin), display_width(word)),
          problem, "a line has a date, a key and a number");
    };
    if (words.size() != 3)
      fail(words[0],
           fmt::format("the line has {}", count_of(static_cast<Index>(words.size()), "word")));
    if (words[0] != last_date) {
      try {
        last_date = words[0];
        line.date = ore_date(last_date);
      } catch (const InputError& error) {
        fail(words[0], error.what());
      }
    }
    const std::string_view number = words[2];
    const auto [stop, error] =
        std::from_chars(number.data(), number.data() + number.size(), line.value);
    if (error != std::errc() || stop != number.data() + number.size() || !std::isfinite(line.value))
      fail(number, fmt::format("\"{}\" is not a number", excerpt(number)));
    line.key = words[1];
    line.at = {&source, static_cast<std::size_t>(words[1].data() - begin), display_width(words[1])};
    use(line);
  }
}

}  // namespace gsim::pricing
