#pragma once
// A rank's cells in two parts: those that can be computed while ghosts travel, and the rest.

#include <span>
#include <vector>

#include "gsim/domain/field.hpp"

namespace gsim {

/// 1 along each axis that is divided among ranks, so that some have not all cells along it, and 0
/// along the others: the ghost layers of a stencil that reaches one cell, where it finds by itself
/// what is beyond the grid's faces.
Cell divided_axes(const GridDecomposition& grid);

/// For stencils that reach FieldLayout::width along the axes and read no cells across an edge: such
/// as the 7-point Laplacian.
///
///   halo.post(fields);
///   boundary.fill(field);               // for each field, where there are open faces
///   compute(parts.inner);
///   halo.finish();
///   for (const CellBlock& part : parts.outer) compute(part);
///
/// (Where some rank's block is thinner than the ghosts are wide, fill() is needed after finish(),
/// too: what it mirrors may have been on its way.)
struct FieldParts {
  /// Cells whose neighbours are owned, or are ghosts that post() and fill() have filled already:
  /// along an axis that is not divided among ranks all of them.
  CellBlock inner;
  /// The rest of the block: up to six disjoint blocks, those across the last axis whole.
  std::vector<CellBlock> outer;

  static FieldParts of(const GridDecomposition& grid, const FieldLayout& layout);
};

/// The pattern above in one call: sends the fields' halos, calls fill() for ghosts beyond open
/// faces, and compute(part) for the cells that need no others' while messages travel, then for the
/// rest. Parts are not empty. Collective.
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
