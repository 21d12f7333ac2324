#pragma once
// AArch64 forms of the operations in vector.hpp.

#include "gsim/math/detail/vector.hpp"

GSIM_TARGET_BEGIN

namespace vec {

// T: type of the elements, W: number of lanes, s: suffix of the intrinsics, N: their vector type.
#define GSIM_NEON_REAL(T, W, s, N)                                                               \
  GSIM_HD Vec<T, W> fma(As<T, W>, Vec<T, W> a, Vec<T, W> b, Vec<T, W> c, Machine) {              \
    return (Vec<T, W>)vfmaq_##s((N)c, (N)a, (N)b);                                               \
  }                                                                                              \
  GSIM_HD Vec<T, W> sqrt(As<T, W>, Vec<T, W> a, Machine) { return (Vec<T, W>)vsqrtq_##s((N)a); } \
  GSIM_HD Vec<T, W> round_even(As<T, W>, Vec<T, W> a, Machine) {                                 \
    return (Vec<T, W>)vrndnq_##s((N)a);                                                          \
  }                                                                                              \
  GSIM_HD Vec<T, W> floor(As<T, W>, Vec<T, W> a, Machine) { return (Vec<T, W>)vrndmq_##s((N)a); }
GSIM_NEON_REAL(double, 2, f64, float64x2_t)
GSIM_NEON_REAL(float, 4, f32, float32x4_t)
#undef GSIM_NEON_REAL

}  // namespace vec

GSIM_TARGET_END
