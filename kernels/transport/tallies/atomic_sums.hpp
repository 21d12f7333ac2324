#pragma once
// Atomic addition to 128-bit sums on a device.

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/host_device.hpp"
#include "gsim/math/target.hpp"

#if defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Adds to a 128-bit sum in two words, with the carry of the lower word.
__device__ inline void add_atomically(WideInteger& sum, WideInteger x) {
  const auto low = static_cast<unsigned long long>(x);
  const unsigned long long before = atomicAdd(reinterpret_cast<unsigned long long*>(&sum), low);
  const auto high = static_cast<unsigned long long>(x >> 64);
  atomicAdd(reinterpret_cast<unsigned long long*>(&sum) + 1, high + (before + low < low ? 1 : 0));
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
