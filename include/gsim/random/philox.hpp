#pragma once
// Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random
// numbers: as easy as 1, 2, 3" (SC11, 2011): four 32-bit words are a pure function of a 128-bit
// counter and a 64-bit key, so a random number is identified by its address and does not depend on
// the order of draws.
//
// Words are kept in 64-bit lanes whose low half holds the word and whose high half is unspecified:
// the 32 x 32 -> 64 bit multiplication of x86 (pmuludq) reads low halves only and leaves the high
// word of the product one shift away, so a round needs no shuffles.
//
// On a CUDA device the words are computed by cuRAND's device function; tests verify the same bits.

#include <cstdint>

#include "gsim/math/pack.hpp"

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

inline constexpr std::uint64_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
inline constexpr std::uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;

/// One round, Salmon et al. (2011) section 3.3: (c0, c1, c2, c3) becomes
/// (hi(M1 c2) ^ c1 ^ k0, lo(M1 c2), hi(M0 c0) ^ c3 ^ k1, lo(M0 c0)).
template <class L>
GSIM_HD void round(PhiloxWords<L>& c, std::uint32_t k0, std::uint32_t k1) {
  const L p0 = mul_wide(c.x0, multiplier0), p1 = mul_wide(c.x2, multiplier1);
  c.x0 = (p1 >> 32) ^ c.x1 ^ L(k0);
  c.x1 = p1;
  c.x2 = (p0 >> 32) ^ c.x3 ^ L(k1);
  c.x3 = p0;
}

/// Rounds `first` + 1 to 10.
template <int first, class L>
GSIM_HD void rounds_after(PhiloxWords<L>& c, PhiloxKey key) {
#if defined(__CUDACC__)
#pragma unroll
#else
#pragma GCC unroll 10
#endif
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
/// As above for one counter with nvcc: cuRAND on the device, gsim's code in the host pass.
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

/// The block of `entity` at (`step`, `block`), with the address layout of stream.hpp: counter words
/// are the low and high word of step * 2^24 + block, then of the entity. The caller must ensure
/// `step` < 2^40 and `block` < 2^24 (check_addresses, once per plan). These are the words of
/// cuRAND's curandStatePhilox4_32_10 after curand_init(key, entity, 4 * (step * 2^24 + block)), if
/// that offset does not overflow.
template <class L>
GSIM_HD PhiloxWords<L> philox_block(PhiloxKey key, L entity, std::uint64_t step,
                                    std::uint32_t block) {
  const std::uint64_t position = step << 24 | block;
  return philox4x32_10(PhiloxWords<L>{L(position), L(position >> 32), entity, entity >> 32}, key);
}

/// The blocks of entities first, first + 1, … in the lanes of L, at one (`step`, `block`): the same
/// words as philox_block(key, L(first) + lane_index<L>(), step, block) in fewer instructions.
/// `first` must be a multiple of the number of lanes, so that all entities have the same high word.
/// Two of the first four products are then the same for all lanes, and a third does not depend on
/// step or block, so that it is hoisted out of the loop over steps.
template <class L>
GSIM_HD PhiloxWords<L> philox_consecutive(PhiloxKey key, std::uint64_t first, std::uint64_t step,
                                          std::uint32_t block) {
  if constexpr (lanes_of<L> == 1) {
    return philox_block(key, first, step, block);
  } else {
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    const std::uint64_t position = step << 24 | block;
    // Round 1: x2 and x3 are the same for all lanes.
    const L entity1 = mul_wide(L(first) + lane_index<L>(), L(philox::multiplier1));
    const std::uint64_t position1 = mul_wide(position, philox::multiplier0);
    const L x0 = (entity1 >> 32) ^ L((position >> 32) ^ key.k0);
    const std::uint64_t x2 = (position1 >> 32) ^ (first >> 32) ^ key.k1;
    // Round 2: x1 is the same for all lanes.
    const std::uint64_t position2 = mul_wide(x2, philox::multiplier1);
    const L entity2 = mul_wide(x0, L(philox::multiplier0));
    PhiloxWords<L> c;
    c.x0 = entity1 ^ L((position2 >> 32) ^ low(key.k0 + philox::weyl0));
    c.x1 = L(low(position2));
    c.x2 = (entity2 >> 32) ^ L(low(position1) ^ low(key.k1 + philox::weyl1));
    c.x3 = entity2;
    philox::rounds_after<2>(c, key);
    return c;
  }
}

/// One of the four words, as 32-bit lanes.
template <class L>
GSIM_HD rebind<L, std::uint32_t> low_word(L x) {
#if defined(__SSE2__) && !defined(__CUDACC__)
  // Compilers narrow 64-bit lanes in up to ten instructions; the machine needs one to three.
  if constexpr (lanes_of<L> * 4 > vec::register_bytes) {
    return join(low_word(lower(x)), low_word(upper(x)));
  } else if constexpr (lanes_of<L> * 4 == vec::register_bytes) {
    // In the selectors below, 0x88 takes words 0 and 2 of each 128-bit part of both registers, and
    // 0xd8 moves the 64-bit quarters back into order.
#if defined(GSIM_AVX512)
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i words = _mm512_permutex2var_epi32((__m512i)x.lo.v, even, (__m512i)x.hi.v);
#elif defined(GSIM_AVX2)
    const __m256i words = _mm256_permute4x64_epi64(
        (__m256i)_mm256_shuffle_ps((__m256)x.lo.v, (__m256)x.hi.v, 0x88), 0xd8);
#else
    const __m128i words = (__m128i)_mm_shuffle_ps((__m128)x.lo.v, (__m128)x.hi.v, 0x88);
#endif
    using Words = rebind<L, std::uint32_t>;
    return Words(reinterpret_cast<typename Words::Rep>(words));
  } else
#endif
    return convert<std::uint32_t>(x);
}

GSIM_TARGET_END
