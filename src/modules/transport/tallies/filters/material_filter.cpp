#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/filter_kind.hpp"

namespace gsim::transport {
namespace {

void describe_material(Section& s, FilterConfig& c) {
  optional_names(s, "materials", c.names,
                 "names of the materials that are tallied, one bin each; \"void\" for empty space");
}
void validate_material(const Section& s, FilterConfig& c) { check_names(s, "materials", c.names); }

FilterBins bins_of_materials(const FilterConfig& c, const FilterSystem& system) {
  FilterBins bins = bins_of_names(c, "material", "material", system.materials, "material");
  // Numbers of OpenMC's file count the materials without void, which comes last.
  for (Index& id : bins.openmc.ids)
    id = id > 1 ? id - 1 : static_cast<Index>(system.materials.size());
  return bins;
}

}  // namespace

void register_material_filter(Registry& registry) {
  registry.extend(FilterKind{.name = "materials",
                             .doc = "material around the particle",
                             .describe = describe_material,
                             .validate = validate_material,
                             .bins = bins_of_materials,
                             .columns = {"material"},
                             .position = 2,
                             .number = 2});
}

}  // namespace gsim::transport
