// cuRAND's device functions, compiled for the host by the C++ compiler.

#include "oracles.hpp"

#if __has_include(<curand_kernel.h>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#define QUALIFIERS static inline
#include <curand_kernel.h>
#pragma GCC diagnostic pop

bool oracle::has_curand() { return true; }

oracle::Words oracle::curand_philox(const Words& counter, const std::array<std::uint32_t, 2>& key) {
  const uint4 words = curand_Philox4x32_10(uint4{counter[0], counter[1], counter[2], counter[3]},
                                           uint2{key[0], key[1]});
  return {words.x, words.y, words.z, words.w};
}

oracle::Words oracle::curand_state_draws(std::uint64_t seed, std::uint64_t subsequence,
                                         std::uint64_t offset) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, subsequence, offset, &state);
  Words words;
  for (auto& w : words) w = curand(&state);
  return words;
}
#else
bool oracle::has_curand() { return false; }
oracle::Words oracle::curand_philox(const Words&, const std::array<std::uint32_t, 2>&) {
  return {};
}
oracle::Words oracle::curand_state_draws(std::uint64_t, std::uint64_t, std::uint64_t) { return {}; }
#endif
