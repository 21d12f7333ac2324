#pragma once
// Tables for the search of the cells of several particles at once.

#include <vector>

#include "gsim/exec/array.hpp"
#include "kernels/transport/geometry/geometry_view.hpp"

namespace gsim::transport {

struct Geometry;

/// The arrays of SearchTables.
struct SearchArrays {
  std::vector<SearchUniverse> universes, elements;
  std::vector<SearchFill> fills;
  std::vector<SearchRegion> regions;
  std::vector<std::int32_t> numbers;
  std::vector<SearchLattice> lattices;
  std::int32_t levels = 0;

  /// Valid while this object exists and its vectors do not change.
  SearchTables view() const;
};

/// GeometryView::is_simple.
bool is_simple(const Geometry& geometry);
/// The tables of a geometry whose other arrays are complete.
SearchArrays make_search_arrays(const Geometry& geometry);

}  // namespace gsim::transport
