#pragma once
// The draws of DrawnNormals (gsim/pricing/path_normals.hpp) in fewer instructions on a CUDA device:
// the keys of all rounds of Philox are arguments of the kernel, so that instructions read them from
// constant memory.

#include "gsim/pricing/path_normals.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The keys of the ten rounds of Philox4x32.
struct RoundKeys {
  std::uint32_t k0[10], k1[10];

  RoundKeys() = default;
  explicit RoundKeys(PhiloxKey key) {
    for (std::uint32_t r = 0; r < 10; ++r) {
      k0[r] = key.k0 + r * philox::weyl0;
      k1[r] = key.k1 + r * philox::weyl1;
    }
  }
};

/// Normals of one path, or of a path and its antithetic path.
template <class T, class Policy>
struct KeyedNormals {
  const RoundKeys* keys;
  std::uint64_t sample;

  /// Draws 4 block … 4 block + 3. There are less than 2^31 blocks.
  GSIM_HD Draws<T, normals_per_block> block(std::int32_t block) const {
    const auto position = static_cast<std::uint32_t>(block);
    std::uint32_t c0 = position << 24, c1 = position >> 8;
    auto c2 = static_cast<std::uint32_t>(sample), c3 = static_cast<std::uint32_t>(sample >> 32);
    constexpr auto m0 = static_cast<std::uint32_t>(philox::multiplier0),
                   m1 = static_cast<std::uint32_t>(philox::multiplier1);
    GSIM_UNROLL
    for (int r = 0; r < 10; ++r) {
      const std::uint64_t p0 = std::uint64_t{c0} * m0, p1 = std::uint64_t{c2} * m1;
      c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ keys->k0[r];
      c1 = static_cast<std::uint32_t>(p1);
      c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ keys->k1[r];
      c3 = static_cast<std::uint32_t>(p0);
    }
    return normals<T, Policy>(PhiloxWords<std::uint64_t>{c0, c1, c2, c3});
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
