// Compiled once for each CPU level and once by nvcc. `Cells` is one cell on a GPU, and on the host
// as many neighbouring cells of a line along x as a register holds (gsim/domain/cell_loop.hpp).

#include "heat_step.hpp"

GSIM_TARGET_BEGIN
namespace heat_kernels {

/// The order of operations is the same on every machine, and so are the bits. A constant field
/// stays exactly constant: all differences are 0.
struct Step {
  ::heat::StepArgs args;

  template <class Cells>
  GSIM_HD void operator()(const Cells& c) const {
    const auto u = c.at(args.from), twice = u + u;
    const auto west = c.at(args.from, -1, 0, 0), east = c.at(args.from, 1, 0, 0);
    const auto south = c.at(args.from, 0, -1, 0), north = c.at(args.from, 0, 1, 0);
    const auto below = c.at(args.from, 0, 0, -1), above = c.at(args.from, 0, 0, 1);
    const auto along_x = args.diffusion_number[0] * ((west + east) - twice);
    const auto along_y = args.diffusion_number[1] * ((south + north) - twice);
    const auto along_z = args.diffusion_number[2] * ((below + above) - twice);
    c.set(args.to, u + ((along_x + along_y) + along_z));
  }
};

struct Project {
  ::heat::ProjectArgs args;

  template <class Cells>
  GSIM_HD void operator()(const Cells& c) const {
    const auto yz = c.along(1, args.along[1]) * c.along(2, args.along[2]);
    c.set(args.product, (c.at(args.from) - args.background) * (c.along(0, args.along[0]) * yz));
  }
};

}  // namespace heat_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(heat_step, ::heat::StepArgs) {
  for_each_cell(executor, "heat step", args.loop, heat_kernels::Step{args});
}

GSIM_DEFINE_LAUNCHER(heat_project, ::heat::ProjectArgs) {
  for_each_cell(executor, "heat projection", args.loop, heat_kernels::Project{args});
}
