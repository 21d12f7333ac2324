// Compiled once per target: by the host compiler for each level of CPU instructions, by nvcc for
// GPUs. Code between GSIM_TARGET_BEGIN and _END has names of its own for each target.

#include <gsim/exec/exact_reduce.hpp>
#include <gsim/random/normal.hpp>

#include "skeleton_kernels.hpp"

GSIM_TARGET_BEGIN
namespace skeleton_kernels {

/// Random numbers are addressed by a particle's id and the step, so that they do not depend on the
/// rank and the row of the particle.
struct Walk {
  skeleton_module::WalkArgs args;

  GSIM_HD void operator()(Index i) const {
    const auto id = static_cast<std::uint64_t>(args.id[i]);
    for (Index s = args.first_step; s < args.first_step + args.steps; ++s) {
      const auto z =
          normals<double, Strict>(philox_block(args.key, id, static_cast<std::uint64_t>(s), 0));
      for (int a = 0; a < 3; ++a) {
        const double step = args.deviation * z[a];
        args.moved[3 * i + a] += step;
        // Positions are 64-bit fractions of the box, whose overflow wraps at the periodic
        // boundaries.
        args.position[i].x[a] +=
            static_cast<std::uint64_t>(static_cast<std::int64_t>(step * args.units_per_length));
      }
    }
  }
};

/// Sums of integers do not depend on the order.
struct Observe {
  skeleton_module::ObserveArgs args;

  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    const double* const m = &args.moved[3 * i];
    const double square = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
    term[0] = static_cast<std::int64_t>(square * args.quanta_per_square);
    term[1] = 0;
    args.cells.for_each_neighbour(i, [&](Index /*other*/, const double* /*difference*/,
                                         double /*squared_distance*/) { ++term[1]; });
  }
};

}  // namespace skeleton_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(skeleton_walk, ::skeleton_module::WalkArgs) {
  launch(executor, "walk", args.id.size, skeleton_kernels::Walk{args});
}

GSIM_DEFINE_LAUNCHER(skeleton_observe, ::skeleton_module::ObserveArgs) {
  exact_reduce<2>(executor, "observe", args.locals, skeleton_kernels::Observe{args}, args.sums);
}
