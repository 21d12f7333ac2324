#include "gsim/exec/exact_reduce.hpp"
#include "gsim/math/pack.hpp"
#include "kernels/md/integrate.hpp"
#include "kernels/md/lowest_id.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

GSIM_HD void kick_one(const md::KickArgs& args, Index i, double* v) {
  const double factor = args.factor[args.particles.type[i]];
  for (int a = 0; a < 3; ++a) {
    const auto force = static_cast<double>(args.particles.force[3 * i + a]);
    for (int half = 0; half < args.halves; ++half) v[a] = fma(factor, force, v[a]);
  }
}

GSIM_HD void load_velocity(const md::MovingParticles& p, Index i, double* v) {
  for (int a = 0; a < 3; ++a) v[a] = p.velocity[3 * i + a];
}
GSIM_HD void store_velocity(const md::MovingParticles& p, Index i, const double* v) {
  for (int a = 0; a < 3; ++a) p.velocity[3 * i + a] = v[a];
}

struct Kick {
  md::KickArgs args;
  GSIM_HD void operator()(Index i) const {
    double v[3];
    load_velocity(args.particles, i, v);
    kick_one(args, i, v);
    store_velocity(args.particles, i, v);
  }
};

struct KickDrift {
  md::KickDriftArgs args;
  GSIM_HD void operator()(Index i) const {
    const md::MovingParticles& p = args.kick.particles;
    const double* m = args.advance;
    double v[3];
    load_velocity(p, i, v);
    kick_one(args.kick, i, v);
    store_velocity(p, i, v);
    const double move[3] = {fma(m[0], v[0], fma(m[3], v[1], m[4] * v[2])),
                            fma(m[1], v[1], m[5] * v[2]), m[2] * v[2]};
    constexpr std::uint64_t quarter = std::uint64_t{1} << 62;
    constexpr double eighth = 2305843009213693952.0;  // 2^61
    bool is_sound = true;
    for (int a = 0; a < 3; ++a) is_sound = is_sound && abs(move[a]) < eighth;
    if (!is_sound) {
      return note_lowest_id(&args.faults->runaway, p.id[i]);
    }
    const FixedPosition from = p.position[i];
    FixedPosition to;
    std::int32_t crossed[3];
    for (int a = 0; a < 3; ++a) {
      const auto step = static_cast<std::int64_t>(round_even(move[a]));
      to.x[a] = from.x[a] + static_cast<std::uint64_t>(step);
      crossed[a] = (step > 0 && to.x[a] < from.x[a]) - (step < 0 && to.x[a] > from.x[a]);
      // Outside of the range's middle half, where differences would wrap.
      if (!args.periodic[a] && to.x[a] - quarter >= 2 * quarter)
        return note_lowest_id(&args.faults->lost, p.id[i]);
    }
    p.position[i] = to;
    for (int a = 0; a < 3; ++a)
      if (args.periodic[a] && crossed[a] != 0) p.image[3 * i + a] += crossed[a];
  }
};

GSIM_HD std::int64_t in_quanta(double x) {
  constexpr double most = 4611686018427387904.0;  // 2^62
  return static_cast<std::int64_t>(round_even(x < most ? (x > -most ? x : -most) : most));
}

struct KineticTerms {
  md::MovingParticles particles;
  View<const double> mass;
  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    double v[3];
    load_velocity(particles, i, v);
    const double m = mass[particles.type[i]];
    const double px = m * v[0], py = m * v[1], pz = m * v[2];
    term[0] = in_quanta(px * v[0]);
    term[1] = in_quanta(py * v[1]);
    term[2] = in_quanta(pz * v[2]);
    term[3] = in_quanta(px * v[1]);
    term[4] = in_quanta(px * v[2]);
    term[5] = in_quanta(py * v[2]);
    term[6] = in_quanta(px);
    term[7] = in_quanta(py);
    term[8] = in_quanta(pz);
  }
};

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(md_kick, md::KickArgs) {
  launch(executor, "kick", args.particles.position.size, md_kernels::Kick{args});
}

GSIM_DEFINE_LAUNCHER(md_kick_drift, md::KickDriftArgs) {
  launch(executor, "kick and drift", args.kick.particles.position.size,
         md_kernels::KickDrift{args});
}

GSIM_DEFINE_LAUNCHER(md_kinetic_sums, md::KineticSumsArgs) {
  exact_reduce<9>(executor, "kinetic sums", args.particles.position.size,
                  md_kernels::KineticTerms{args.particles, args.mass_in_quanta}, args.sums);
}
