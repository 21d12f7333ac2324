#pragma once
// Compression of the active lanes of vector registers. About a quarter of the pairs in cluster
// lists are in range; expensive operations are done for these pairs only. The result does not
// depend on how pairs are compressed.

#include <array>

#include "gsim/md/neighbour_lists/cluster_lanes.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Bit l is set where the mask is true in lane l.
template <int B, int W>
GSIM_HD std::uint32_t bits_of(Mask<B, W> m) {
  if constexpr (!Mask<B, W>::is_register) {
    return bits_of(m.lo) | bits_of(m.hi) << (W / 2);
  } else {
#if defined(GSIM_AVX512)
    if constexpr (B * W == 64)
      return m.v.bits;
    else
#endif
#if defined(GSIM_AVX2)
        if constexpr (B == 4 && W == 8)
      return static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)m.v));
    else if constexpr (B == 8 && W == 4)
      return static_cast<std::uint32_t>(_mm256_movemask_pd((__m256d)m.v));
    else
#endif
#if defined(__x86_64__)
        if constexpr (B == 4 && W == 4)
      return static_cast<std::uint32_t>(_mm_movemask_ps((__m128)m.v));
    else if constexpr (B == 8 && W == 2)
      return static_cast<std::uint32_t>(_mm_movemask_pd((__m128d)m.v));
    else
#endif
    {
      std::uint32_t bits = 0;
      for (int l = 0; l < W; ++l) bits |= static_cast<std::uint32_t>(m.v[l] & 1) << l;
      return bits;
    }
  }
}

#if defined(GSIM_AVX2)
/// The permutations of compression and expansion for every set of eight lanes, or of four lanes of
/// twice the width.
struct LanePermutations {
  alignas(64) std::uint8_t compress8[256][8], expand8[256][8], compress4[16][8], expand4[16][8];
};
constexpr LanePermutations make_lane_permutations() {
  LanePermutations p{};
  for (unsigned bits = 0; bits < 256; ++bits) {
    unsigned count = 0;
    for (unsigned l = 0; l < 8; ++l) {
      p.expand8[bits][l] = static_cast<std::uint8_t>(count & 7);
      if ((bits >> l & 1) != 0) p.compress8[bits][count++] = static_cast<std::uint8_t>(l);
    }
  }
  for (unsigned bits = 0; bits < 16; ++bits)
    for (unsigned l = 0; l < 8; ++l) {
      p.expand4[bits][l] = static_cast<std::uint8_t>(2 * (p.expand8[bits][l / 2] & 3) + l % 2);
      p.compress4[bits][l] = static_cast<std::uint8_t>(2 * p.compress8[bits][l / 2] + l % 2);
    }
  return p;
}
inline constexpr LanePermutations lane_permutations = make_lane_permutations();

GSIM_HD __m256i permuted(__m256i a, const std::uint8_t (&lanes)[8]) {
  return _mm256_permutevar8x32_epi32(
      a, _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(lanes))));
}
#endif

#if defined(GSIM_AVX512)
/// Loads into a register and keeps the next instruction from reading memory itself: AMD's
/// processors expand from memory in microcode, fifty times as slowly as from a register.
template <class T>
GSIM_HD __m512i in_register(const T* from) {
  __m512i a = _mm512_loadu_si512(from);
  asm("" : "+v"(a));
  return a;
}
#endif

/// Stores the lanes whose bit is set one after the other from `to` on. All of W elements are
/// written, the remaining ones with arbitrary values.
template <class T, int W>
GSIM_HD void compress_to(T* to, Pack<T, W> a, std::uint32_t bits) {
  using P = Pack<T, W>;
  if constexpr (!P::is_register) {
    constexpr std::uint32_t half = (1u << (W / 2)) - 1;
    compress_to(to, a.lo, bits & half);
    compress_to(to + __builtin_popcount(bits & half), a.hi, bits >> (W / 2));
  } else {
    using V [[maybe_unused]] = typename P::Rep;
#if defined(GSIM_AVX512)
    if constexpr (sizeof(T) == 4 && W == 16)
      store(to, P((V)_mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), (__m512i)a.v)));
    else if constexpr (sizeof(T) == 8 && W == 8)
      store(to, P((V)_mm512_maskz_compress_epi64(static_cast<__mmask8>(bits), (__m512i)a.v)));
    else
#endif
#if defined(GSIM_AVX2)
        if constexpr (sizeof(T) == 4 && W == 8)
      store(to, P((V)permuted((__m256i)a.v, lane_permutations.compress8[bits])));
    else if constexpr (sizeof(T) == 8 && W == 4)
      store(to, P((V)permuted((__m256i)a.v, lane_permutations.compress4[bits])));
    else
#endif
    {
      T lanes[W];
      store(lanes, a);
      for (; bits != 0; bits &= bits - 1) *to++ = lanes[__builtin_ctz(bits)];
    }
  }
}

/// The inverse of compress_to(): fills the lanes whose bit is set with consecutive elements, the
/// others with zero. All of W elements are read.
template <class T, int W>
GSIM_HD Pack<T, W> expand_from(const T* from, std::uint32_t bits) {
  using P = Pack<T, W>;
  if constexpr (!P::is_register) {
    constexpr std::uint32_t half = (1u << (W / 2)) - 1;
    return {expand_from<T, W / 2>(from, bits & half),
            expand_from<T, W / 2>(from + __builtin_popcount(bits & half), bits >> (W / 2))};
  } else {
    using V [[maybe_unused]] = typename P::Rep;
#if defined(GSIM_AVX512)
    if constexpr (sizeof(T) == 4 && W == 16)
      return P((V)_mm512_maskz_expand_epi32(static_cast<__mmask16>(bits), in_register(from)));
    else if constexpr (sizeof(T) == 8 && W == 8)
      return P((V)_mm512_maskz_expand_epi64(static_cast<__mmask8>(bits), in_register(from)));
    else
#endif
#if defined(GSIM_AVX2)
        if constexpr (sizeof(T) == 4 && W == 8)
      return select(mask_of_bits<T, W>(bits),
                    P((V)permuted((__m256i)load<P>(from).v, lane_permutations.expand8[bits])),
                    P(T(0)));
    else if constexpr (sizeof(T) == 8 && W == 4)
      return select(mask_of_bits<T, W>(bits),
                    P((V)permuted((__m256i)load<P>(from).v, lane_permutations.expand4[bits])),
                    P(T(0)));
    else
#endif
    {
      T lanes[W] = {};
      for (; bits != 0; bits &= bits - 1) lanes[__builtin_ctz(bits)] = *from++;
      return load<P>(lanes);
    }
  }
}

}  // namespace md_kernels
GSIM_TARGET_END
