// Density and velocity of cells, and sums over cells, for observations.

#include "collide.hpp"

GSIM_TARGET_BEGIN
namespace lbm_kernels {

using ::lbm::MomentsArgs;

struct Moments {
  MomentsArgs args;

  template <class Cells>
  GSIM_HD void operator()(const Cells& c) const {
    const auto s = sums_of([&](int i) { return c.at(args.from[i]); });
    const auto density = 1 + s.density_deviation, inverse = 1 / density;
    using Values = std::decay_t<decltype(density)>;
    Values u[3];
    // Collisions have added the whole force to the momentum; the velocity includes half of it.
    for (int a = 0; a < 3; ++a) u[a] = (s.momentum[a] - 0.5 * args.force[a]) * inverse;
    c.set(args.density_deviation, s.density_deviation);
    for (int a = 0; a < 3; ++a) c.set(args.velocity, u[a], a);
    c.set(args.product, 0.5 * (density * ((u[0] * u[0] + u[1] * u[1]) + u[2] * u[2])), 0);
    Values along_mode(0.0);
    if (args.axis[0] >= 0) {
      const int a = args.axis[0], b = args.axis[1];
      along_mode =
          u[a] * (args.scale[0] * (c.along(a, args.cosine[0]) * c.along(b, args.sine[1]))) +
          u[b] * (args.scale[1] * (c.along(a, args.sine[0]) * c.along(b, args.cosine[1])));
    }
    c.set(args.product, along_mode, 1);
  }
};

}  // namespace lbm_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(lbm_moments, ::lbm::MomentsArgs) {
  for_each_cell(executor, "density and velocity", args.loop, lbm_kernels::Moments{args});
}
