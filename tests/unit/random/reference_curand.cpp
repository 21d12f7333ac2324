// cuRAND's device functions, compiled for the host by the C++ compiler.

#include "reference_philox.hpp"

#if __has_include(<curand_kernel.h>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#define QUALIFIERS static inline
#include <curand_kernel.h>
#pragma GCC diagnostic pop

bool reference_philox::has_curand() { return true; }

reference_philox::Words reference_philox::curand_philox(const Words& counter,
                                                        const std::array<std::uint32_t, 2>& key) {
  const uint4 words = curand_Philox4x32_10(uint4{counter[0], counter[1], counter[2], counter[3]},
                                           uint2{key[0], key[1]});
  return {words.x, words.y, words.z, words.w};
}

reference_philox::Words reference_philox::curand_state_draws(std::uint64_t seed,
                                                             std::uint64_t subsequence,
                                                             std::uint64_t offset) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, subsequence, offset, &state);
  Words words;
  for (auto& w : words) w = curand(&state);
  return words;
}
#else
bool reference_philox::has_curand() { return false; }
reference_philox::Words reference_philox::curand_philox(const Words&,
                                                        const std::array<std::uint32_t, 2>&) {
  return {};
}
reference_philox::Words reference_philox::curand_state_draws(std::uint64_t, std::uint64_t,
                                                             std::uint64_t) {
  return {};
}
#endif
