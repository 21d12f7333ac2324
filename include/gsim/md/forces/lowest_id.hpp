#pragma once
// Faults of particles are reported by kernels as the lowest id of a faulty particle, which does not
// depend on the order of threads. Without a fault it is no_particle.

#include <cstdint>

#include "gsim/math/target.hpp"

namespace gsim::md {
inline constexpr std::uint64_t no_particle = ~std::uint64_t{0};
}

GSIM_TARGET_BEGIN
namespace md_kernels {

GSIM_HD void note_lowest_id(std::uint64_t* word, std::int64_t id) {
  const auto mine = static_cast<std::uint64_t>(id);
#if defined(__CUDA_ARCH__)
  atomicMin(reinterpret_cast<unsigned long long*>(word), mine);
#else
  std::uint64_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (mine < seen && !__atomic_compare_exchange_n(word, &seen, mine, true, __ATOMIC_RELAXED,
                                                     __ATOMIC_RELAXED)) {
  }
#endif
}

}  // namespace md_kernels
GSIM_TARGET_END
