#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/filter_kind.hpp"

namespace gsim::transport {
namespace {

void describe_surface(Section& s, FilterConfig& c) {
  optional_names(s, "surfaces", c.names,
                 "names of the surfaces at whose crossings the scores current and flux are "
                 "tallied, one bin each");
}
void validate_surface(const Section& s, FilterConfig& c) { check_names(s, "surfaces", c.names); }

FilterBins bins_of_surfaces(const FilterConfig& c, const FilterSystem& system) {
  return bins_of_names(c, "surface", "surface", system.surfaces, "surface");
}

}  // namespace

void register_surface_filter(Registry& registry) {
  registry.extend(FilterKind{.name = "surfaces",
                             .doc = "surface that the particle crosses",
                             .describe = describe_surface,
                             .validate = validate_surface,
                             .bins = bins_of_surfaces,
                             .columns = {"surface"},
                             .position = 3,
                             .number = 4});
}

}  // namespace gsim::transport
