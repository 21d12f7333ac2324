#include "gsim/random/stream.hpp"

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "reference_philox.hpp"

using namespace gsim;

TEST_CASE("random streams: keys have their stored values") {
  // SplitMix64 seeded with 0 begins e220a8397b1dcdaf, 6e789e6aa1b965f4 (Vigna's splitmix64.c).
  CHECK(stream_key({0, Purpose::test}) == PhiloxKey{0x7b1dcdaf, 0xe220a839});
  CHECK(stream_key({0, Purpose::pricing_path_normals}) == PhiloxKey{0xa1b965f4, 0x6e789e6a});
}

TEST_CASE("random streams: seeds below 2^47 and purposes below 2^16 never share a key") {
  // Purposes that differ by k give the same key where the seeds differ by k times the increment of
  // SplitMix64, modulo 2^64.
  std::uint64_t smallest_difference = ~std::uint64_t{0}, key_offset = 0;
  for (int k = 1; k < 1 << 16; ++k) {
    key_offset += 0x9E3779B97F4A7C15;  // the increment
    smallest_difference = std::min({smallest_difference, key_offset, 0 - key_offset});
  }
  CHECK(smallest_difference > std::uint64_t{1} << 47);
}

TEST_CASE("random streams: numbers at fixed addresses have their stored values") {
  struct StoredNumbers {
    std::uint64_t seed;
    Purpose purpose;
    std::uint64_t entity, step;
    std::uint32_t block;
    reference_philox::Words words;
  };
  const StoredNumbers stored[] = {
      // These words were computed by an independent program, too.
      {0, Purpose::test, 0, 0, 0, {0xa9e39636, 0x24cbd2fb, 0x7d5ec3be, 0x40f0c400}},
      {0x2a,
       Purpose::pricing_path_normals,
       0,
       0,
       0,
       {0x5e1c7026, 0xe6e0d0d2, 0x03af02ac, 0x91851ba5}},
      {0x2a,
       Purpose::pricing_path_normals,
       1,
       0,
       0,
       {0xf2c4ef00, 0x5a0cc24a, 0x941ab8c2, 0x08180987}},
      {0x2a,
       Purpose::pricing_path_normals,
       0,
       1,
       0,
       {0xa8d88261, 0x4d31d9f8, 0x60c21f53, 0x7f2547bb}},
      {0x2a,
       Purpose::pricing_path_normals,
       0,
       0,
       1,
       {0x6b97e2a1, 0x70a99cda, 0xc3e64584, 0x708b1e13}},
      {0x7ea,
       static_cast<Purpose>(2),
       0xe8d4a51007,
       0xfb,
       3,
       {0x9ea7b226, 0x698bfd7b, 0x97deb603, 0xdd0365f6}},
      {0xffffffffffffffff,
       Purpose::pricing_scramble,
       0xffffffffffffffff,
       0xffffffffff,
       0xffffff,
       {0xcef65376, 0x44f318c0, 0x075a00ee, 0x2efd013b}},
      {7,
       Purpose::first_plugin_purpose,
       0x100000000,
       0x100,
       0x800000,
       {0xee0560bc, 0x79db9190, 0xbea308a6, 0xc059d552}},
  };
  for (const StoredNumbers& g : stored) {
    const PhiloxKey key = stream_key({g.seed, g.purpose});
    const auto w = philox_block(key, g.entity, g.step, g.block);
    const reference_philox::Words words = {std::uint32_t(w.x0), std::uint32_t(w.x1),
                                           std::uint32_t(w.x2), std::uint32_t(w.x3)};
    CHECK(words == g.words);
    // The layout in detail: (block | step << 24) low and high, entity low and high.
    const std::uint64_t position = g.step * random_block_limit + g.block;
    CHECK(words == reference_philox::random123_philox(
                       {std::uint32_t(position), std::uint32_t(position >> 32),
                        std::uint32_t(g.entity), std::uint32_t(g.entity >> 32)},
                       {key.k0, key.k1}));
  }
}

TEST_CASE("random streams: a field of an address that overflows is named in the error") {
  check_addresses("paths", 1, Index{1} << 40, Index{1} << 26);
  CHECK_THROWS_AS(check_addresses("paths", 1, (Index{1} << 40) + 1, 1), InputError);
  CHECK_THROWS_AS(check_addresses("paths", 1, 1, (Index{1} << 26) + 1), InputError);
  CHECK_THROWS_AS(check_addresses("paths", -1, 1, 1), InputError);
  try {
    check_addresses("path normals", 1, Index{1} << 50, 1);
  } catch (const InputError& e) {
    CHECK(std::string(e.what()).find("path normals needs 1125899906842624 steps") == 0);
  }
}
