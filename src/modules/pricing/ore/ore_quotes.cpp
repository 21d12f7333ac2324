#include "src/modules/pricing/ore/ore_quotes.hpp"

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/ore/ore_lines.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {
void OreQuote::fail(const std::string& problem) const { element.fail(problem); }

OreQuotes::OreQuotes(const InputFile& file, Date date)
    : source_(file.path, file.text), date_(date) {
  for_each_ore_line(source_, [&](const OreLine& line) {
    if (!(line.date == date)) return;
    const auto [old, is_new] = quotes_.emplace(std::string(line.key), Quote{line.value, line.at});
    old->second.has_other_value |= !is_new && old->second.value != line.value;
  });
  if (quotes_.empty())
    throw ConfigError(SourceLocation{file.path, 0, 0, {}},
                      fmt::format("no quote is of {}, the date of the market", to_string(date)),
                      "set market.date to the date of the quotes");
}

OreQuote OreQuotes::get(const XmlElement& element, std::string_view type, std::size_t min_words,
                        std::size_t max_words) const {
  const std::string key = element.text();
  const std::vector<std::string> words = ore_parts(key, '/');
  if (!key.starts_with(type) || words.size() < min_words || words.size() > max_words)
    element.fail(fmt::format("the quote \"{}\" is not supported here, where quotes {}… are",
                             excerpt(key), type));
  return get(element, key);
}

OreQuote OreQuotes::get(const XmlElement& element, const std::string& key) const {
  const auto found = quotes_.find(key);
  if (found == quotes_.end())
    element.fail(fmt::format("{} has no quote `{}` on {}", source_.location(0).file, excerpt(key),
                             to_string(date_)));
  if (found->second.has_other_value)
    throw ConfigError(found->second.at.location(),
                      fmt::format("`{}` has two values on {}", excerpt(key), to_string(date_)),
                      "leave one of them out");
  return {element, ore_parts(key, '/'), found->second.value, found->second.at};
}

std::vector<OreQuote> OreQuotes::list(const XmlElement& parent, std::string_view type,
                                      std::size_t min_words, std::size_t max_words) const {
  std::vector<OreQuote> result;
  const XmlElement quotes = parent.get("Quotes");
  for (const XmlElement& quote : quotes.all("Quote")) {
    const std::string optional = quote.attribute("optional");
    const std::string key = quote.text();
    if (key.find('*') != std::string::npos)
      quote.fail("quotes by a pattern (*) are not supported", "name the quotes");
    if ((optional == "true" || optional == "Y") && !quotes_.contains(key)) continue;
    result.push_back(get(quote, type, min_words, max_words));
  }
  if (result.empty()) quotes.fail("there is no quote");
  return result;
}

}  // namespace gsim::pricing
