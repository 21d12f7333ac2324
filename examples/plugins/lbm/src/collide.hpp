#pragma once
// The collision of the populations of one cell. For kernel sources.

#include "lbm_kernels.hpp"

GSIM_TARGET_BEGIN
namespace lbm_kernels {

using ::lbm::populations;
using ::lbm::Relaxation;

/// Number of pairs of opposite populations.
inline constexpr int pairs = (populations - 1) / 2;

/// The deviation of the density from 1 and the momentum density of a cell, without the force. The
/// order of summation is fixed.
template <class R>
struct Sums {
  R density_deviation, momentum[3];
};

/// `f(i)` is population i: of one cell (a number) or of several cells (a gsim::Pack). Pair k
/// consists of the opposite populations 2 k + 1 and 2 k + 2.
template <class Population>
GSIM_HD auto sums_of(const Population& f) {
  const auto plus = [&](int k) { return f(2 * k + 1) + f(2 * k + 2); };
  const auto minus = [&](int k) { return f(2 * k + 1) - f(2 * k + 2); };
  // along (1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1), (0, 1, 1) and (0, 1, -1)
  const auto xy = minus(3), x_y = minus(4), xz = minus(5), x_z = minus(6), yz = minus(7),
             y_z = minus(8);
  Sums<decltype(f(0))> s;
  s.density_deviation = (f(0) + ((plus(0) + plus(1)) + plus(2))) +
                        (((plus(3) + plus(4)) + (plus(5) + plus(6))) + (plus(7) + plus(8)));
  s.momentum[0] = minus(0) + ((xy + x_y) + (xz + x_z));
  s.momentum[1] = minus(1) + ((xy - x_y) + (yz + y_z));
  s.momentum[2] = minus(2) + ((xz - x_z) + (yz - y_z));
  return s;
}

/// Coefficients of the collision that are the same for all cells. Those that contain a weight are
/// for the directions across edges (weight 1/36): multiply by 2 for the directions across faces
/// (1/18), and by 12 for the population at rest (1/3).
struct CollisionFactors {
  /// Factors by which the old population at rest, and the sum and the difference of an old pair,
  /// are multiplied.
  double rest_kept, even_kept, odd_kept;
  double even, squares, odd;  ///< factors of density - 1, density u[a] u[b], and momentum
  double half_force[3], even_force[3], odd_force[3];

  GSIM_HD explicit CollisionFactors(const Relaxation& r)
      : rest_kept(1 - r.even),
        even_kept(0.5 * (1 - r.even)),
        odd_kept(0.5 * (1 - r.odd)),
        even(::lbm::weight_edge * r.even),
        squares(::lbm::weight_edge * 4.5 * r.even),
        odd(::lbm::weight_edge * 3 * r.odd) {
    for (int a = 0; a < 3; ++a) {
      half_force[a] = 0.5 * r.force[a];
      even_force[a] = ::lbm::weight_edge * (9 * (1 - 0.5 * r.even)) * r.force[a];
      odd_force[a] = ::lbm::weight_edge * (3 * (1 - 0.5 * r.odd)) * r.force[a];
    }
  }
};

/// The terms that relaxation adds to the populations of a cell: relaxation rate times equilibrium,
/// plus the force, for the population at rest and for the even and odd parts of each pair.
template <class R>
struct AddedTerms {
  R rest, even[pairs], odd[pairs];
};

/// The first half of the collision (described at lbm::StepArgs): the terms that are added.
/// With the rate `even` of the even parts, the force F, and
///   q[a][b] = weight (4.5 even density u[a] u[b] + 9 (1 - even/2) (u[a] F[b] + u[b] F[a]) / 2)
/// the term of the even part of a pair along c is
///   weight even density_deviation - (q[x][x] + q[y][y] + q[z][z]) / 3 + (sum over a, b of c[a]
///   c[b] q[a][b])
/// The order of operations is fixed, so that results are bitwise the same on every machine.
template <class R>
GSIM_HD AddedTerms<R> added_terms(const CollisionFactors& r, const Sums<R>& s) {
  const R density = 1 + s.density_deviation, inverse = 1 / density, squares = r.squares * density;
  R u[3], q_factor[3], odd[3];
  for (int a = 0; a < 3; ++a) {
    const R momentum = s.momentum[a] + r.half_force[a];
    u[a] = momentum * inverse;
    q_factor[a] = squares * u[a] + r.even_force[a];
    odd[a] = r.odd * momentum + r.odd_force[a];
  }
  const R xx = u[0] * q_factor[0], yy = u[1] * q_factor[1], zz = u[2] * q_factor[2];
  const R xy = u[0] * q_factor[1] + u[1] * q_factor[0];  // q[x][y] + q[y][x]
  const R xz = u[0] * q_factor[2] + u[2] * q_factor[0];
  const R yz = u[1] * q_factor[2] + u[2] * q_factor[1];
  const R even = r.even * s.density_deviation - (1.0 / 3) * ((xx + yy) + zz);
  const R x = even + xx, y = even + yy, z = even + zz;
  const R in_xy = x + yy, in_xz = x + zz, in_yz = y + zz;
  return {
      12 * even,
      {2 * x, 2 * y, 2 * z, in_xy + xy, in_xy - xy, in_xz + xz, in_xz - xz, in_yz + yz, in_yz - yz},
      {2 * odd[0], 2 * odd[1], 2 * odd[2], odd[0] + odd[1], odd[0] - odd[1], odd[0] + odd[2],
       odd[0] - odd[2], odd[1] + odd[2], odd[1] - odd[2]}};
}

/// The second half: the new populations `first` and `second` of a pair.
template <class R>
GSIM_HD void relax_pair(const CollisionFactors& r, const R& even_term, const R& odd_term, R& first,
                        R& second) {
  const R even = r.even_kept * (first + second) + even_term;
  const R odd = r.odd_kept * (first - second) + odd_term;
  first = even + odd;
  second = even - odd;
}

}  // namespace lbm_kernels
GSIM_TARGET_END
