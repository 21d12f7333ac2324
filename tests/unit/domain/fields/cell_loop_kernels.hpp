#pragma once
// A kernel over the cells of a grid, written like those of modules, that uses every feature of
// CellLoop.

#include "gsim/domain/cell_loop.hpp"

namespace gsim::test {

/// Sets three fields. `to` is 3 `from`, plus weighted differences to the neighbours at distances up
/// to `reach` along each axis, plus weighted values of one neighbour across an edge and one across
/// a corner; a negative sum is halved. `float_to` is 2 `float_from` + 1 with `float_from` of the
/// neighbour at -x. The components (p, q) of `pairs` become (q + i, p - k) where from > 0, with the
/// cell's global coordinates (i, j, k), and (along[0] along[1] + along[2], j) elsewhere.
struct StencilArgs {
  CellLoop loop;
  int reach = 1;
  FieldView<const double> from;
  FieldView<double> to;
  FieldView<const float> float_from;
  FieldView<float> float_to;
  FieldView<double, 2> pairs;
  const double* along[3] = {nullptr, nullptr, nullptr};  ///< by axis: a value per cell
};

}  // namespace gsim::test

GSIM_DECLARE_LAUNCHER(test_stencil, test::StencilArgs)
