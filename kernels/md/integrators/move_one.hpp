#pragma once
// The operations on one particle of the kernels that move particles.

#include <cstdint>

#include "gsim/math/pack.hpp"
#include "gsim/md/forces/lowest_id.hpp"
#include "kernels/md/integrators/integrate.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

GSIM_HD void load_velocity(const md::MovingParticles& p, Index i, double* v) {
  for (int a = 0; a < 3; ++a) v[a] = p.velocity[3 * i + a];
}
GSIM_HD void store_velocity(const md::MovingParticles& p, Index i, const double* v) {
  for (int a = 0; a < 3; ++a) p.velocity[3 * i + a] = v[a];
}

/// Moves particle i by `move`, in 2^-64 of the axes' ranges. A particle whose displacement is too
/// large is not moved, and its id is recorded in `faults`.
GSIM_HD void drift_one(const md::MovingParticles& p, Index i, const double* move,
                       const bool* periodic, md::Faults* faults) {
  constexpr std::uint64_t quarter = std::uint64_t{1} << 62;
  constexpr double eighth_of_range = 2305843009213693952.0;  // 2^61
  bool is_small = true;                                      // false also for NaN
  for (int a = 0; a < 3; ++a) is_small = is_small && abs(move[a]) < eighth_of_range;
  if (!is_small) return note_lowest_id(&faults->too_fast, p.id[i]);
  const FixedPosition from = p.position[i];
  FixedPosition to;
  std::int32_t crossed[3];
  for (int a = 0; a < 3; ++a) {
    const auto step = static_cast<std::int64_t>(round_even(move[a]));
    to.x[a] = from.x[a] + static_cast<std::uint64_t>(step);
    crossed[a] = (step > 0 && to.x[a] < from.x[a]) - (step < 0 && to.x[a] > from.x[a]);
    // Positions along an open axis must stay in the middle half of the integer range: differences
    // of positions outside of it would wrap.
    if (!periodic[a] && to.x[a] - quarter >= 2 * quarter)
      return note_lowest_id(&faults->lost, p.id[i]);
  }
  p.position[i] = to;
  for (int a = 0; a < 3; ++a)
    if (periodic[a] && crossed[a] != 0) p.image[3 * i + a] += crossed[a];
}

/// The displacement m v: m is an upper triangular matrix in the order xx, yy, zz, xy, xz, yz.
GSIM_HD void advance_by(const double* m, const double* v, double* move) {
  move[0] = fma(m[0], v[0], fma(m[3], v[1], m[4] * v[2]));
  move[1] = fma(m[1], v[1], m[5] * v[2]);
  move[2] = m[2] * v[2];
}

/// The integer nearest to x, limited to [-limit, limit] (by default 2^62).
GSIM_HD std::int64_t in_quanta(double x, double limit = 4611686018427387904.0) {
  return static_cast<std::int64_t>(round_even(x < limit ? (x > -limit ? x : -limit) : limit));
}

/// The nine terms of a particle in KineticSumsArgs::sums, from its mass and velocity.
GSIM_HD void kinetic_terms(double m, const double* v, std::int64_t* term) {
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

}  // namespace md_kernels
GSIM_TARGET_END
