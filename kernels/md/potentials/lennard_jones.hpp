#pragma once
// u(r) = 4 epsilon ((sigma/r)^12 - (sigma/r)^6) - shift (Jones, Proc. R. Soc. A 106 (1924) 463).

#include "gsim/math/pack.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct LennardJones {
  /// F/r; c = {48 epsilon sigma^12, -24 epsilon sigma^6} over the force quantum.
  template <Real R>
  static GSIM_HD R force(R r2, const R* c) {
    const R i2 = R(1) / r2;
    const R i6 = i2 * i2 * i2;
    return fma(c[0], i6, c[1]) * (i6 * i2);
  }
  /// u; c = {4 epsilon sigma^12, -4 epsilon sigma^6, -shift} over the energy quantum.
  template <Real R>
  static GSIM_HD R energy(R r2, const R* c) {
    const R i2 = R(1) / r2;
    const R i6 = i2 * i2 * i2;
    return fma(fma(c[0], i6, c[1]), i6, c[2]);
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
