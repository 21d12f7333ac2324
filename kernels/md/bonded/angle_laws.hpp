#pragma once
// Interactions of three atoms i, j (the centre), k: U(theta) of the angle at j between a = r_i -
// r_j and b = r_k - r_j. With n = a x b, |n| = |a| |b| sin(theta),
//   F_i = -U'/|n| (a (a.b)/a^2 - b),   F_k = -U'/|n| (b (a.b)/b^2 - a),   F_j = -F_i - F_k
// (from d(theta)/dr_i = a x n / (a^2 |n|)): laws give U'/|n|, which stays finite at theta = pi for
// laws in cos(theta).

#include "gsim/math/atan.hpp"
#include "kernels/md/bonded/bonded_math.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// The angle as laws need it: a.b, |a x b| and |a| |b|.
template <class R>
struct AngleGeometry {
  R dot, cross, arms;
};
template <class R>
struct AngleResponse {
  R slope_over_cross;  ///< U'(theta) / |a x b|
  R energy;
};

/// U = K (theta - theta0)^2, theta in radians. At a straight angle, which has no plane, the force
/// of theta0 != pi has no direction either: it is zero there. Constants: K, theta0.
struct HarmonicAngle {
  static constexpr int constants = 2;
  template <bool Energy, Real R, class Types>
  static GSIM_HD AngleResponse<R> respond(const md::BondedJob& job, Types type,
                                          const AngleGeometry<R>& g) {
    const R k = constant<R>(job, type, constants, 0);
    const R bend = atan2<Strict>(g.cross, g.dot) - constant<R>(job, type, constants, 1);
    // Below a sine of 2^-26 the plane is rounding.
    const R least = g.arms * 0x1p-26;
    const R cross = select(g.cross > least, g.cross, least);
    return {(k + k) * bend / cross, k * bend * bend};
  }
};

/// U = K (1 + cos(theta)). Constants: K.
struct CosineAngle {
  static constexpr int constants = 1;
  template <bool Energy, Real R, class Types>
  static GSIM_HD AngleResponse<R> respond(const md::BondedJob& job, Types type,
                                          const AngleGeometry<R>& g) {
    const R slope = constant<R>(job, type, constants, 0) / g.arms;
    return {-slope, fma(slope, g.dot, constant<R>(job, type, constants, 0))};
  }
};

/// U = K (cos(theta) - cos(theta0))^2. Constants: K, cos(theta0).
struct CosineSquaredAngle {
  static constexpr int constants = 2;
  template <bool Energy, Real R, class Types>
  static GSIM_HD AngleResponse<R> respond(const md::BondedJob& job, Types type,
                                          const AngleGeometry<R>& g) {
    const R k = constant<R>(job, type, constants, 0);
    const R i = R(1.0) / g.arms;
    const R bend = fma(g.dot, i, -constant<R>(job, type, constants, 1));
    return {R(-2.0) * k * bend * i, k * bend * bend};
  }
};

template <class Law>
struct Angle {
  static constexpr int atoms = 3;
  template <bool Sums, Real R, class Rows>
  static GSIM_HD Outcome<R, 3> evaluate(const md::BondedJob& job, const Rows* row, Rows type) {
    const Vector<R> a = difference<R>(job, row[0], row[1]), b = difference<R>(job, row[2], row[1]);
    const Vector<R> n = cross(a, b);
    const R a2 = dot(a, a), b2 = dot(b, b), ab = dot(a, b);
    const auto law = Law::template respond<Sums>(
        job, type, AngleGeometry<R>{ab, sqrt(dot(n, n)), sqrt(a2) * sqrt(b2)});
    const R g = law.slope_over_cross * job.force_scale;
    const Vector<R> fi = combine(-g * (ab / a2), a, g, b), fk = combine(-g * (ab / b2), b, g, a);
    Outcome<R, 3> result;
    const R longest(job.longest2);
    result.is_fault = is_too_large(fi, job.largest) | is_too_large(fk, job.largest) |
                      (a2 > longest) | (b2 > longest);
    set_force(result.force[0], fi, result.is_fault);
    set_force(result.force[2], fk, result.is_fault);
    for (int c = 0; c < 3; ++c)
      result.force[1][c] =
          rebind<R, std::int64_t>(std::int64_t{0}) - (result.force[0][c] + result.force[2][c]);
    if constexpr (Sums) {
      for (R& t : result.terms) t = R(0.0);
      add_virial(result.terms, a, fi);
      add_virial(result.terms, b, fk);
      scale_terms(job, law.energy, result.terms);
    }
    return result;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
