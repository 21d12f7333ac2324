#pragma once
// Divides a rank's cells into those that can be computed during the halo exchange, and the rest.

#include <span>
#include <vector>

#include "gsim/domain/field.hpp"

namespace gsim {

/// 1 along each axis that is divided among ranks, and 0 along the others: the numbers of ghost
/// layers for a stencil of width one that handles the faces of the grid itself.
Cell divided_axes(const GridDecomposition& grid);

/// The parts for stencils that reach FieldLayout::width along the axes and read no cells across an
/// edge, such as the 7-point Laplacian.
///
///   halo.post(fields);
///   boundary.fill(field);               // for each field, if there are open faces
///   compute(parts.inner);
///   halo.finish();
///   for (const CellBlock& part : parts.outer) compute(part);
///
/// (If the block of some rank is thinner than the ghost layers, fill() must be called again after
/// finish(), because cells that it mirrors may be received ghosts.)
struct FieldParts {
  /// Cells whose neighbours are owned or are ghosts that post() and fill() have filled: all cells
  /// along an axis that is not divided among ranks.
  CellBlock inner;
  /// The rest of the block: up to six disjoint blocks. Those next to its two faces perpendicular to
  /// the last axis extend over whole planes of the block.
  std::vector<CellBlock> outer;

  static FieldParts of(const GridDecomposition& grid, const FieldLayout& layout);
};

/// The pattern above in one call: posts the halos of the fields, calls fill() for ghosts beyond
/// open faces, calls compute(part) for the inner cells while messages travel, and then for the
/// rest. Parts are never empty. Collective.
template <class Fill, class Compute>
void while_exchanging(FieldHalo& halo, std::span<Field* const> fields, const FieldParts& parts,
                      const Fill& fill, const Compute& compute) {
  halo.post(fields);
  fill();
  if (!parts.inner.empty()) compute(parts.inner);
  halo.finish();
  for (const CellBlock& part : parts.outer)
    if (!part.empty()) compute(part);
}

}  // namespace gsim
