#pragma once
// A sum of integers that many threads add to; it does not depend on their order.

#include <cstdint>

#include "gsim/math/target.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Adds atomically to an integer, with wrap-around.
GSIM_HD void add_shared(std::int64_t* word, std::int64_t value) {
#if defined(__CUDA_ARCH__)
  atomicAdd(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(value));
#else
  __atomic_fetch_add(word, value, __ATOMIC_RELAXED);
#endif
}

}  // namespace md_kernels
GSIM_TARGET_END
