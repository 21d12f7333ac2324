#pragma once
// Kernels report faults of particles as the lowest id of the faulty particles, which does not
// depend on the order of threads, or as no_particle if there are none.

#include <cstdint>

#include "gsim/math/target.hpp"

namespace gsim::md {
inline constexpr std::uint64_t no_particle = ~std::uint64_t{0};
}

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Sets `*word` to the smaller of itself and `id`, atomically.
GSIM_HD void note_lowest_id(std::uint64_t* word, std::int64_t id) {
  const auto candidate = static_cast<std::uint64_t>(id);
#if defined(__CUDA_ARCH__)
  atomicMin(reinterpret_cast<unsigned long long*>(word), candidate);
#else
  std::uint64_t current = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (candidate < current && !__atomic_compare_exchange_n(word, &current, candidate, true,
                                                             __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}

}  // namespace md_kernels
GSIM_TARGET_END
