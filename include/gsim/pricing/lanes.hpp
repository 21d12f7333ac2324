#pragma once
// Definitions that kernels of payoffs and paths share. P is a group of paths: packed<T>, a pack of
// several registers, or on CUDA a scalar.

#include "gsim/core/types.hpp"
#include "gsim/math/elementary.hpp"
#include "gsim/math/pack.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/random/normal.hpp"
#include "gsim/random/uniform.hpp"

// Loop pragmas: nvcc and the host compilers spell them differently.
#if defined(__CUDACC__)
#define GSIM_UNROLL _Pragma("unroll")
#define GSIM_NO_UNROLL _Pragma("unroll 1")
#else
#define GSIM_UNROLL _Pragma("GCC unroll 4")
#define GSIM_NO_UNROLL
#endif

namespace gsim::pricing {}

GSIM_TARGET_BEGIN
namespace pricing_kernels {
using namespace gsim::pricing;

/// A lower bound for numbers that are divided by or whose square root is taken and that may round
/// to 0: positive, far below all other values of these numbers, and with a square that does not
/// underflow in T.
template <class T>
GSIM_HD constexpr T tiny() {
  return sizeof(T) == 8 ? T(1e-100) : T(1e-15);
}
/// A number below every log-spot and spot.
template <class T>
GSIM_HD constexpr T lowest() {
  return sizeof(T) == 8 ? T(-1e300) : T(-1e30);
}

}  // namespace pricing_kernels
GSIM_TARGET_END
