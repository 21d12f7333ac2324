#include "gsim/exec/exact_reduce.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/random/normal.hpp"
#include "kernels/md/integrators/advance.hpp"
#include "kernels/md/integrators/move_one.hpp"
#include "kernels/md/integrators/sum_block.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// v = decay v + kick factor force (HalfKick).
GSIM_HD void kick_in_changing_box(double factor, const md::HalfKick& half_kick,
                                  const std::int64_t* force, double* v) {
  for (int a = 0; a < 3; ++a)
    v[a] =
        fma(factor * half_kick.kick[a], static_cast<double>(force[a]), half_kick.decay[a] * v[a]);
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
    kick_in_changing_box(args.factor[c], args.half_kick, p.force.data + 3 * i, v);
    store_velocity(p, i, v);
    kinetic_terms(args.mass_in_quanta[c], v, term);
  }
};

#if defined(__CUDACC__)

/// KickSums in a box that the device changes.
struct KickSumsInBox {
  md::KickSumsArgs args;
  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    md::KickSumsArgs now = args;
    now.half_kick = args.box->end_kick;
    KickSums{now}(i, term);
  }
};

#endif

struct Scale {
  md::ScaleArgs args;
  GSIM_HD void operator()(Index i) const {
    double v[3];
    load_velocity(args.particles, i, v);
    scale_one(args.scale[args.particles.type[i]], v);
    store_velocity(args.particles, i, v);
  }
};

/// The first part of a step, without the drift.
GSIM_HD void scale_and_kick(const md::AdvanceArgs& args, Index i, std::int32_t c, double* v) {
  const md::MovingParticles& p = args.particles;
  load_velocity(p, i, v);
  if (args.scale.size > 0) scale_one(args.scale[c], v);
  const std::int64_t* force = p.force.data + 3 * i;
  const double factor = args.factor[c];
  if (args.halves == 2)
    for (int a = 0; a < 3; ++a) v[a] = fma(factor, static_cast<double>(force[a]), v[a]);
  kick_in_changing_box(factor, args.half_kick, force, v);
}

struct Advance {
  md::AdvanceArgs args;
  GSIM_HD void operator()(Index i) const {
    const md::MovingParticles& p = args.particles;
    double v[3], move[3];
    scale_and_kick(args, i, p.type[i], v);
    store_velocity(p, i, v);
    advance_by(args.advance, v, move);
    drift_one(p, i, move, args.periodic, args.faults);
  }
};

/// Draws normals for `width` particles together, one particle in each lane, then moves the
/// particles one by one.
struct AdvanceLangevin {
  using Lane = packed<std::uint64_t>;
  static constexpr int width = lanes_of<Lane>;
  static constexpr double max_heat =
      288230376151711744.0;  // 2^58, so that a few terms can be added

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

  /// The normals of `count` particles; other lanes repeat the first.
  GSIM_HD void draw(const std::int64_t* id, int count, double (*normal)[width]) const {
    std::uint64_t entity[width];
    for (int lane = 0; lane < width; ++lane)
      entity[lane] = static_cast<std::uint64_t>(id[lane < count ? lane : 0]);
    const auto words = philox_block(args.key, load<Lane>(entity), args.step, 0);
    const auto z = normals<double, Strict>(words);
    for (int a = 0; a < 3; ++a) store(normal[a], z[a]);
  }

  /// Moves particle i and returns the energy that it received, in quanta.
  GSIM_HD std::int64_t advance_one(Index i, const double* r) const {
    const md::MovingParticles& p = args.advance.particles;
    const std::int32_t c = p.type[i];
    const md::LangevinClass& langevin = args.langevin[c];
    double before[3], v[3], drift_velocity[3], move[3];
    scale_and_kick(args.advance, i, c, before);
    double gained = 0;
    for (int a = 0; a < 3; ++a) {
      v[a] = fma(langevin.noise, r[a], langevin.decay * before[a]);
      drift_velocity[a] = fma(args.second_half_factor[a], v[a], before[a]);
      gained = fma(v[a] - before[a], v[a] + before[a], gained);
    }
    store_velocity(p, i, v);
    advance_by(args.advance.advance, drift_velocity, move);
    drift_one(p, i, move, args.advance.periodic, args.advance.faults);
    return in_quanta(args.mass_in_quanta[c] * gained, max_heat);
  }
};

#if defined(__CUDACC__)

/// Advance in a box that the device changes.
struct AdvanceInBox {
  md::AdvanceArgs args;
  GSIM_HD void operator()(Index i) const {
    md::AdvanceArgs now = args;
    now.half_kick = args.box->kick;
    for (int k = 0; k < 6; ++k) now.advance[k] = args.box->advance[k];
    Advance{now}(i);
  }
};

