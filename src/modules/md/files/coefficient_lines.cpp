#include "src/modules/md/files/coefficient_lines.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/md/files/tokens.hpp"

namespace gsim::md {
namespace {

constexpr std::string_view coefficient_section_names[] = {
    "Pair Coeffs", "PairIJ Coeffs"};  // 1 and 2 types per line

/// The number of types in each line of a section; 0 if the section has no pair coefficients.
std::size_t types_per_line(std::string_view section) {
  const auto at = std::find(std::begin(coefficient_section_names),
                            std::end(coefficient_section_names), section);
  return at == std::end(coefficient_section_names)
             ? 0
             : static_cast<std::size_t>(at - std::begin(coefficient_section_names)) + 1;
}

}  // namespace

std::vector<std::string> coefficient_lines(const std::vector<CoefficientSection>& sections,
                                           const std::vector<std::string>& type_names) {
  std::vector<std::string> lines;
  for (const CoefficientSection& section : sections) {
    if (types_per_line(section.name) == 0) continue;
    lines.push_back(section.style.empty() ? section.name
                                          : fmt::format("{} # {}", section.name, section.style));
    for (const CoefficientLine& line : section.lines) {
      std::vector<std::string> words;
      for (const std::int32_t type : line.types)
        words.push_back(type_names[static_cast<std::size_t>(type)]);
      words.insert(words.end(), line.words.begin(), line.words.end());
      lines.push_back(fmt::format("{}", fmt::join(words, " ")));
    }
  }
  return lines;
}

std::vector<CoefficientSection> coefficient_sections(const std::vector<std::string>& lines,
                                                     const std::vector<AtomType>& types,
                                                     const std::string& file) {
  std::vector<CoefficientSection> sections;
  for (const std::string& text : lines) {
    const std::size_t hash = text.find(" # ");
    if (const std::string name = text.substr(0, hash); types_per_line(name) > 0) {
      sections.push_back({name, hash == text.npos ? "" : text.substr(hash + 3), {}});
      continue;
    }
    const std::vector<std::string_view> words = words_of(text);
    const std::size_t type_count = sections.empty() ? 0 : types_per_line(sections.back().name);
    if (type_count == 0 || words.size() <= type_count)
      throw InputError(
          fmt::format("{}: {} has the line \"{}\", which is not a line of pair coefficients", file,
                      h5md_pair_coefficients, excerpt(text)));
    CoefficientLine line;
    for (std::size_t k = 0; k < type_count; ++k) {
      const auto at = std::find_if(types.begin(), types.end(),
                                   [&](const AtomType& t) { return t.label == words[k]; });
      if (at != types.end()) line.types.push_back(static_cast<std::int32_t>(at - types.begin()));
    }
    line.words.assign(words.begin() + static_cast<std::ptrdiff_t>(type_count), words.end());
    line.line = static_cast<int>(sections.back().lines.size()) + 1;
    if (line.types.size() == type_count) sections.back().lines.push_back(std::move(line));
  }
  return sections;
}

}  // namespace gsim::md
