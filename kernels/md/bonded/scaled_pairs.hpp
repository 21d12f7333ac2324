#pragma once
// Scaled pair potentials between atoms three bonds apart (1-4 pairs): U = 4 epsilon ((sigma/r)^12 -
// (sigma/r)^6) + C q1 q2 / r. Constants for each pair of atom types: 24 epsilon sigma^6, 2 sigma^6,
// C (epsilon and C multiplied by the 1-4 scale factors), square of the largest distance.

#include "gsim/md/bonded/bond_style.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct ScaledPair {
  static constexpr int atoms = 2, constants = 4;
  template <bool Sums, Real R, class Rows>
  static GSIM_HD BondedResult<R, 2> evaluate(const md::BondedJob& job, const Rows* row, Rows type) {
    const Vector<R> d = difference<R>(job, row[0], row[1]);
    const R r2 = dot(d, d);
    const R strength = constant<R>(job, type, constants, 0);
    const R twice_s6 = constant<R>(job, type, constants, 1);
    R coulomb(0.0);
    if (job.charge != nullptr)
      coulomb = constant<R>(job, type, constants, 2) * gather(job.charge, row[0]) *
                gather(job.charge, row[1]);
    const R i2 = R(1.0) / r2;
    const R i6 = i2 * i2 * i2;
    const R i1 = sqrt(i2);
    const R push = (strength * i6) * fma(twice_s6, i6, R(-1.0));
    BondResponse<R> u{fma(coulomb, i1, push) * i2, R(0.0)};
    if constexpr (Sums)
      u.energy =
          fma(coulomb, i1, (strength * (1.0 / 6)) * i6 * fma(R(0.5) * twice_s6, i6, R(-1.0)));
    return bond_result<Sums>(job, d, u, r2 > constant<R>(job, type, constants, 3));
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
