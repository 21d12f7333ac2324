// Compiled once per target: by the host compiler for each kind of processor, by nvcc for GPUs. What
// stands here lives between GSIM_TARGET_BEGIN and _END, so that no target takes another's code.

#include "skeleton_kernels.hpp"

GSIM_TARGET_BEGIN
namespace skeleton_kernels {

/// Row of the n-th cell of a block.
GSIM_HD Index row_of(const skeleton_module::Cells& cells, Index n) {
  const Index line = n / cells.size[0];
  return cells.first + n % cells.size[0] + line % cells.size[1] * cells.stride_y +
         line / cells.size[1] * cells.stride_z;
}

/// Neighbours are rows of the same field: the rank's own cells, or ghosts, which hold what other
/// ranks and the boundary conditions say. The order of operations is the same everywhere, so that
/// bits are.
struct Step {
  skeleton_module::StepArgs args;

  GSIM_HD void operator()(Index i) const {
    const Index row = row_of(args.cells, i);
    const double* const u = args.from + row;
    const Index strides[3] = {1, args.cells.stride_y, args.cells.stride_z};
    double change = 0;
    for (int a = 0; a < 3; ++a)
      change += args.exchange[a] * ((u[-strides[a]] + u[strides[a]]) - (u[0] + u[0]));
    args.to[row] = u[0] + change;
  }
};

struct Square {
  skeleton_module::SquareArgs args;

  GSIM_HD void operator()(Index i) const {
    const Index row = row_of(args.cells, i);
    const double d = args.from[row] - args.mean;
    args.square[row] = d * d;
  }
};

}  // namespace skeleton_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(skeleton_step, ::skeleton_module::StepArgs) {
  launch(executor, "step", args.cells.count(), skeleton_kernels::Step{args});
}

GSIM_DEFINE_LAUNCHER(skeleton_square, ::skeleton_module::SquareArgs) {
  launch(executor, "square", args.cells.count(), skeleton_kernels::Square{args});
}
