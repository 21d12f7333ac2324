#pragma once
// A kernel over cells as modules write them, which uses all features of a loop.

#include "gsim/domain/cell_loop.hpp"

namespace gsim::test {

/// to = 3 from + the differences to neighbours displaced by up to `reach` along each axis, to one
/// across an edge and to one across a corner, negative ones halved; float_to = 2 float_from of the
/// western cell + 1; in pairs, (y + x index, x - z index) where from > 0.
struct StencilArgs {
  CellLoop loop;
  int reach = 1;
  FieldView<const double> from;
  FieldView<double> to;
  FieldView<const float> float_from;
  FieldView<float> float_to;
  FieldView<double, 2> pairs;
  const double* along[3] = {nullptr, nullptr, nullptr};  ///< over the block's cells
};

}  // namespace gsim::test

GSIM_DECLARE_LAUNCHER(test_stencil, test::StencilArgs)
