#pragma once
// Atomic operations on integers in the memory of an executor (host or device), for kernels of both.

#include <cstdint>
#include <type_traits>

#include "gsim/math/target.hpp"

GSIM_TARGET_BEGIN
namespace domain_kernels {

/// Adds one to `counter` and returns its previous value.
GSIM_HD std::int32_t atomic_increment(std::int32_t* counter) {
#if defined(__CUDA_ARCH__)
  const unsigned before = atomicAdd(reinterpret_cast<unsigned int*>(counter), 1u);
  return static_cast<std::int32_t>(before);
#else
  return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
#endif
}

/// As above for a counter of 64 bits.
GSIM_HD std::int64_t atomic_increment(std::int64_t* counter) {
#if defined(__CUDA_ARCH__)
  const unsigned long long before = atomicAdd(reinterpret_cast<unsigned long long*>(counter), 1ull);
  return static_cast<std::int64_t>(before);
#else
  return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
#endif
}

/// Adds `value` to `sum`, an integer of 64 bits, and returns its previous value.
template <class Sum>
GSIM_HD Sum atomic_add(Sum* sum, std::type_identity_t<Sum> value) {
  static_assert(sizeof(Sum) == 8);
#if defined(__CUDA_ARCH__)
  return static_cast<Sum>(atomicAdd(reinterpret_cast<unsigned long long*>(sum),
                                    static_cast<unsigned long long>(value)));
#else
  return __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
#endif
}

/// Sets `target` to `value` if it is `expected`. Returns whether it was.
GSIM_HD bool atomic_replace(std::int32_t* target, std::int32_t expected, std::int32_t value) {
#if defined(__CUDA_ARCH__)
  return atomicCAS(target, expected, value) == expected;
#else
  return __atomic_compare_exchange_n(target, &expected, value, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
#endif
}

/// Sets `target` to the larger one of itself and `value`, and returns its previous value.
GSIM_HD std::uint32_t atomic_max(std::uint32_t* target, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return atomicMax(target, value);
#else
  std::uint32_t current = __atomic_load_n(target, __ATOMIC_RELAXED);
  while (value > current && !__atomic_compare_exchange_n(target, &current, value, true,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return current;
#endif
}

}  // namespace domain_kernels
GSIM_TARGET_END
