#include "gsim/exec/exact_reduce.hpp"
#include "kernels/md/integrate.hpp"
#include "kernels/md/move_one.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

GSIM_HD void kick_one(const md::KickArgs& args, Index i, double* v) {
  const double factor = args.factor[args.particles.type[i]];
  for (int a = 0; a < 3; ++a) {
    const auto force = static_cast<double>(args.particles.force[3 * i + a]);
    for (int half = 0; half < args.halves; ++half) v[a] = fma(factor, force, v[a]);
  }
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
    double v[3];
    load_velocity(p, i, v);
    kick_one(args.kick, i, v);
    store_velocity(p, i, v);
    double move[3];
    advance_by(args.advance, v, move);
    drift_one(p, i, move, args.periodic, args.faults);
  }
};

struct KineticTerms {
  md::MovingParticles particles;
  View<const double> mass;
  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    double v[3];
    load_velocity(particles, i, v);
    kinetic_terms(mass[particles.type[i]], v, term);
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
