#pragma once
// Converts a field to the argument of the kernels for sums, extrema and norms.

#include "gsim/domain/field.hpp"
#include "kernels/domain/field_values.hpp"

namespace gsim::domain {

/// The values of component 0 of the owned cells.
inline FieldValues values_of(const Field& field) {
  const FieldLayout& layout = field.layout();
  FieldValues v;
  v.elements = field.data();
  v.components = field.components();
  v.element_bytes = field.row_bytes() / field.components();
  v.first = layout.rows > 0 ? layout.row(layout.block.lo) : 0;
  v.size_x = layout.block.size(0);
  v.size_y = layout.block.size(1);
  v.size_z = layout.block.size(2);
  v.stride_y = layout.stride[1];
  v.stride_z = layout.stride[2];
  return v;
}

}  // namespace gsim::domain
