#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/filter_kind.hpp"

namespace gsim::transport {
namespace {

void describe_universe(Section& s, FilterConfig& c) {
  optional_names(s, "universes", c.names,
                 "names of the universes that are tallied at any level, one bin each");
}
void validate_universe(const Section& s, FilterConfig& c) { check_names(s, "universes", c.names); }

FilterBins bins_of_universes(const FilterConfig& c, const FilterSystem& system) {
  return bins_of_names(c, "universe", "universe", system.universes, "universe");
}

}  // namespace

void register_universe_filter(Registry& registry) {
  registry.extend(FilterKind{.name = "universes",
                             .doc = "universes that contain the particle",
                             .describe = describe_universe,
                             .validate = validate_universe,
                             .bins = bins_of_universes,
                             .columns = {"universe"},
                             .position = 1,
                             .number = 1});
}

}  // namespace gsim::transport
