// Compiled once per target: by the host compiler for each kind of processor, by nvcc for GPUs. The
// code is between GSIM_TARGET_BEGIN and _END, so that targets do not share symbols.

#include "skeleton_kernels.hpp"

GSIM_TARGET_BEGIN
namespace skeleton_kernels {

/// `Cells` is one cell on a GPU, and several neighbouring cells on a CPU, whose values form a pack:
/// select values by select(mask, a, b), not by `if`. Neighbours are the rank's own cells, or
/// ghosts, which hold values of other ranks and of the boundary conditions. The order of operations
/// is the same on every machine, and so are the bits.
struct Step {
  skeleton_module::StepArgs args;

  template <class Cells>
  GSIM_HD void operator()(const Cells& c) const {
    const auto u = c.at(args.from), twice = u + u;
    const auto x = c.at(args.from, -1, 0, 0) + c.at(args.from, 1, 0, 0) - twice;
    const auto y = c.at(args.from, 0, -1, 0) + c.at(args.from, 0, 1, 0) - twice;
    const auto z = c.at(args.from, 0, 0, -1) + c.at(args.from, 0, 0, 1) - twice;
    c.set(args.to, u + (args.diffusion_number[0] * x + args.diffusion_number[1] * y +
                        args.diffusion_number[2] * z));
  }
};

struct Square {
  skeleton_module::SquareArgs args;

  template <class Cells>
  GSIM_HD void operator()(const Cells& c) const {
    const auto d = c.at(args.from) - args.mean;
    c.set(args.square, d * d);
  }
};

}  // namespace skeleton_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(skeleton_step, ::skeleton_module::StepArgs) {
  for_each_cell(executor, "step", args.loop, skeleton_kernels::Step{args});
}

GSIM_DEFINE_LAUNCHER(skeleton_square, ::skeleton_module::SquareArgs) {
  for_each_cell(executor, "square", args.loop, skeleton_kernels::Square{args});
}
