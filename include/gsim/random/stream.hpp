#pragma once
// Addresses of random draws. A draw is named by (seed, purpose, entity, step, draw); rank, thread,
// device and the order of calls never enter.
//
//   key     = stream_key(seed, purpose)
//   counter = entity (64 bits) | step (40 bits) | block (24 bits)
//   word    = draw mod 4 within block draw / 4; a uniform double takes two words, a uniform float
//             and a normal of either precision one
//
// An entity is the object for which numbers are drawn (path, particle, history), a step its time
// step or event number; `draw` is the number of a 32-bit word within the step.

#include <cstdint>

#include "gsim/core/types.hpp"
#include "gsim/random/philox.hpp"
#include "gsim/random/purposes.hpp"

namespace gsim {

/// A family of random streams, identified by the seed of the run and the purpose of the numbers.
struct StreamId {
  std::uint64_t seed = 0;
  Purpose purpose = Purpose::test;
};

inline constexpr std::uint64_t random_step_limit = std::uint64_t{1} << 40;   ///< steps per entity
inline constexpr std::uint64_t random_block_limit = std::uint64_t{1} << 24;  ///< blocks per step

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014; constants: Stafford's variant 13), a
/// bijection of 64-bit words.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

/// The Philox key of a stream: output number `purpose` (from 0) of SplitMix64 seeded with `seed`.
/// One purpose gives distinct keys to distinct seeds; streams with seeds below 2^47 and purposes
/// below 2^16 never share a key, because the first 2^16 multiples of the increment (2^64 over the
/// golden ratio) stay more than 2^47 away from 0 modulo 2^64 (tested).
constexpr PhiloxKey stream_key(StreamId id) {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
  const std::uint64_t key =
      mix64(id.seed + golden * (std::uint64_t{static_cast<std::uint32_t>(id.purpose)} + 1));
  return {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)};
}

/// Checks, when a run is planned, that every address fits its field: `entities` entities, each with
/// `steps` steps of `words` 32-bit words. `what` names the use in the message. Throws InputError.
void check_addresses(const char* what, Index entities, Index steps, Index words);

}  // namespace gsim
