#pragma once
// Device code of the module: what runs on every cell.

#include <gsim/exec/launch.hpp>

namespace heat {

/// A block of cells of a field: its first row, its cells along each axis, and rows from one to the
/// next along y and z (1 along x).
struct Cells {
  gsim::Index first = 0;
  gsim::Index size[3] = {0, 0, 0};
  gsim::Index stride_y = 0, stride_z = 0;
};

/// One step of the explicit (forward Euler) method with the 7-point Laplacian on a block of cells:
///   to = from + sum over axes of exchange * (lower neighbour - 2 from + upper neighbour)
/// (Strikwerda 2004, equation 6.3.1 in three dimensions), exchange = D dt / h^2.
struct StepArgs {
  const double* from = nullptr;
  double* to = nullptr;
  Cells cells;
  double exchange[3] = {0, 0, 0};
  bool is_large = false;  ///< no cache holds both fields
};

/// product = (from - background) * mode, the mode being along[0][x] * along[1][y] * along[2][z]
/// from the block's first cell on.
struct ProjectArgs {
  const double* from = nullptr;
  double* product = nullptr;
  Cells cells;
  double background = 0;
  const double* along[3] = {nullptr, nullptr, nullptr};
};

}  // namespace heat

GSIM_DECLARE_LAUNCHER(heat_step, ::heat::StepArgs)
GSIM_DECLARE_LAUNCHER(heat_project, ::heat::ProjectArgs)
