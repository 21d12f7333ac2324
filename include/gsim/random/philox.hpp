#pragma once
// Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random
// numbers: as easy as 1, 2, 3" (SC11, 2011): four 32-bit words are a pure function of a 128-bit
// counter and a 64-bit key, so a draw is addressed, never taken in turn.
//
// Words travel in 64-bit lanes whose low half holds the word and whose high half is unspecified:
// the 32 x 32 -> 64 bit multiplication of x86 (pmuludq) reads low halves only and leaves the high
// word of the product one shift away, so a round needs no shuffles.
//
// On a CUDA device the words come from cuRAND's device function; tests prove the same bits.

#include <cstdint>

#include "gsim/math/target.hpp"

#if defined(__CUDACC__) && __has_include(<curand_philox4x32_x.h>)
#include "gsim/random/detail/curand_philox.hpp"
#endif

namespace gsim {

/// The 64-bit key of Philox4x32, low word first.
struct PhiloxKey {
  std::uint32_t k0 = 0, k1 = 0;
  friend constexpr bool operator==(const PhiloxKey&, const PhiloxKey&) = default;
};

}  // namespace gsim

GSIM_TARGET_BEGIN

/// Four words in the low halves of 64-bit lanes; L is std::uint64_t or a pack of it. The high
/// halves of results are unspecified: read words through low_word() or the conversions of
/// uniform.hpp.
template <class L>
struct PhiloxWords {
  L x0, x1, x2, x3;
};

namespace philox {

inline constexpr std::uint32_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
inline constexpr std::uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;

/// The 64-bit product of the low half of `a` and `m`.
GSIM_HD std::uint64_t multiply_low(std::uint64_t a, std::uint32_t m) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) * m;
}

/// One round, Salmon et al. (2011) section 3.3: (c0, c1, c2, c3) becomes
/// (hi(M1 c2) ^ c1 ^ k0, lo(M1 c2), hi(M0 c0) ^ c3 ^ k1, lo(M0 c0)).
template <class L>
GSIM_HD void round(PhiloxWords<L>& c, std::uint32_t k0, std::uint32_t k1) {
  const L p0 = multiply_low(c.x0, multiplier0), p1 = multiply_low(c.x2, multiplier1);
  c.x0 = (p1 >> 32) ^ c.x1 ^ L(k0);
  c.x1 = p1;
  c.x2 = (p0 >> 32) ^ c.x3 ^ L(k1);
  c.x3 = p0;
}

/// Rounds `first` + 1 to 10.
template <int first, class L>
GSIM_HD void rounds_after(PhiloxWords<L>& c, PhiloxKey key) {
#pragma GCC unroll 10
  for (std::uint32_t r = first; r < 10; ++r) round(c, key.k0 + r * weyl0, key.k1 + r * weyl1);
}

}  // namespace philox

/// The block of `counter` (words in low halves, high halves ignored) under `key`.
template <class L>
GSIM_HD PhiloxWords<L> philox4x32_10(PhiloxWords<L> counter, PhiloxKey key) {
  philox::rounds_after<0>(counter, key);
  return counter;
}

#if defined(__CUDACC__) && __has_include(<curand_philox4x32_x.h>)
/// The same for one counter under nvcc: cuRAND on the device, ours in the host pass.
GSIM_HD PhiloxWords<std::uint64_t> philox4x32_10(PhiloxWords<std::uint64_t> counter,
                                                 PhiloxKey key) {
#if defined(__CUDA_ARCH__)
  detail::curand_philox4x32_10(counter.x0, counter.x1, counter.x2, counter.x3, key.k0, key.k1);
#else
  philox::rounds_after<0>(counter, key);
#endif
  return counter;
}
#endif

/// The block of `entity` at (`step`, `block`), the address layout of stream.hpp: counter words are
/// the low and high word of step * 2^24 + block, then of the entity. `step` < 2^40 and
/// `block` < 2^24 are the caller's duty (check_addresses, once per plan).
/// These are the words of cuRAND's curandStatePhilox4_32_10 after curand_init(key, entity,
/// 4 * (step * 2^24 + block)), wherever that offset does not overflow.
template <class L>
GSIM_HD PhiloxWords<L> philox_block(PhiloxKey key, L entity, std::uint64_t step,
                                    std::uint32_t block) {
  const std::uint64_t position = step << 24 | block;
  return philox4x32_10(PhiloxWords<L>{L(position), L(position >> 32), entity, entity >> 32}, key);
}

GSIM_TARGET_END
