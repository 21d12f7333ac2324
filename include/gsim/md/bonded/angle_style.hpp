#pragma once
// Angles: interactions of three atoms i, j (the centre), k: U(theta) of the angle at j between a =
// r_i - r_j and b = r_k - r_j. With n = a x b, |n| = |a| |b| sin(theta),
//   F_i = -U'/|n| (a (a.b)/a^2 - b),   F_k = -U'/|n| (b (a.b)/b^2 - a),   F_j = -F_i - F_k
// (from d(theta)/dr_i = a x n / (a^2 |n|)): laws give U'/|n|, which stays finite at theta = pi for
// laws in cos(theta).
//
// One of a plugin's is a struct like that of a bond (bond_style.hpp), a function of the cosine, with
//
//   template <Real R> static GSIM_HD LawTerms<R> angle(R cosine, const R* c);  // U, dU/dcos
//
// in the place of bond() and longest(), and GSIM_DEFINE_ANGLE(my_word, MyAngle).

#include "gsim/md/bonded/bond_style.hpp"

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

/// A plugin's struct as a law. Constants: its own.
template <class Struct>
struct OpenAngle {
  static constexpr int constants = Struct::size;
  template <bool Energy, Real R, class Types>
  static GSIM_HD AngleResponse<R> respond(const md::BondedJob& job, Types type,
                                          const AngleGeometry<R>& g) {
    R c[constants];
    for (int k = 0; k < constants; ++k) c[k] = constant<R>(job, type, constants, k);
    const R inverse = R(1.0) / g.arms;
    const LawTerms<R> u = Struct::angle(g.dot * inverse, c);
    return {-u.slope * inverse, u.energy};  // dcos/dtheta = -|a x b| / (|a| |b|)
  }
};

}  // namespace md_kernels
GSIM_TARGET_END

#define GSIM_DEFINE_ANGLE(name, Struct)                                    \
  GSIM_DEFINE_LAUNCHER(bonded_##name, md::BondedJob) {                     \
    using namespace md_kernels;                                            \
    run_bonded<Angle<OpenAngle<Struct>>>(executor, #name " angles", args); \
  }
