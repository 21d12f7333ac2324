#pragma once
// The draws of DrawnNormals (gsim/pricing/path_normals.hpp) in fewer instructions on a CUDA device:
// the keys of all rounds of Philox are arguments of the kernel, so that instructions read them from
// constant memory; and of the two products of the first round, one is that of all blocks of a
// sample and the other that of a block of all samples.

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

inline constexpr auto philox_factor0 = static_cast<std::uint32_t>(philox::multiplier0),
                      philox_factor1 = static_cast<std::uint32_t>(philox::multiplier1);

/// What blocks 4 block … 4 block + 3 of all samples have in common.
struct KeyedBlock {
  std::uint32_t upper;  ///< upper word of the position of the block (stream.hpp)
  WideProduct product;  ///< of its lower word, in the first round of Philox

  /// There are less than 2^31 blocks.
  explicit GSIM_HD KeyedBlock(std::int32_t block)
      : upper(static_cast<std::uint32_t>(block) >> 8),
        product(static_cast<std::uint32_t>(block) << 24, philox_factor0) {}
};

/// Normals of one path, or of a path and its antithetic path.
template <class T, class Policy>
class KeyedNormals {
 public:
  KeyedNormals() = default;
  GSIM_HD KeyedNormals(const RoundKeys& keys, std::uint64_t sample)
      : keys_(&keys), high_(static_cast<std::uint32_t>(sample >> 32)) {
    const WideProduct product(static_cast<std::uint32_t>(sample), philox_factor1);
    product_high_ = product.high;
    product_low_ = product.low;
  }

  /// The four draws of a block.
  GSIM_HD Draws<T, normals_per_block> block(const KeyedBlock& block) const {
    std::uint32_t c0 = product_high_ ^ block.upper ^ keys_->k0[0], c1 = product_low_;
    std::uint32_t c2 = block.product.high ^ high_ ^ keys_->k1[0], c3 = block.product.low;
    GSIM_UNROLL
    for (int r = 1; r < 10; ++r) {
      const WideProduct p0(c0, philox_factor0), p1(c2, philox_factor1);
      c0 = p1.high ^ c1 ^ keys_->k0[r];
      c1 = p1.low;
      c2 = p0.high ^ c3 ^ keys_->k1[r];
      c3 = p0.low;
    }
    return normals<T, Policy>(PhiloxWords<std::uint64_t>{c0, c1, c2, c3});
  }

 private:
  const RoundKeys* keys_ = nullptr;
  std::uint32_t high_ = 0;  ///< upper half of the number of the sample
  /// The product of its lower half in the first round of Philox.
  std::uint32_t product_high_ = 0, product_low_ = 0;
};

/// The argument of the functions block() of normals.
template <class Normals>
struct BlockArgument {
  using type = Index;
};
template <class T, class Policy>
struct BlockArgument<KeyedNormals<T, Policy>> {
  using type = KeyedBlock;
};

}  // namespace pricing_kernels
GSIM_TARGET_END
