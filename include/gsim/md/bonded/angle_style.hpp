#pragma once
// Angles: interactions of three atoms i, j (the centre), k: U(theta) of the angle at j between a =
// r_i - r_j and b = r_k - r_j. With n = a x b, |n| = |a| |b| sin(theta),
//   F_i = -U'/|n| (a (a.b)/a^2 - b),   F_k = -U'/|n| (b (a.b)/b^2 - a),   F_j = -F_i - F_k
// (from d(theta)/dr_i = a x n / (a^2 |n|)). Styles compute U'/|n|, which is finite at theta = pi
// for functions of cos(theta).
//
// An angle style is a struct like that of a bond (bond_style.hpp; in kernels/md/bonded/angles, or
// of a plugin) with a function of the cosine,
//
//   template <Real R> static GSIM_HD EnergyAndSlope<R> angle(R cosine, const R* c);  // U, dU/dcos
//
// instead of bond() and longest(), and with GSIM_DEFINE_ANGLE(my_name, MyAngle). Optional members:
//
//   // Energy and U'/|n| from the geometry; replaces angle().
//   template <Real R> static GSIM_HD AngleResponse<R> respond(const AngleGeometry<R>&, const R* c);
//   static EnergyAndSlope<double> largest(const double* p);   // the largest |U| and |U'(theta)|
//   static constexpr char lammps_style[] = "cosine/squared";

#include "gsim/md/bonded/bond_style.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// The geometry of an angle: a.b, |a x b| and |a| |b|.
template <class R>
struct AngleGeometry {
  R dot, cross, arms;
};
template <class R>
struct AngleResponse {
  R slope_over_cross;  ///< U'(theta) / |a x b|
  R energy;
};

template <class Style, Real R>
GSIM_HD AngleResponse<R> angle_response(const AngleGeometry<R>& g, const R* c) {
  if constexpr (requires { Style::respond(g, c); }) {
    return Style::respond(g, c);
  } else {
    const R inverse = R(1.0) / g.arms;
    const EnergyAndSlope<R> u = Style::angle(g.dot * inverse, c);
    return {-u.slope * inverse, u.energy};  // dcos/dtheta = -|a x b| / (|a| |b|)
  }
}

/// Constants of a type: the style's coefficients.
template <class Style>
struct Angle {
  static constexpr int atoms = 3;
  template <bool Sums, Real R, class Rows>
  static GSIM_HD BondedResult<R, 3> evaluate(const md::BondedJob& job, const Rows* row, Rows type) {
    const Vector<R> a = difference<R>(job, row[0], row[1]), b = difference<R>(job, row[2], row[1]);
    const Vector<R> n = cross(a, b);
    const R a2 = dot(a, a), b2 = dot(b, b), ab = dot(a, b);
    R c[Style::size];
    for (int k = 0; k < Style::size; ++k) c[k] = constant<R>(job, type, Style::size, k);
    const auto u =
        angle_response<Style>(AngleGeometry<R>{ab, sqrt(dot(n, n)), sqrt(a2) * sqrt(b2)}, c);
    const R g = u.slope_over_cross * job.force_scale;
    const Vector<R> fi = combine(-g * (ab / a2), a, g, b), fk = combine(-g * (ab / b2), b, g, a);
    BondedResult<R, 3> result;
    const R longest(job.longest2);
    result.is_fault = is_too_large(fi, job.largest) | is_too_large(fk, job.largest) |
                      (a2 > longest) | (b2 > longest);
    set_force(result.force[0], fi, result.is_fault);
    set_force(result.force[2], fk, result.is_fault);
    for (int k = 0; k < 3; ++k)
      result.force[1][k] =
          rebind<R, std::int64_t>(std::int64_t{0}) - (result.force[0][k] + result.force[2][k]);
    if constexpr (Sums) {
      for (R& t : result.energy_virial) t = R(0.0);
      add_virial(result.energy_virial, a, fi);
      add_virial(result.energy_virial, b, fk);
      scale_energy_virial(job, u.energy, result.energy_virial);
    }
    return result;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END

/// The launcher angle_NAME of an angle style.
#define GSIM_DECLARE_ANGLE(name) GSIM_DECLARE_LAUNCHER(angle_##name, md::BondedJob)
#define GSIM_DEFINE_ANGLE(name, Style)                                                             \
  GSIM_DEFINE_LAUNCHER(angle_##name, md::BondedJob) {                                              \
    md_kernels::run_bonded<md_kernels::Angle<md_kernels::Style>>(executor, #name " angles", args); \
  }
