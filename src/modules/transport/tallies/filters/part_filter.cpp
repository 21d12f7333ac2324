#include <algorithm>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/filter_kind.hpp"

namespace gsim::transport {
namespace {

/// The names of the values 0 and 1 of the quantity `collided`.
const std::vector<std::string> part_names{"uncollided", "collided"};

void describe_part(Section& s, FilterConfig& c) {
  optional_names(s, "parts", c.names,
                 "parts of the flux at detectors that are tallied, one bin each: "
                 "\"uncollided\" (directly from the source) or \"collided\"; left out: their sum");
}
void validate_part(const Section& s, FilterConfig& c) {
  check_names(s, "parts", c.names);
  for (const std::string& part : c.names)
    if (std::ranges::find(part_names, part) == part_names.end())
      s.fail("parts", fmt::format("there is no part `{}`", part),
             suggest_known(part, part_names, "there are"));
  if (!c.names.empty() && !s.has("detectors"))
    s.fail("parts", "the tally has no detectors", "name them as detectors = [...]");
}

FilterBins bins_of_parts(const FilterConfig& c, const FilterSystem&) {
  return bins_of_names(c, "part", "collided", part_names);
}

}  // namespace

void register_part_filter(Registry& registry) {
  registry.extend(FilterKind{.name = "parts",
                             .doc = "part of the flux at a point detector",
                             .describe = describe_part,
                             .validate = validate_part,
                             .bins = bins_of_parts,
                             .columns = {"part"},
                             .position = 5,
                             .number = 10});
}

}  // namespace gsim::transport
