#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/filter_kind.hpp"

namespace gsim::transport {
namespace {

void describe_cell(Section& s, FilterConfig& c) {
  optional_names(s, "cells", c.names,
                 "names of the cells that are tallied at any level of the geometry, one bin "
                 "each");
}
void validate_cell(const Section& s, FilterConfig& c) { check_names(s, "cells", c.names); }

FilterBins bins_of_cells(const FilterConfig& c, const FilterSystem& system) {
  return bins_of_names(c, "cell", "cell", system.cells, "cell");
}

}  // namespace

void register_cell_filter(Registry& registry) {
  registry.extend(FilterKind{.name = "cells",
                             .doc = "cells that contain the particle",
                             .describe = describe_cell,
                             .validate = validate_cell,
                             .bins = bins_of_cells,
                             .columns = {"cell"},
                             .position = 0,
                             .number = 0});
}

}  // namespace gsim::transport
