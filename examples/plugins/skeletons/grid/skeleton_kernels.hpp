#pragma once
// What the module asks the kernels to do. A launcher is an ordinary function: it takes where to
// run and one struct of plain data.

#include <gsim/exec/launch.hpp>

namespace skeleton_module {

/// A block of cells in a field's memory: the row of its first cell, rows from a cell to the next
/// along y and z (1 along x), and how many there are along each axis.
struct Cells {
  gsim::Index first = 0;
  gsim::Index stride_y = 0, stride_z = 0;
  gsim::Index size[3] = {0, 0, 0};

  gsim::Index count() const { return size[0] * size[1] * size[2]; }
};

/// One step of the explicit Euler method with the 7-point Laplacian: to = from + the sum over axes
/// of exchange * (lower neighbour - 2 from + upper neighbour), exchange = D dt / h^2.
struct StepArgs {
  const double* from = nullptr;
  double* to = nullptr;
  Cells cells;
  double exchange[3] = {0, 0, 0};
};

/// square = (from - mean)^2.
struct SquareArgs {
  const double* from = nullptr;
  double* square = nullptr;
  Cells cells;
  double mean = 0;
};

}  // namespace skeleton_module

GSIM_DECLARE_LAUNCHER(skeleton_step, ::skeleton_module::StepArgs)
GSIM_DECLARE_LAUNCHER(skeleton_square, ::skeleton_module::SquareArgs)
