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

/// The halves of the product of two words.
struct WideProduct {
  std::uint32_t low, high;

  GSIM_HD WideProduct(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
    asm("{ .reg .b64 p; mul.wide.u32 p, %2, %3; mov.b64 {%0, %1}, p; }"
        : "=r"(low), "=r"(high)
        : "r"(a), "r"(b));
#else
    const std::uint64_t product = std::uint64_t{a} * b;
    low = static_cast<std::uint32_t>(product);
    high = static_cast<std::uint32_t>(product >> 32);
#endif
  }
};

/// Normals of one path, or of a path and its antithetic path.
template <class T, class Policy>
class KeyedNormals {
 public:
  KeyedNormals() = default;
  GSIM_HD KeyedNormals(const RoundKeys& keys, std::uint64_t sample)
      : keys_(&keys),
        low_(static_cast<std::uint32_t>(sample)),
        high_(static_cast<std::uint32_t>(sample >> 32)) {}

  /// Draws 4 block … 4 block + 3. There are less than 2^31 blocks.
  GSIM_HD Draws<T, normals_per_block> block(std::int32_t block) const {
    const auto position = static_cast<std::uint32_t>(block);
    std::uint32_t c0 = position << 24, c1 = position >> 8;
    std::uint32_t c2 = low_, c3 = high_;
    constexpr auto m0 = static_cast<std::uint32_t>(philox::multiplier0),
                   m1 = static_cast<std::uint32_t>(philox::multiplier1);
    GSIM_UNROLL
    for (int r = 0; r < 10; ++r) {
      const WideProduct p0(c0, m0), p1(c2, m1);
      c0 = p1.high ^ c1 ^ keys_->k0[r];
      c1 = p1.low;
      c2 = p0.high ^ c3 ^ keys_->k1[r];
      c3 = p0.low;
    }
    return normals<T, Policy>(PhiloxWords<std::uint64_t>{c0, c1, c2, c3});
  }

 private:
  const RoundKeys* keys_ = nullptr;
  std::uint32_t low_ = 0, high_ = 0;  ///< halves of the number of the sample
};

}  // namespace pricing_kernels
GSIM_TARGET_END
