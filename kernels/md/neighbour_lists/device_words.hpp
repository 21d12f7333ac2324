#pragma once
// Words that many threads add to or raise at the same time, on either machine.

#include <cstdint>

#include "gsim/math/target.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Adds one; what the word was before.
GSIM_HD std::int32_t count_up(std::int32_t* word) {
#if defined(__CUDA_ARCH__)
  const unsigned before = atomicAdd(reinterpret_cast<unsigned int*>(word), 1u);
  return static_cast<std::int32_t>(before);
#else
  return __atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
#endif
}

/// The word becomes the larger one of itself and `value`.
GSIM_HD void raise_to(std::uint32_t* word, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  atomicMax(word, value);
#else
  std::uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (value > seen && !__atomic_compare_exchange_n(word, &seen, value, true, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED)) {
  }
#endif
}

}  // namespace md_kernels
GSIM_TARGET_END
