#pragma once
// Device code of the module: what runs on every cell.

#include <gsim/exec/launch.hpp>

namespace heat {

/// A rank's cells: rows of the first one and from one to the next along y and z (1 along x), how
/// many there are, and along which axes those at one end are next to those at the other: periodic
/// ones that are not divided. Elsewhere there are ghosts beyond the ends.
struct Block {
  gsim::Index first = 0;
  gsim::Index stride_y = 0, stride_z = 0;
  gsim::Index size[3] = {0, 0, 0};
  bool wraps[3] = {false, false, false};
};

/// Cells [lo, lo + size) of a block, counted from its first cell.
struct Part {
  gsim::Index lo[3] = {0, 0, 0};
  gsim::Index size[3] = {0, 0, 0};
};

/// One step of the explicit (forward Euler) method with the 7-point Laplacian on a part of the
/// cells:
///   to = from + sum over axes of exchange * (lower neighbour - 2 from + upper neighbour)
/// (Strikwerda 2004, equation 6.3.1 in three dimensions), exchange = D dt / h^2.
struct StepArgs {
  const double* from = nullptr;
  double* to = nullptr;
  Block block;
  Part part;
  double exchange[3] = {0, 0, 0};
  bool is_large = false;  ///< no cache holds both fields
};

/// product = (from - background) * mode, the mode being along[0][x] * along[1][y] * along[2][z]
/// from the block's first cell on.
struct ProjectArgs {
  const double* from = nullptr;
  double* product = nullptr;
  Block block;
  double background = 0;
  const double* along[3] = {nullptr, nullptr, nullptr};
};

}  // namespace heat

GSIM_DECLARE_LAUNCHER(heat_step, ::heat::StepArgs)
GSIM_DECLARE_LAUNCHER(heat_project, ::heat::ProjectArgs)
