// Dissipative particle dynamics: R. D. Groot and P. B. Warren, J. Chem. Phys. 107 (1997) 4423. For
// a pair at the distance r < 1, with w = 1 - r, the unit vector e from j to i and the relative
// velocity v = v_i - v_j, the force on i is (their Eqs. 4 to 9)
//     F = (a w - gamma w^2 (e v) + sigma w theta / sqrt(dt)) e,    sigma^2 = 2 gamma k T,
// where theta is a random number of mean 0 and variance 1 that both particles of the pair share.
// Both compute the force from the same numbers except for signs, so that the two forces cancel
// exactly.

#include <gsim/exec/exact_reduce.hpp>
#include <gsim/math/scalar.hpp>

#include "dpd_kernels.hpp"

GSIM_TARGET_BEGIN
namespace dpd_kernels {

// Largest magnitude of the force of a pair and of one term of a sum, in quanta.
inline constexpr double max_quanta = 0x1p55;

/// A NaN with the same bits on every processor.
GSIM_HD double not_a_number() { return bit_cast_to<double>(std::uint64_t{0x7ff8000000000000u}); }

struct Move {
  ::dpd::MoveArgs args;

  GSIM_HD void operator()(Index i) const {
    double displacement[3];
    bool is_valid = true;
    for (int a = 0; a < 3; ++a) {
      const Index k = 3 * i + a;
      const double force = static_cast<double>(args.force[k]) * args.force_quantum;
      const double before = args.velocity[k];
      const double half = before + 0.5 * args.time_step * force;
      args.velocity[k] = half;
      args.predicted[k] = before + args.lambda * args.time_step * force;
      displacement[a] = args.time_step * half * args.boxes_per_length;
      is_valid = is_valid && displacement[a] > -0.25 && displacement[a] < 0.25;
    }
    for (int a = 0; a < 3; ++a) {
      if (is_valid)
        args.position[i].x[a] +=
            static_cast<std::uint64_t>(static_cast<std::int64_t>(displacement[a] * 0x1p64));
      else
        args.velocity[3 * i + a] = args.predicted[3 * i + a] = not_a_number();
    }
  }
};

struct Force {
  ::dpd::ForceArgs args;

  /// Uniform with mean 0 and variance 1, addressed by the pair and the step.
  GSIM_HD double theta(std::int64_t id_i, std::int64_t id_j) const {
    const auto low = static_cast<std::uint64_t>(id_i < id_j ? id_i : id_j);
    const auto high = static_cast<std::uint64_t>(id_i < id_j ? id_j : id_i);
    const auto words = philox_block(args.key, low << 32 | high, args.step, 0);
    const auto word = static_cast<std::uint32_t>(words.x0);  // the lower half holds the random bits
    const double uniform = (static_cast<double>(word) + 0.5) * 0x1p-32;
    return (uniform - 0.5) * 0x1.bb67ae8584caap+1;  // sqrt(12)
  }

  GSIM_HD void operator()(Index i) const {
    std::int64_t sum[3] = {};
    bool is_valid = true;
    args.cells.for_each_neighbour(i, [&](Index j, const double* difference, double r2) {
      if (!(r2 < 1 && r2 > 0)) return;  // the direction is undefined at r = 0
      const double r = sqrt(r2), w = 1 - r;
      double approach = 0;  // (v_i - v_j) (r_i - r_j)
      for (int a = 0; a < 3; ++a)
        approach += (args.predicted[3 * i + a] - args.predicted[3 * j + a]) * -difference[a];
      const double force_over_r = (args.repulsion * w - args.friction * w * w * (approach / r) +
                                   args.noise * w * theta(args.id[i], args.id[j])) /
                                  r;
      for (int a = 0; a < 3; ++a) {
        const double quanta = force_over_r * -difference[a] * args.quanta_per_force;
        const bool fits = quanta > -max_quanta && quanta < max_quanta;  // false for a NaN, too
        is_valid = is_valid && fits;
        if (fits) sum[a] += static_cast<std::int64_t>(round_even(quanta));
      }
    });
    for (int a = 0; a < 3; ++a) {
      const Index k = 3 * i + a;
      args.force[k] = sum[a];
      args.velocity[k] =
          is_valid ? args.velocity[k] + static_cast<double>(sum[a]) * args.half_step_quantum
                   : not_a_number();
    }
  }
};

struct Observe {
  ::dpd::ObserveArgs args;

  GSIM_HD std::int64_t quanta(double value) const { return rounded(value * args.quanta_per_unit); }
  /// A value out of range counts as 0; health() reports it.
  GSIM_HD static std::int64_t rounded(double q) {
    return q > -0x1p62 && q < 0x1p62 ? static_cast<std::int64_t>(round_even(q)) : 0;
  }

  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    const double* const v = &args.velocity[3 * i];
    double energy = 0, virial = 0, laplacian = 0, force[3] = {};
    args.cells.for_each_neighbour(i, [&](Index, const double* difference, double r2) {
      if (!(r2 < 1 && r2 > 0)) return;
      const double r = sqrt(r2), w = 1 - r;
      energy += 0.25 * args.repulsion * w * w;
      virial += 0.5 * args.repulsion * w * r;
      laplacian += args.repulsion * (1 - 2 * w / r);  // u'' + 2 u' / r of u = a w^2 / 2
      for (int a = 0; a < 3; ++a) force[a] -= args.repulsion * w / r * difference[a];
    });
    term[0] = quanta(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    term[1] = quanta(energy);
    term[2] = quanta(virial);
    term[3] = quanta(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
    term[4] = quanta(laplacian);
    for (int a = 0; a < 3; ++a) term[5 + a] = rounded(v[a] * args.quanta_per_speed);
  }
};

}  // namespace dpd_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(dpd_move, ::dpd::MoveArgs) {
  launch(executor, "dpd_move", args.position.size, dpd_kernels::Move{args});
}
GSIM_DEFINE_LAUNCHER(dpd_force, ::dpd::ForceArgs) {
  launch(executor, "dpd_force", args.locals, dpd_kernels::Force{args});
}
GSIM_DEFINE_LAUNCHER(dpd_observe, ::dpd::ObserveArgs) {
  constexpr Index grain = 256;  // particles per work item of a host thread
  exact_reduce<::dpd::ObserveArgs::sums_count>(executor, "dpd_observe", args.locals,
                                               dpd_kernels::Observe{args}, args.sums, grain);
}
