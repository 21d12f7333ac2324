#include "gsim/exec/exact_reduce.hpp"
#include "kernels/md/integrators/fire.hpp"
#include "kernels/md/integrators/move_one.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Sets `*word` to the larger of itself and the bit pattern of x >= 0, atomically.
GSIM_HD void raise_to(std::int64_t* word, double x) {
  const auto value = bit_cast_to<std::int64_t>(x);
#if defined(__CUDA_ARCH__)
  atomicMax(reinterpret_cast<long long*>(word), value);
#else
  std::int64_t current = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (value > current && !__atomic_compare_exchange_n(word, &current, value, true,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}

GSIM_HD void load_force(const md::MovingParticles& p, Index i, double* f) {
  for (int a = 0; a < 3; ++a) f[a] = static_cast<double>(p.force[3 * i + a]);
}
GSIM_HD double dot(const double* x, const double* y) {
  return fma(x[0], y[0], fma(x[1], y[1], x[2] * y[2]));
}

struct FireLargestForces {
  md::FireLargestArgs args;
  GSIM_HD void operator()(Index i) const {
    const md::MovingParticles& p = args.particles;
    if (args.weight[p.type[i]] == 0) return;
    double f[3], v[3];
    load_force(p, i, f);
    load_velocity(p, i, v);
    raise_to(&args.largest->force, dot(f, f));
    raise_to(&args.largest->velocity, dot(v, v));
  }
};

struct FireTerms {
  md::FireSumsArgs args;
  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    const md::MovingParticles& p = args.particles;
    const double weight = args.weight[p.type[i]];
    double f[3], v[3];
    load_force(p, i, f);
    load_velocity(p, i, v);
    for (int a = 0; a < 3; ++a) {
      f[a] *= args.per_force * weight;
      v[a] *= args.per_velocity * weight;
    }
    constexpr double unit = 1152921504606846976.0;  // 2^60
    term[0] = in_quanta(dot(f, f) * unit);
    term[1] = in_quanta(dot(f, v) * unit);
    term[2] = in_quanta(dot(v, v) * unit);
  }
};

struct FireMove {
  md::FireMoveArgs args;
  GSIM_HD void operator()(Index i) const {
    const md::MovingParticles& p = args.particles;
    if (args.weight[p.type[i]] == 0) return;
    double f[3], before[3], v[3], drift_velocity[3], displacement[3];
    load_force(p, i, f);
    load_velocity(p, i, before);
    for (int a = 0; a < 3; ++a) {
      v[a] = fma(args.push, f[a], args.keep * before[a]);
      drift_velocity[a] = fma(args.back, before[a], v[a]);
    }
    store_velocity(p, i, v);
    advance_by(args.advance, drift_velocity, displacement);
    drift_one(p, i, displacement, args.periodic, args.faults);
  }
};

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(md_fire_largest, md::FireLargestArgs) {
  launch(executor, "largest force", args.particles.position.size,
         md_kernels::FireLargestForces{args});
}

GSIM_DEFINE_LAUNCHER(md_fire_sums, md::FireSumsArgs) {
  exact_reduce<3>(executor, "sums of forces and velocities", args.particles.position.size,
                  md_kernels::FireTerms{args}, args.sums);
}

GSIM_DEFINE_LAUNCHER(md_fire_move, md::FireMoveArgs) {
  launch(executor, "FIRE step", args.particles.position.size, md_kernels::FireMove{args});
}
