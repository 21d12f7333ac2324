#include "gsim/random/philox.hpp"

#include <doctest/doctest.h>

#include "gsim/random/stream.hpp"
#include "reference_philox.hpp"

using namespace gsim;

namespace {

reference_philox::Words gsim_philox(const reference_philox::Words& c,
                                    const std::array<std::uint32_t, 2>& k) {
  const auto w =
      philox4x32_10(PhiloxWords<std::uint64_t>{c[0], c[1], c[2], c[3]}, PhiloxKey{k[0], k[1]});
  return {std::uint32_t(w.x0), std::uint32_t(w.x1), std::uint32_t(w.x2), std::uint32_t(w.x3)};
}

}  // namespace

TEST_CASE("Philox: published known answers are reproduced") {
  // Random123's kat_vectors (Salmon, Moraes, Dror and Shaw 2011).
  struct KnownAnswer {
    reference_philox::Words counter;
    std::array<std::uint32_t, 2> key;
    reference_philox::Words words;
  };
  const KnownAnswer known_answers[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
  for (const KnownAnswer& k : known_answers) CHECK(gsim_philox(k.counter, k.key) == k.words);
}

TEST_CASE("Philox: results agree with Random123 and with cuRAND's device code") {
  std::uint64_t state = 1;
  const auto word = [&] { return std::uint32_t(mix64(state++) >> 7); };
  for (int i = 0; i < 20000; ++i) {
    const reference_philox::Words counter = {word(), word(), word(), word()};
    const std::array<std::uint32_t, 2> key = {word(), word()};
    const reference_philox::Words words = gsim_philox(counter, key);
    REQUIRE(words == reference_philox::random123_philox(counter, key));
    if (reference_philox::has_curand())
      REQUIRE(words == reference_philox::curand_philox(counter, key));
  }
  if (!reference_philox::has_curand()) MESSAGE("cuRAND's headers are not installed: not compared");
}

TEST_CASE("Philox: the high halves of 64-bit lanes have no effect") {
  const PhiloxKey key{1, 2};
  const auto zero_high_halves = philox4x32_10(PhiloxWords<std::uint64_t>{3, 4, 5, 6}, key);
  const std::uint64_t high_half = 0xdeadbeefull << 32;
  const auto nonzero_high_halves = philox4x32_10(
      PhiloxWords<std::uint64_t>{high_half | 3, high_half | 4, high_half | 5, high_half | 6}, key);
  CHECK(std::uint32_t(zero_high_halves.x0) == std::uint32_t(nonzero_high_halves.x0));
  CHECK(std::uint32_t(zero_high_halves.x1) == std::uint32_t(nonzero_high_halves.x1));
  CHECK(std::uint32_t(zero_high_halves.x2) == std::uint32_t(nonzero_high_halves.x2));
  CHECK(std::uint32_t(zero_high_halves.x3) == std::uint32_t(nonzero_high_halves.x3));
}

TEST_CASE("Philox: blocks by address are those of cuRAND's Philox state") {
  if (!reference_philox::has_curand()) return;
  std::uint64_t state = 77;
  for (int i = 0; i < 2000; ++i) {
    const StreamId id{mix64(state++), Purpose::test};
    const PhiloxKey key = stream_key(id);
    const std::uint64_t entity = mix64(state++), step = mix64(state++) >> 27;  // step < 2^37
    const auto block = std::uint32_t(mix64(state++) >> 40);
    const auto w = philox_block(key, entity, step, block);
    const std::uint64_t seed = std::uint64_t{key.k1} << 32 | key.k0;
    const reference_philox::Words words = {std::uint32_t(w.x0), std::uint32_t(w.x1),
                                           std::uint32_t(w.x2), std::uint32_t(w.x3)};
    REQUIRE(words == reference_philox::curand_state_draws(seed, entity, 4 * (step << 24 | block)));
  }
}
