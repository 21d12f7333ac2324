#include "gsim/exec/exact_reduce.hpp"
#include "kernels/md/integrators/integrate.hpp"
#include "kernels/md/integrators/move_block.hpp"
#include "kernels/md/integrators/move_one.hpp"
#include "kernels/md/integrators/sum_block.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Adds the half kicks, one after the other, to the velocity v of particle i.
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

#if !defined(__CUDACC__)
/// KickDrift for a block of particles; those after the last complete block one by one.
struct KickDriftBlock {
  static constexpr int width = MoveBlock::width;
  using R = MoveBlock::R;
  md::KickDriftArgs args;

  GSIM_HD void operator()(Index block) const {
    const md::MovingParticles& p = args.kick.particles;
    const Index first = block * width;
    if (first + width > p.position.size) {
      const KickDrift one{args};
      for (Index i = first; i < p.position.size; ++i) one(i);
      return;
    }
    R factor[3], move[3];
    MoveBlock::spread_by_class(args.kick.factor, p.type.data + first, factor);
    for (int k = 0; k < 3; ++k) {
      double* const velocity = p.velocity.data + 3 * first + k * width;
      R v = load<R>(velocity);
      const R force =
          convert<double>(load<Pack<std::int64_t, width>>(p.force.data + 3 * first + k * width));
      for (int half = 0; half < args.kick.halves; ++half) v = fma(factor[k], force, v);
      store(velocity, v);
      move[k] = MoveBlock::repeat_axes(args.advance, k) * v;
    }
    MoveBlock::drift(p, first, move, args.periodic, args.faults);
  }
};
#endif

struct KineticTerms {
  md::MovingParticles particles;
  View<const double> mass;
  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    double v[3];
    load_velocity(particles, i, v);
    kinetic_terms(mass[particles.type[i]], v, term);
  }
};

#if !defined(__CUDACC__)
/// KineticTerms for a block of particles.
struct KineticTermsBlock {
  static constexpr int width = MoveBlock::width;
  KineticTerms one;

  GSIM_HD void add(Index block, WideInteger* sum) const {
    const md::MovingParticles& p = one.particles;
    const Index first = block * width;
    if (first + width > p.position.size) return add_one_by_one<9>(one, first, p.position.size, sum);
    MoveBlock::R v[3];
    for (int k = 0; k < 3; ++k) v[k] = load<MoveBlock::R>(p.velocity.data + 3 * first + k * width);
    add_kinetic_terms(one.mass, p.type.data + first, v, sum);
  }
};
#endif

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(md_kick, md::KickArgs) {
  launch(executor, "kick", args.particles.position.size, md_kernels::Kick{args});
}

GSIM_DEFINE_LAUNCHER(md_kick_drift, md::KickDriftArgs) {
  const Index particles = args.kick.particles.position.size;
#if !defined(__CUDACC__)
  using Block = md_kernels::KickDriftBlock;
  // The box is periodic and orthogonal.
  const bool is_simple = args.periodic[0] && args.periodic[1] && args.periodic[2] &&
                         args.advance[3] == 0 && args.advance[4] == 0 && args.advance[5] == 0;
  if constexpr (Block::width > 1)
    if (is_simple)
      return launch(executor, "kick and drift", (particles + Block::width - 1) / Block::width,
                    Block{args});
#endif
  launch(executor, "kick and drift", particles, md_kernels::KickDrift{args});
}

GSIM_DEFINE_LAUNCHER(md_kinetic_sums, md::KineticSumsArgs) {
  const md_kernels::KineticTerms terms{args.particles, args.mass_in_quanta};
  const Index particles = args.particles.position.size;
#if defined(__CUDACC__)
  if (args.device_sums != nullptr)
    return exact_reduce_to<9>(executor, "kinetic sums", particles, terms, args.device_sums);
#else
  using Block = md_kernels::KineticTermsBlock;
  if constexpr (Block::width > 1)
    return exact_reduce<9>(executor, "kinetic sums", (particles + Block::width - 1) / Block::width,
                           Block{terms}, args.sums, 256);  // blocks per work item
#endif
  exact_reduce<9>(executor, "kinetic sums", particles, terms, args.sums);
}