/// AdvanceLangevin in a box that the device changes.
struct AdvanceLangevinInBox {
  md::AdvanceLangevinArgs args;
  GSIM_HD void operator()(Index group, std::int64_t* term) const {
    const md::ChangingBox& box = *args.advance.box;
    md::AdvanceLangevinArgs now = args;
    now.advance.half_kick = box.kick;
    for (int k = 0; k < 6; ++k) now.advance.advance[k] = box.half_advance[k];
    for (int a = 0; a < 3; ++a) now.second_half_factor[a] = box.second_half_factor[a];
    AdvanceLangevin{now}(group, term);
  }
};

#else

/// Whether the particles may be moved in blocks: in a periodic, orthogonal box.
GSIM_HD bool is_simple(const md::AdvanceArgs& args) {
  return MoveBlock::width > 1 && args.periodic[0] && args.periodic[1] && args.periodic[2] &&
         args.advance[3] == 0 && args.advance[4] == 0 && args.advance[5] == 0;
}
GSIM_HD constexpr Index blocks_of(Index particles) {
  return (particles + MoveBlock::width - 1) / MoveBlock::width;
}

/// Register k (0 … 2) of the forces, in quanta, on the particles of a block.
GSIM_HD MoveBlock::R force_register(const md::MovingParticles& p, Index first, int k) {
  constexpr int width = MoveBlock::width;
  return convert<double>(load<Pack<std::int64_t, width> >(p.force.data + 3 * first + k * width));
}

/// kick_in_changing_box() for register k of a block.
GSIM_HD MoveBlock::R kick_register(MoveBlock::R factor, const md::HalfKick& half_kick, int k,
                                   MoveBlock::R force, MoveBlock::R v) {
  return fma(factor * MoveBlock::repeat_axes(half_kick.kick, k), force,
             MoveBlock::repeat_axes(half_kick.decay, k) * v);
}

struct KickSumsBlock {
  KickSums one;

  GSIM_HD void add(Index block, WideInteger* sum) const {
    constexpr int width = MoveBlock::width;
    const md::KickSumsArgs& args = one.args;
    const md::MovingParticles& p = args.particles;
    const Index first = block * width;
    if (first + width > p.position.size) return add_one_by_one<9>(one, first, p.position.size, sum);
    MoveBlock::R factor[3], v[3];
    MoveBlock::spread_by_class(args.factor, p.type.data + first, factor);
    for (int k = 0; k < 3; ++k) {
      double* const velocity = p.velocity.data + 3 * first + k * width;
      v[k] = kick_register(factor[k], args.half_kick, k, force_register(p, first, k),
                           load<MoveBlock::R>(velocity));
      store(velocity, v[k]);
    }
    add_kinetic_terms(args.mass_in_quanta, p.type.data + first, v, sum);
  }
};

/// (v - shift) * factor of a block.
GSIM_HD void scale_block(View<const md::VelocityScale> scale, const std::int32_t* type,
                         MoveBlock::R* v) {
  constexpr int width = MoveBlock::width;
  double shift[3 * width], factor[3 * width];
  for (int l = 0; l < width; ++l) {
    const md::VelocityScale& s = scale[type[l]];
    for (int a = 0; a < 3; ++a) {
      shift[3 * l + a] = s.shift[a];
      factor[3 * l + a] = s.factor;
    }
  }
  for (int k = 0; k < 3; ++k)
    v[k] = (v[k] - load<MoveBlock::R>(shift + k * width)) * load<MoveBlock::R>(factor + k * width);
}

/// scale_and_kick() of a block.
GSIM_HD void begin_block(const md::AdvanceArgs& args, Index first, MoveBlock::R* v) {
  constexpr int width = MoveBlock::width;
  const md::MovingParticles& p = args.particles;
  MoveBlock::R factor[3];
  MoveBlock::spread_by_class(args.factor, p.type.data + first, factor);
  for (int k = 0; k < 3; ++k) v[k] = load<MoveBlock::R>(p.velocity.data + 3 * first + k * width);
  if (args.scale.size > 0) scale_block(args.scale, p.type.data + first, v);
  for (int k = 0; k < 3; ++k) {
    const MoveBlock::R force = force_register(p, first, k);
    if (args.halves == 2) v[k] = fma(factor[k], force, v[k]);
    v[k] = kick_register(factor[k], args.half_kick, k, force, v[k]);
  }
}

struct AdvanceBlock {
  md::AdvanceArgs args;
  GSIM_HD void operator()(Index block) const {
    constexpr int width = MoveBlock::width;
    const md::MovingParticles& p = args.particles;
    const Index first = block * width;
    if (first + width > p.position.size) {
      for (Index i = first; i < p.position.size; ++i) Advance{args}(i);
      return;
    }
    MoveBlock::R v[3], move[3];
    begin_block(args, first, v);
    for (int k = 0; k < 3; ++k) {
      store(p.velocity.data + 3 * first + k * width, v[k]);
      move[k] = MoveBlock::repeat_axes(args.advance, k) * v[k];
    }
    MoveBlock::drift(p, first, move, args.periodic, args.faults);
  }
};

