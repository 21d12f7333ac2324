#pragma once
// The arguments of the kernels. A launcher is an ordinary function of an executor and one struct of
// plain data.

#include <gsim/domain/cell_loop.hpp>

namespace skeleton_module {

/// One step of the explicit Euler method with the 7-point Laplacian: to = from + the sum over axes
/// of diffusion_number * (lower neighbour - 2 from + upper neighbour), diffusion_number = D dt /
/// h^2.
struct StepArgs {
  gsim::CellLoop loop;
  gsim::FieldView<const double> from;
  gsim::FieldView<double> to;
  double diffusion_number[3] = {0, 0, 0};
};

/// square = (from - mean)^2.
struct SquareArgs {
  gsim::CellLoop loop;
  gsim::FieldView<const double> from;
  gsim::FieldView<double> square;
  double mean = 0;
};

}  // namespace skeleton_module

GSIM_DECLARE_LAUNCHER(skeleton_step, ::skeleton_module::StepArgs)
GSIM_DECLARE_LAUNCHER(skeleton_square, ::skeleton_module::SquareArgs)
