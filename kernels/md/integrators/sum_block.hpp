#pragma once
// Sums over blocks of as many particles as a vector register has lanes (move_block.hpp). The
// integer sums are the same as those over single particles. Host only.

#include "gsim/core/exact_sum.hpp"
#include "kernels/md/integrators/move_block.hpp"

#if !defined(__CUDACC__)
GSIM_TARGET_BEGIN
namespace md_kernels {

/// Adds the K terms of each of the particles [first, last), which terms(i, term) computes.
template <int K, class Terms>
GSIM_HD void add_one_by_one(const Terms& terms, Index first, Index last, WideInteger* sum) {
  for (Index i = first; i < last; ++i) {
    std::int64_t term[K];
    terms(i, term);
    for (int k = 0; k < K; ++k) sum[k] += term[k];
  }
}

/// Converts three registers x y z x y z … to one register for each axis.
GSIM_HD void deinterleave_axes(const MoveBlock::R* v, MoveBlock::R* axis) {
  constexpr int width = MoveBlock::width;
  double lanes[3 * width], one[width];
  for (int k = 0; k < 3; ++k) store(lanes + k * width, v[k]);
  for (int a = 0; a < 3; ++a) {
    for (int l = 0; l < width; ++l) one[l] = lanes[3 * l + a];
    axis[a] = load<MoveBlock::R>(one);
  }
}
/// The inverse of deinterleave_axes().
GSIM_HD void interleave_axes(const MoveBlock::R* axis, MoveBlock::R* v) {
  constexpr int width = MoveBlock::width;
  double lanes[3 * width], one[width];
  for (int a = 0; a < 3; ++a) {
    store(one, axis[a]);
    for (int l = 0; l < width; ++l) lanes[3 * l + a] = one[l];
  }
  for (int k = 0; k < 3; ++k) v[k] = load<MoveBlock::R>(lanes + k * width);
}

/// value(type[l]) in lane l: a quantity of the atom classes of a block of particles.
template <class Value>
GSIM_HD MoveBlock::R by_atom_class(Index classes, const std::int32_t* type, const Value& value) {
  if (classes == 1) return MoveBlock::R(value(0));
  double lanes[MoveBlock::width];
  for (int l = 0; l < MoveBlock::width; ++l) lanes[l] = value(type[l]);
  return load<MoveBlock::R>(lanes);
}

/// Adds in_quanta(x, limit) of all lanes to `sum`.
GSIM_HD void add_quanta(MoveBlock::R x, double limit, WideInteger* sum) {
  constexpr int width = MoveBlock::width;
  // Adding 1.5 2^52 rounds numbers below this bound to integers.
  constexpr double max_rounded_by_adding = 0x1p50, rounder = 0x1.8p52;
  if (all(abs(x) < MoveBlock::R(max_rounded_by_adding))) {
    std::int64_t lanes[width], total = 0;
    store(lanes, bit_cast_to<std::int64_t>(x + MoveBlock::R(rounder)));
    for (int l = 0; l < width; ++l) total += lanes[l] - bit_cast_to<std::int64_t>(rounder);
    *sum += total;
    return;
  }
  double lanes[width];
  store(lanes, x);
  for (int l = 0; l < width; ++l) *sum += in_quanta(lanes[l], limit);
}

/// Adds kinetic_terms() of a block of particles with velocities v (x y z x y z …).
GSIM_HD void add_kinetic_terms(View<const double> mass, const std::int32_t* type,
                               const MoveBlock::R* v, WideInteger* sum) {
  using R = MoveBlock::R;
  constexpr double limit = 0x1p62;
  const R m = by_atom_class(mass.size, type, [&](std::int32_t c) { return mass[c]; });
  R u[3];
  deinterleave_axes(v, u);
  const R p[3] = {m * u[0], m * u[1], m * u[2]};
  for (int a = 0; a < 3; ++a) {
    add_quanta(p[a] * u[a], limit, sum + a);
    add_quanta(p[a], limit, sum + 6 + a);
  }
  add_quanta(p[0] * u[1], limit, sum + 3);
  add_quanta(p[0] * u[2], limit, sum + 4);
  add_quanta(p[1] * u[2], limit, sum + 5);
}

}  // namespace md_kernels
GSIM_TARGET_END
#endif
