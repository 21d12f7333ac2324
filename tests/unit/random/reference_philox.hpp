#pragma once
// Independent implementations of Philox4x32-10, each behind a plain function because their headers
// conflict.

#include <array>
#include <cstdint>

namespace reference_philox {

using Words = std::array<std::uint32_t, 4>;

/// Random123 1.14, the library of the authors.
Words random123_philox(const Words& counter, const std::array<std::uint32_t, 2>& key);

/// cuRAND's device code compiled for the host; tests skip it when the headers are not installed.
bool has_curand();
Words curand_philox(const Words& counter, const std::array<std::uint32_t, 2>& key);
/// Four draws after curand_init(seed, subsequence, offset).
Words curand_state_draws(std::uint64_t seed, std::uint64_t subsequence, std::uint64_t offset);

}  // namespace reference_philox
