#include "src/modules/pricing/ore/ore_fixings.hpp"

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/ore/ore_lines.hpp"

namespace gsim::pricing {

OreFixings::OreFixings(const InputFile& file) {
  const TextSource source(file.path, file.text);
  for_each_ore_line(source, [&](const OreLine& line) {
    const auto [old, is_new] =
        values_.emplace(std::pair{std::string(line.key), line.date.serial}, line.value);
    if (!is_new && old->second != line.value)
      throw ConfigError(line.at.location(), fmt::format("`{}` has two fixings on {}",
                                                        excerpt(line.key), to_string(line.date)));
  });
}

std::optional<double> OreFixings::find(const std::string& index, Date date) const {
  const auto found = values_.find({index, date.serial});
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

}  // namespace gsim::pricing
