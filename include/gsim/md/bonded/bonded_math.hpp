#pragma once
// Vector arithmetic and conversion of forces to integers (multiples of a quantum), for the kernels
// of bonded interactions.

#include "gsim/math/pack.hpp"
#include "gsim/md/bonded/bonded_job.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// A vector in three dimensions; its components R are scalars or packs.
template <class R>
struct Vector {
  R x, y, z;
};

template <Real R>
GSIM_HD R dot(const Vector<R>& a, const Vector<R>& b) {
  return fma(a.z, b.z, fma(a.y, b.y, a.x * b.x));
}
template <Real R>
GSIM_HD Vector<R> cross(const Vector<R>& a, const Vector<R>& b) {
  return {fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x))};
}
/// f a + g b.
template <Real R>
GSIM_HD Vector<R> combine(R f, const Vector<R>& a, R g, const Vector<R>& b) {
  return {fma(f, a.x, g * b.x), fma(f, a.y, g * b.y), fma(f, a.z, g * b.z)};
}
template <Real R>
GSIM_HD Vector<R> scaled(R f, const Vector<R>& a) {
  return {f * a.x, f * a.y, f * a.z};
}

/// The vector from the atom in row `from` to the nearest periodic image of the atom in row `to`.
template <Real R, class Rows>
GSIM_HD Vector<R> difference(const md::BondedJob& job, Rows to, Rows from) {
  const auto* const x = reinterpret_cast<const std::uint64_t*>(job.position);
  const Rows t = to + to + to, f = from + from + from;
  const auto along = [&](std::int32_t axis) {
    return convert<double>(bit_cast_to<std::int64_t>(gather(x, t + axis) - gather(x, f + axis)));
  };
  const R u = along(0), v = along(1), w = along(2);
  const double* const m = job.box_matrix;
  return {fma(R(m[4]), w, fma(R(m[3]), v, u * m[0])), fma(R(m[5]), w, v * m[1]), w * m[2]};
}

/// The `k`th constant of each interaction's type; every type has `count` constants.
template <Real R, class Types>
GSIM_HD R constant(const md::BondedJob& job, Types type, int count, int k) {
  return gather(job.constants + k, type * Types(count));
}

/// Result of an interaction between n atoms: the forces on the atoms in whole quanta, and the
/// contributions to energy (energy_virial[0]) and virial (xx, yy, zz, xy, xz, yz) in quanta, not
/// yet rounded.
template <class R, int n>
struct BondedResult {
  rebind<R, std::int64_t> force[n][3];
  R energy_virial[7];
  mask_of<R> is_fault;
};

/// The integer nearest to x, |x| < 2^51: adding 1.5 x 2^52 rounds x to a whole number, which the
/// low bits of the sum then contain.
template <Real R>
GSIM_HD rebind<R, std::int64_t> to_integer(R x) {
  constexpr double rounder = 0x1.8p52;
  return bit_cast_to<std::int64_t>(x + rounder) -
         rebind<R, std::int64_t>(bit_cast_to<std::int64_t>(rounder));
}

/// Whether a component of a force exceeds `largest` in magnitude or is NaN.
template <Real R>
GSIM_HD mask_of<R> is_too_large(const Vector<R>& f, double largest) {
  const R limit(largest);
  const auto fits = (abs(f.x) <= limit) & (abs(f.y) <= limit) & (abs(f.z) <= limit);
  return !fits;
}

/// Stores the force in whole quanta. In lanes with `is_fault`, where the force is out of range and
/// the run will end, it stores zero.
template <Real R>
GSIM_HD void set_force(rebind<R, std::int64_t>* to, const Vector<R>& f, mask_of<R> is_fault) {
  to[0] = to_integer(select(is_fault, R(0.0), f.x));
  to[1] = to_integer(select(is_fault, R(0.0), f.y));
  to[2] = to_integer(select(is_fault, R(0.0), f.z));
}

/// Adds the virial of force f on an atom at r from the interaction's reference point.
template <Real R>
GSIM_HD void add_virial(R* energy_virial, const Vector<R>& r, const Vector<R>& f) {
  energy_virial[1] += r.x * f.x;
  energy_virial[2] += r.y * f.y;
  energy_virial[3] += r.z * f.z;
  energy_virial[4] += r.x * f.y;
  energy_virial[5] += r.x * f.z;
  energy_virial[6] += r.y * f.z;
}

/// Converts the virial from force quanta to energy quanta, and the energy to quanta.
template <Real R>
GSIM_HD void scale_energy_virial(const md::BondedJob& job, R energy, R* energy_virial) {
  energy_virial[0] = energy * job.energy_scale;
  const double ratio = job.energy_scale / job.force_scale;
  for (int k = 1; k < 7; ++k) energy_virial[k] = energy_virial[k] * ratio;
}

}  // namespace md_kernels
GSIM_TARGET_END
