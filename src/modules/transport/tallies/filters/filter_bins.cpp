#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/text.hpp"
#include "gsim/transport/filter_kind.hpp"

namespace gsim::transport {

void optional_names(Section& section, std::string_view key, std::vector<std::string>& names,
                    const char* doc) {
  section.optional(key, names, {.doc = doc, .min_size = 1});
}

void check_names(const Section& section, std::string_view key, std::span<const std::string> names) {
  std::set<std::string_view> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second)
      section.fail(key, fmt::format("`{}` is listed twice", name),
                   "each name makes one bin: leave one out");
}

void check_bounds(const Section& section, std::string_view key, std::span<const double> bounds) {
  for (std::size_t i = 1; i < bounds.size(); ++i)
    if (!(bounds[i - 1] < bounds[i]))
      section.fail(
          key, fmt::format("bounds must ascend: {} is followed by {}", bounds[i - 1], bounds[i]));
}

FilterBins named_bins(std::string_view word, std::string_view quantity,
                      std::vector<std::string> names) {
  FilterBins bins;
  bins.quantity = quantity;
  bins.bins = static_cast<Index>(names.size());
  bins.word = word;
  bins.plural_word = plural(word);
  bins.names = std::move(names);
  return bins;
}

FilterBins bins_of_names(const FilterConfig& config, std::string_view word,
                         std::string_view quantity, std::span<const std::string> known,
                         std::string_view openmc_type) {
  FilterBins bins = named_bins(word, quantity, config.names);
  bins.openmc.type = openmc_type;
  bins.map.assign(known.size(), -1);
  for (std::size_t bin = 0; bin < config.names.size(); ++bin) {
    const std::string& name = config.names[bin];
    const auto at = std::ranges::find(known, name);
    if (at == known.end())
      config.keys.fail(config.kind->name, fmt::format("there is no {} `{}`", word, name),
                       suggest_known(name, known, "there are"));
    bins.map[static_cast<std::size_t>(at - known.begin())] = static_cast<std::int32_t>(bin);
    bins.openmc.ids.push_back(at - known.begin() + 1);
  }
  return bins;
}

FilterBins bins_between(const FilterConfig& config, std::string_view word,
                        std::string_view quantity, std::string_view unit) {
  FilterBins bins;
  bins.quantity = quantity;
  bins.bins = static_cast<Index>(config.bounds.size()) - 1;
  bins.bounds = config.bounds;
  bins.word = word;
  bins.plural_word = plural(word);
  bins.unit = unit;
  return bins;
}

}  // namespace gsim::transport
