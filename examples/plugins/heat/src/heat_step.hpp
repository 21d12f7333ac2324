#pragma once
// Device code of the module, executed for every cell.

#include <gsim/domain/cell_loop.hpp>

namespace heat {

/// One step of the explicit (forward Euler) method with the 7-point Laplacian:
///   to = from + sum over axes of diffusion_number * (lower neighbour - 2 from + upper neighbour)
/// (Strikwerda 2004, equation 6.3.1 in three dimensions), diffusion_number = D dt / h^2.
struct StepArgs {
  gsim::CellLoop loop;
  gsim::FieldView<const double> from;
  gsim::FieldView<double> to;
  double diffusion_number[3] = {0, 0, 0};
};

/// product = (from - background) * mode, the mode being along[0][x] * along[1][y] * along[2][z]
/// from the block's first cell on.
struct ProjectArgs {
  gsim::CellLoop loop;
  gsim::FieldView<const double> from;
  gsim::FieldView<double> product;
  double background = 0;
  const double* along[3] = {nullptr, nullptr, nullptr};
};

}  // namespace heat

GSIM_DECLARE_LAUNCHER(heat_step, ::heat::StepArgs)
GSIM_DECLARE_LAUNCHER(heat_project, ::heat::ProjectArgs)
