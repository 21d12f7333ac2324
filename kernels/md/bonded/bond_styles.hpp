#pragma once
// Interactions of two atoms that are bound: U(r), and the force on the first over the vector from
// the second, -U'(r)/r.

#include "gsim/math/log.hpp"
#include "gsim/md/bonded/bond_style.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// U = K (r - r0)^2, without the factor 1/2, as LAMMPS's data files have it. Constants: K, r0,
/// longest^2.
struct HarmonicBond {
  static constexpr int constants = 3;
  template <bool Energy, Real R, class Types>
  static GSIM_HD BondResponse<R> respond(const md::BondedJob& job, Types type, R r2, Types, Types) {
    const R k = constant<R>(job, type, constants, 0), r0 = constant<R>(job, type, constants, 1);
    const R r = sqrt(r2);
    // Without a length at rest two atoms at one place feel no force.
    const R ratio = select(r0 == R(0.0), R(0.0), r0 / r);
    const R twice = k + k;
    BondResponse<R> result{fma(twice, ratio, -twice), R(0.0),
                           r2 > constant<R>(job, type, constants, 2)};
    if constexpr (Energy) {
      const R stretch = r - r0;
      result.energy = k * stretch * stretch;
    }
    return result;
  }
};

/// U = -K R0^2/2 ln(1 - (r/R0)^2), and for r < 2^(1/6) sigma also 4 epsilon ((sigma/r)^12 -
/// (sigma/r)^6) + epsilon (K. Kremer and G. S. Grest, J. Chem. Phys. 92 (1990) 5057, Eq. 1-3; the
/// core may be left to the pair potentials: epsilon = 0). Constants: K, R0^2, 1/R0^2, 24 epsilon
/// sigma^6, 2 sigma^6, epsilon, 2^(1/3) sigma^2, longest^2.
struct FeneBond {
  static constexpr int constants = 8;
  template <bool Energy, Real R, class Types>
  static GSIM_HD BondResponse<R> respond(const md::BondedJob& job, Types type, R r2, Types, Types) {
    const auto c = [&](int k) { return constant<R>(job, type, constants, k); };
    const R k = c(0);
    const R rest = fma(-r2, c(2), R(1.0));
    const R core = c(3), twice_s6 = c(4);
    const R i2 = R(1.0) / r2;
    const R i6 = i2 * i2 * i2;
    const auto in_core = r2 < c(6);
    // 24 e s^6 (2 s^6/r^6 - 1)/r^8
    const R push = (core * i6) * fma(twice_s6, i6, R(-1.0)) * i2;
    BondResponse<R> result{select(in_core, push, R(0.0)) - k / rest, R(0.0), r2 >= c(7)};
    if constexpr (Energy) {
      const R e = c(5);
      // core / 6 = 4 e s^6; with s^6 = twice_s6 / 2.
      const R lj = (core * (1.0 / 6)) * i6 * fma(R(0.5) * twice_s6, i6, R(-1.0)) + e;
      const R spring = (k * c(1)) * R(-0.5) * log<Strict>(rest);
      result.energy = spring + select(in_core, lj, R(0.0));
    }
    return result;
  }
};

/// Scaled parts of the pair potentials between atoms three bonds apart: U = 4 epsilon
/// ((sigma/r)^12 - (sigma/r)^6) + C q1 q2 / r. Constants: 24 epsilon sigma^6, 2 sigma^6, C (epsilon
/// and C with their scales), longest^2.
struct ScaledPair {
  static constexpr int constants = 4;
  template <bool Energy, Real R, class Types>
  static GSIM_HD BondResponse<R> respond(const md::BondedJob& job, Types type, R r2, Types first,
                                         Types second) {
    const R strength = constant<R>(job, type, constants, 0);
    const R twice_s6 = constant<R>(job, type, constants, 1);
    R coulomb(0.0);
    if (job.charge != nullptr)
      coulomb = constant<R>(job, type, constants, 2) * gather(job.charge, first) *
                gather(job.charge, second);
    const R i2 = R(1.0) / r2;
    const R i6 = i2 * i2 * i2;
    const R i1 = sqrt(i2);
    const R push = (strength * i6) * fma(twice_s6, i6, R(-1.0));
    BondResponse<R> result{fma(coulomb, i1, push) * i2, R(0.0),
                           r2 > constant<R>(job, type, constants, 3)};
    if constexpr (Energy)
      result.energy =
          fma(coulomb, i1, (strength * (1.0 / 6)) * i6 * fma(R(0.5) * twice_s6, i6, R(-1.0)));
    return result;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
