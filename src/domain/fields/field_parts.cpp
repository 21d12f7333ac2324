#include "gsim/domain/field_parts.hpp"

#include <algorithm>

namespace gsim {

Cell divided_axes(const GridDecomposition& grid) {
  Cell divided{0, 0, 0};
  for (int r = 0; r < grid.ranks(); ++r)
    for (std::size_t a = 0; a < 3; ++a)
      if (grid.block(r).size(static_cast<int>(a)) != grid.cells()[a]) divided[a] = 1;
  return divided;
}

FieldParts FieldParts::of(const GridDecomposition& grid, const FieldLayout& layout) {
  FieldParts parts;
  parts.inner = layout.block;
  const CellBlock interior = layout.interior();
  for (std::size_t a = 0; a < 3; ++a) {
    if (layout.block.lo[a] == 0 && layout.block.hi[a] == grid.cells()[a]) continue;
    parts.inner.lo[a] = interior.lo[a];
    parts.inner.hi[a] = interior.hi[a];
  }
  // What remains of the block when the slabs below and above `inner` along each axis are removed.
  CellBlock rest = layout.block;
  for (std::size_t a = 3; a-- > 0 && !rest.empty();) {
    CellBlock below = rest, above = rest;
    below.hi[a] = parts.inner.lo[a];
    above.lo[a] = parts.inner.hi[a];
    rest.lo[a] = parts.inner.lo[a];
    rest.hi[a] = parts.inner.hi[a];
    if (!below.empty()) parts.outer.push_back(below);
    if (!above.empty()) parts.outer.push_back(above);
  }
  return parts;
}

}  // namespace gsim
