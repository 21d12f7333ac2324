#include "gsim/exec/exact_reduce.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/random/normal.hpp"
#include "kernels/md/advance.hpp"
#include "kernels/md/move_one.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

GSIM_HD void kick_shaped(double factor, const md::KickShape& shape, const std::int64_t* force,
                         double* v) {
  for (int a = 0; a < 3; ++a)
    v[a] = fma(factor * shape.kick[a], static_cast<double>(force[a]), shape.decay[a] * v[a]);
}

GSIM_HD void scale_one(const md::VelocityScale& scale, double* v) {
  for (int a = 0; a < 3; ++a) v[a] = (v[a] - scale.shift[a]) * scale.factor;
}

struct KickSums {
  md::KickSumsArgs args;
  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    const md::MovingParticles& p = args.particles;
    const std::int32_t c = p.type[i];
    double v[3];
    load_velocity(p, i, v);
    kick_shaped(args.factor[c], args.shape, p.force.data + 3 * i, v);
    store_velocity(p, i, v);
    kinetic_terms(args.mass_in_quanta[c], v, term);
  }
};

struct Scale {
  md::ScaleArgs args;
  GSIM_HD void operator()(Index i) const {
    double v[3];
    load_velocity(args.particles, i, v);
    scale_one(args.scale[args.particles.type[i]], v);
    store_velocity(args.particles, i, v);
  }
};

/// All of a step's beginning but the drift.
GSIM_HD void begin_one(const md::AdvanceArgs& args, Index i, std::int32_t c, double* v) {
  const md::MovingParticles& p = args.particles;
  load_velocity(p, i, v);
  if (args.scale.size > 0) scale_one(args.scale[c], v);
  const std::int64_t* force = p.force.data + 3 * i;
  const double factor = args.factor[c];
  if (args.halves == 2)
    for (int a = 0; a < 3; ++a) v[a] = fma(factor, static_cast<double>(force[a]), v[a]);
  kick_shaped(factor, args.shape, force, v);
}

struct Advance {
  md::AdvanceArgs args;
  GSIM_HD void operator()(Index i) const {
    const md::MovingParticles& p = args.particles;
    double v[3], move[3];
    begin_one(args, i, p.type[i], v);
    store_velocity(p, i, v);
    advance_by(args.advance, v, move);
    drift_one(p, i, move, args.periodic, args.faults);
  }
};

/// As many particles at a time as normals are drawn side by side.
struct AdvanceLangevin {
  using Lane = packed<std::uint64_t>;
  static constexpr int width = lanes_of<Lane>;

  md::AdvanceLangevinArgs args;

  GSIM_HD void operator()(Index group, std::int64_t* term) const {
    const md::MovingParticles& p = args.advance.particles;
    const Index first = group * width;
    const Index left = p.id.size - first;
    const int count = left < width ? static_cast<int>(left) : width;
    double normal[3][width];
    draw(p.id.data + first, count, normal);
    *term = 0;
    for (int lane = 0; lane < count; ++lane) {
      const double r[3] = {normal[0][lane], normal[1][lane], normal[2][lane]};
      *term += advance_one(first + lane, r);
    }
  }

  /// Normals of `count` particles; other lanes repeat the first.
  GSIM_HD void draw(const std::int64_t* id, int count, double (*normal)[width]) const {
    std::uint64_t entity[width];
    for (int lane = 0; lane < width; ++lane)
      entity[lane] = static_cast<std::uint64_t>(id[lane < count ? lane : 0]);
    const auto words = philox_block(args.key, load<Lane>(entity), args.step, 0);
    const auto z = normals<double, Strict>(words);
    for (int a = 0; a < 3; ++a) store(normal[a], z[a]);
  }

  /// Moves particle i, and says what it took up: 2^58 quanta at most, so that a few have room.
  GSIM_HD std::int64_t advance_one(Index i, const double* r) const {
    const md::MovingParticles& p = args.advance.particles;
    const std::int32_t c = p.type[i];
    const md::LangevinClass& langevin = args.langevin[c];
    double before[3], v[3], path[3], move[3];
    begin_one(args.advance, i, c, before);
    double gained = 0;
    for (int a = 0; a < 3; ++a) {
      v[a] = fma(langevin.noise, r[a], langevin.memory * before[a]);
      path[a] = fma(args.later[a], v[a], before[a]);
      gained = fma(v[a] - before[a], v[a] + before[a], gained);
    }
    store_velocity(p, i, v);
    advance_by(args.advance.advance, path, move);
    drift_one(p, i, move, args.advance.periodic, args.advance.faults);
    return in_quanta(args.mass_in_quanta[c] * gained, 288230376151711744.0);
  }
};

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(md_kick_sums, md::KickSumsArgs) {
  exact_reduce<9>(executor, "kick and kinetic sums", args.particles.position.size,
                  md_kernels::KickSums{args}, args.sums);
}

GSIM_DEFINE_LAUNCHER(md_scale, md::ScaleArgs) {
  launch(executor, "scale velocities", args.particles.position.size, md_kernels::Scale{args});
}

GSIM_DEFINE_LAUNCHER(md_advance, md::AdvanceArgs) {
  launch(executor, "advance", args.particles.position.size, md_kernels::Advance{args});
}

GSIM_DEFINE_LAUNCHER(md_advance_langevin, md::AdvanceLangevinArgs) {
  constexpr Index width = md_kernels::AdvanceLangevin::width;
  exact_reduce<1>(executor, "advance with noise",
                  (args.advance.particles.position.size + width - 1) / width,
                  md_kernels::AdvanceLangevin{args}, args.heat, 256);
}
