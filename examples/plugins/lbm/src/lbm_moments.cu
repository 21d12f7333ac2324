// Density and velocity of cells, and what is summed over them: for observations, not for speed.

#include "collide.hpp"

GSIM_TARGET_BEGIN
namespace lbm_kernels {

using ::lbm::MomentsArgs;

struct Moments {
  MomentsArgs args;
  GSIM_HD void operator()(Index n) const {
    const Index* const size = args.block.size;
    const Index at[3] = {n % size[0], n / size[0] % size[1], n / size[0] / size[1]};
    const Index row =
        args.block.first + at[0] + at[1] * args.block.stride_y + at[2] * args.block.stride_z;
    const Sums<double> s = sums_of([&](int i) { return args.from[i][row]; });
    const double density = 1 + s.excess, inverse = 1 / density;
    double u[3];
    // Collisions have added the force to the momentum, of which the velocity holds half.
    for (int a = 0; a < 3; ++a) u[a] = (s.momentum[a] - 0.5 * args.force[a]) * inverse;
    args.excess[row] = s.excess;
    for (int a = 0; a < 3; ++a) args.velocity[3 * row + a] = u[a];
    args.product[2 * row] = 0.5 * (density * ((u[0] * u[0] + u[1] * u[1]) + u[2] * u[2]));
    double along_mode = 0;
    if (args.axis[0] >= 0) {
      const Index i = at[args.axis[0]], j = at[args.axis[1]];
      along_mode = u[args.axis[0]] * (args.scale[0] * (args.cosine[0][i] * args.sine[1][j])) +
                   u[args.axis[1]] * (args.scale[1] * (args.sine[0][i] * args.cosine[1][j]));
    }
    args.product[2 * row + 1] = along_mode;
  }
};

}  // namespace lbm_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(lbm_moments, ::lbm::MomentsArgs) {
  launch(executor, "density and velocity",
         args.block.size[0] * args.block.size[1] * args.block.size[2], lbm_kernels::Moments{args});
}
