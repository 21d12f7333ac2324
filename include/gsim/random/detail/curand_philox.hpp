#pragma once
// Philox4x32-10 from cuRAND's device functions. CUDA only: philox.hpp includes it under nvcc.

#include <curand_philox4x32_x.h>

#include "gsim/math/target.hpp"

GSIM_TARGET_BEGIN
namespace detail {

/// Replaces the counter in the low halves of x0 … x3 by its block of random words.
__device__ __forceinline__ void curand_philox4x32_10(std::uint64_t& x0, std::uint64_t& x1,
                                                     std::uint64_t& x2, std::uint64_t& x3,
                                                     std::uint32_t k0, std::uint32_t k1) {
  const uint4 counter = {static_cast<std::uint32_t>(x0), static_cast<std::uint32_t>(x1),
                         static_cast<std::uint32_t>(x2), static_cast<std::uint32_t>(x3)};
  const uint4 words = curand_Philox4x32_10(counter, uint2{k0, k1});
  x0 = words.x;
  x1 = words.y;
  x2 = words.z;
  x3 = words.w;
}

}  // namespace detail
GSIM_TARGET_END