struct AdvanceLangevinBlock {
  AdvanceLangevin one;

  GSIM_HD void add(Index block, WideInteger* sum) const {
    constexpr int width = MoveBlock::width;
    using R = MoveBlock::R;
    const md::AdvanceLangevinArgs& args = one.args;
    const md::MovingParticles& p = args.advance.particles;
    const Index first = block * width;
    if (first + width > p.position.size) return add_one_by_one<1>(one, block, block + 1, sum);
    const std::int32_t* const type = p.type.data + first;
    const auto entity = load<Pack<std::uint64_t, width> >(
        reinterpret_cast<const std::uint64_t*>(p.id.data + first));
    const auto z = normals<double, Strict>(philox_block(args.key, entity, args.step, 0));
    R before[3], b[3], v[3], drift_velocity[3], move[3];
    begin_block(args.advance, first, before);
    deinterleave_axes(before, b);
    const auto langevin = [&](auto member) {
      return by_atom_class(args.langevin.size, type,
                           [&](std::int32_t c) { return args.langevin[c].*member; });
    };
    const R decay = langevin(&md::LangevinClass::decay);
    const R noise = langevin(&md::LangevinClass::noise);
    R gained(0.0);
    for (int a = 0; a < 3; ++a) {
      v[a] = fma(noise, z[a], decay * b[a]);
      drift_velocity[a] =
          fma(R(args.second_half_factor[a]), v[a], b[a]) * R(args.advance.advance[a]);
      gained = fma(v[a] - b[a], v[a] + b[a], gained);
    }
    const R mass = by_atom_class(args.mass_in_quanta.size, type,
                                 [&](std::int32_t c) { return args.mass_in_quanta[c]; });
    add_quanta(mass * gained, AdvanceLangevin::max_heat, sum);
    R interleaved[3];
    interleave_axes(v, interleaved);
    for (int k = 0; k < 3; ++k) store(p.velocity.data + 3 * first + k * width, interleaved[k]);
    interleave_axes(drift_velocity, move);
    MoveBlock::drift(p, first, move, args.advance.periodic, args.advance.faults);
  }
};

#endif

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(md_kick_sums, md::KickSumsArgs) {
  const Index particles = args.particles.position.size;
  const md_kernels::KickSums terms{args};
#if defined(__CUDACC__)
  if (args.box != nullptr)
    return exact_reduce_to<9>(executor, "kick and kinetic sums", particles,
                              md_kernels::KickSumsInBox{args}, args.device_sums);
  if (args.device_sums != nullptr)
    return exact_reduce_to<9>(executor, "kick and kinetic sums", particles, terms,
                              args.device_sums);
#else
  if constexpr (md_kernels::MoveBlock::width > 1)
    return exact_reduce<9>(executor, "kick and kinetic sums", md_kernels::blocks_of(particles),
                           md_kernels::KickSumsBlock{terms}, args.sums, 256);
#endif
  exact_reduce<9>(executor, "kick and kinetic sums", particles, terms, args.sums);
}

GSIM_DEFINE_LAUNCHER(md_scale, md::ScaleArgs) {
  launch(executor, "scale velocities", args.particles.position.size, md_kernels::Scale{args});
}

GSIM_DEFINE_LAUNCHER(md_advance, md::AdvanceArgs) {
  const Index particles = args.particles.position.size;
#if defined(__CUDACC__)
  if (args.box != nullptr)
    return launch(executor, "advance", particles, md_kernels::AdvanceInBox{args});
#else
  if (md_kernels::is_simple(args))
    return launch(executor, "advance", md_kernels::blocks_of(particles),
                  md_kernels::AdvanceBlock{args});
#endif
  launch(executor, "advance", particles, md_kernels::Advance{args});
}

GSIM_DEFINE_LAUNCHER(md_advance_langevin, md::AdvanceLangevinArgs) {
  const md_kernels::AdvanceLangevin terms{args};
  constexpr Index width = md_kernels::AdvanceLangevin::width;
  const Index groups = (args.advance.particles.position.size + width - 1) / width;
#if defined(__CUDACC__)
  if (args.advance.box != nullptr)
    return exact_reduce_to<1>(executor, "advance with noise", groups,
                              md_kernels::AdvanceLangevinInBox{args}, args.heat, 256);
#else
  static_assert(width == md_kernels::MoveBlock::width);
  if (md_kernels::is_simple(args.advance))
    return exact_reduce_to<1>(executor, "advance with noise", groups,
                              md_kernels::AdvanceLangevinBlock{terms}, args.heat, 256);
#endif
  exact_reduce_to<1>(executor, "advance with noise", groups, terms, args.heat, 256);
}
