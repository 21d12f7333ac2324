#pragma once
// Operations on packs (math/pack.hpp) that hold the pairs of two clusters: lane 4 a + b is atom a
// of cluster i with atom b of cluster j.

#include "gsim/math/pack.hpp"
#include "gsim/md/neighbour_lists/cluster_list.hpp"

#if !defined(__CUDACC__)
GSIM_TARGET_BEGIN
namespace md_kernels {

/// The number of lanes of a pack of pairs, a multiple of four.
template <class T>
inline constexpr int pair_lanes = native_lanes<T>() < 4 ? 4 : native_lanes<T>();

/// from[0 … 3] in every group of four lanes.
template <class T, int W>
GSIM_HD Pack<T, W> repeat(const T* from) {
  using P = Pack<T, W>;
#if defined(GSIM_AVX512)
  if constexpr (sizeof(T) == 4 && W == 16)
    return P((typename P::Rep)_mm512_broadcast_i32x4(
        _mm_load_si128(reinterpret_cast<const __m128i*>(from))));
  else if constexpr (sizeof(T) == 8 && W == 8)
    return P((typename P::Rep)_mm512_broadcast_i64x4(
        _mm256_load_si256(reinterpret_cast<const __m256i*>(from))));
  else
#endif
#if defined(GSIM_AVX2)
      if constexpr (sizeof(T) == 4 && W == 8)
    return P((typename P::Rep)_mm256_broadcastsi128_si256(
        _mm_load_si128(reinterpret_cast<const __m128i*>(from))));
  else
#endif
      if constexpr (W == 4)
    return load<P>(from);
  else
    return join(repeat<T, W / 2>(from), repeat<T, W / 2>(from));
}

/// from[0] in the first four lanes, from[1] in the next four, and so on.
template <class T, int W>
GSIM_HD Pack<T, W> spread(const T* from) {
  using P [[maybe_unused]] = Pack<T, W>;
#if defined(GSIM_AVX512)
  if constexpr (W * sizeof(T) == 64) {
    const __m512i few =
        _mm512_castsi128_si512(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    if constexpr (sizeof(T) == 4)
      return P((typename P::Rep)_mm512_permutexvar_epi32(
          _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3), few));
    else
      return P((typename P::Rep)_mm512_permutexvar_epi64(_mm512_setr_epi64(0, 0, 0, 0, 1, 1, 1, 1),
                                                         few));
  } else
#endif
#if defined(GSIM_AVX2)
      if constexpr (sizeof(T) == 4 && W == 8)
    return P((typename P::Rep)_mm256_permutevar8x32_epi32(
        _mm256_castsi128_si256(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))),
        _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1)));
  else
#endif
      if constexpr (W == 4)
    return P(from[0]);
  else
    return join(spread<T, W / 2>(from), spread<T, W / 2>(from + W / 8));
}

/// The larger value in each lane.
template <int W>
GSIM_HD Pack<std::uint32_t, W> larger(Pack<std::uint32_t, W> a, Pack<std::uint32_t, W> b) {
  using P [[maybe_unused]] = Pack<std::uint32_t, W>;
#if defined(GSIM_AVX512)
  if constexpr (W == 16)
    return P((typename P::Rep)_mm512_max_epu32((__m512i)a.v, (__m512i)b.v));
  else
#endif
#if defined(GSIM_AVX2)
      if constexpr (W == 8)
    return P((typename P::Rep)_mm256_max_epu32((__m256i)a.v, (__m256i)b.v));
  else
#endif
    return select(a > b, a, b);
}

/// The mask of the lanes whose bit is set.
template <class T, int W>
GSIM_HD Mask<sizeof(T), W> mask_of_bits(std::uint32_t bits) {
  using U = Pack<uint_of<T>, W>;
  return ((U(bits) >> lane_index<U>()) & uint_of<T>(1)) != uint_of<T>(0);
}

/// The nearest integer (ties to even) to a product that is first rounded to float.
template <int W>
GSIM_HD Pack<std::int32_t, W> quantised_product(Pack<float, W> a, Pack<float, W> b) {
  const Pack<float, W> x = a * b;
#if defined(GSIM_AVX512)
  if constexpr (W == 16)
    return Pack<std::int32_t, W>((vec::Vec<std::int32_t, W>)_mm512_cvtps_epi32((__m512)x.v));
  else
#endif
#if defined(GSIM_AVX2)
      if constexpr (W == 8)
    return Pack<std::int32_t, W>((vec::Vec<std::int32_t, W>)_mm256_cvtps_epi32((__m256)x.v));
  else
#endif
#if defined(__x86_64__)
      if constexpr (W == 4)
    return Pack<std::int32_t, W>((vec::Vec<std::int32_t, W>)_mm_cvtps_epi32((__m128)x.v));
  else
#endif
    return convert<std::int32_t>(round_even(x));
}
/// biased_product() is quantised_product() plus product_bias<T>, which takes fewer instructions in
/// double. Code that adds n biased products subtracts n product_bias<T> from the sum once.
template <class T>
inline constexpr std::int64_t product_bias = sizeof(T) == 8 ? 0x4338000000000000
                                                            : 0;  // the bits of 1.5 2^52
template <int W>
GSIM_HD Pack<std::int32_t, W> biased_product(Pack<float, W> a, Pack<float, W> b) {
  return quantised_product(a, b);
}
template <int W>
GSIM_HD Pack<std::int64_t, W> biased_product(Pack<double, W> a, Pack<double, W> b) {
  return bit_cast_to<std::int64_t>(fma(a, b, Pack<double, W>(0x1.8p52)));
}
/// The nearest integer of the exact product, for magnitudes below 2^51.
template <int W>
GSIM_HD Pack<std::int64_t, W> quantised_product(Pack<double, W> a, Pack<double, W> b) {
  return biased_product(a, b) - Pack<std::int64_t, W>(product_bias<double>);
}

/// The difference a - b of two integer coordinates along one axis, converted to a real number. The
/// unit is 2^-32 of the axis's range in float, and 2^-52 in double: only the upper 52 of the 64
/// bits are used, so that the conversion is exact.
template <class Real, int W>
GSIM_HD Pack<Real, W> position_difference(Pack<uint_of<Real>, W> a, Pack<uint_of<Real>, W> b) {
  if constexpr (sizeof(Real) == 8) {
#if defined(GSIM_AVX512)
    return convert<double>(bit_cast_to<std::int64_t>(a - b) >> 12);
#else
    // Avoids shifts and conversions of signed 64-bit integers: the difference becomes the mantissa
    // of a number with exponent 2^52.
    constexpr std::uint64_t sign = std::uint64_t{1} << 63, exponent = std::uint64_t{0x433} << 52;
    const auto biased = (((a - b) ^ sign) >> 12) | exponent;
    return bit_cast_to<double>(biased) - Pack<double, W>(0x1.8p52);
#endif
  } else {
    return convert<float>(bit_cast_to<std::int32_t>(a - b));
  }
}

/// The number of elements that lookup_short_row() may read from a row.
inline constexpr int short_row_length = 16;

/// Table lookup: row[at] in every lane, with at < short_row_length. Uses permutations instead of a
/// gather if the processor supports them.
template <class T, int W>
GSIM_HD Pack<T, W> lookup_short_row(const T* row, Pack<std::int32_t, W> at) {
  using P [[maybe_unused]] = Pack<T, W>;
#if defined(GSIM_AVX512)
  if constexpr (sizeof(T) == 4 && W == 16)
    return P((typename P::Rep)_mm512_permutexvar_ps((__m512i)at.v, _mm512_loadu_ps(row)));
  else if constexpr (sizeof(T) == 8 && W == 8)
    return P((typename P::Rep)_mm512_permutex2var_pd(
        _mm512_loadu_pd(row), _mm512_cvtepi32_epi64((__m256i)at.v), _mm512_loadu_pd(row + 8)));
  else
#elif defined(GSIM_AVX2)
  if constexpr (sizeof(T) == 4 && W == 8) {
    // The shift moves bit 3 of an index to the sign bit, by which the upper half is selected.
    const __m256i i = (__m256i)at.v;
    const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(row), i);
    const __m256 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(row + 8), i);
    return P((typename P::Rep)_mm256_blendv_ps(low, high,
                                               _mm256_castsi256_ps(_mm256_slli_epi32(i, 28))));
  } else
#endif
    return gather(row, at);
}

/// Lane b of the result is the sum of lanes b of all groups of four lanes.
template <class T, int W>
GSIM_HD Pack<T, 4> sum_of_groups(Pack<T, W> a) {
  if constexpr (W == 4)
    return a;
  else
    return sum_of_groups(lower(a) + upper(a));
}

#if defined(GSIM_AVX512)
/// A vector of T that fills a register of the given size; integers are unsigned, so that they wrap.
template <class T, int Bytes>
using Lanes = vec::Vec<std::conditional_t<std::is_integral_v<T>, uint_of<T>, T>,
                       Bytes / static_cast<int>(sizeof(T))>;
/// a + b in each lane.
template <class T>
GSIM_HD __m512i add_lanes(__m512i a, __m512i b) {
  return (__m512i)((Lanes<T, 64>)a + (Lanes<T, 64>)b);
}
#endif

/// Adds sum_of_groups() of x, y and z to the first three rows of `to`, whose integers S are as wide
/// as T or wider.
template <class T, class S, int W>
GSIM_HD void add_groups(md::Quad<S>& to, Pack<T, W> x, Pack<T, W> y, Pack<T, W> z) {
#if defined(GSIM_AVX512)
  if constexpr (sizeof(T) == 4 && W == 16) {
    const __m512i a = (__m512i)x.v, b = (__m512i)y.v, c = (__m512i)z.v;
    // Blocks of 128 bits, from low to high, where x02 is the sum of groups 0 and 2 of x.
    const __m512i ab = add_lanes<T>(_mm512_shuffle_i32x4(a, b, 0x44),
                                    _mm512_shuffle_i32x4(a, b, 0xee));     // x02 x13 y02 y13
    const __m512i cc = add_lanes<T>(c, _mm512_shuffle_i32x4(c, c, 0x4e));  // z02 z13 z02 z13
    const __m512i sum =
        add_lanes<T>(_mm512_shuffle_i32x4(ab, cc, 0x88), _mm512_shuffle_i32x4(ab, cc, 0xdd));
    if constexpr (sizeof(S) == 4) {
      _mm512_store_si512(&to, add_lanes<T>(_mm512_load_si512(&to), sum));
    } else {
      const __m512i xy = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(sum));
      const __m512i zz = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(sum, 1));
      _mm512_store_si512(to.c[0], _mm512_add_epi64(_mm512_load_si512(to.c[0]), xy));
      _mm512_store_si512(to.c[2], _mm512_add_epi64(_mm512_load_si512(to.c[2]), zz));
    }
    return;
  }
#endif
  const Pack<T, 4> sums[3] = {sum_of_groups(x), sum_of_groups(y), sum_of_groups(z)};
  for (int k = 0; k < 3; ++k)
    if constexpr (std::is_same_v<T, S>)
      store(to.c[k], load<Pack<S, 4>>(to.c[k]) + sums[k]);
    else
      store(to.c[k], load<Pack<S, 4>>(to.c[k]) + convert<S>(sums[k]));
}

/// Subtracts the sum of the four lanes of group g from to[g], for each group.
template <class T, int W>
GSIM_HD void subtract_within_groups(T* to, Pack<T, W> a) {
#if defined(GSIM_AVX512)
  if constexpr (std::is_same_v<T, std::int64_t> && W == 16) {
    subtract_within_groups(to, a.lo);
    return subtract_within_groups(to + 2, a.hi);
  } else if constexpr (sizeof(T) * W == 64) {
    // Sums of pairs of lanes, then of pairs of these sums, in all lanes; then one lane of each
    // group.
    __m512i sum = (__m512i)a.v;
    __m128i sums;
    if constexpr (sizeof(T) == 4) {
      sum = add_lanes<T>(sum, _mm512_shuffle_epi32(sum, _MM_PERM_CDAB));
      sum = add_lanes<T>(sum, _mm512_shuffle_epi32(sum, _MM_PERM_BADC));
      sums = _mm512_castsi512_si128(
          _mm512_permutexvar_epi32(_mm512_castsi128_si512(_mm_setr_epi32(0, 4, 8, 12)), sum));
    } else {
      sum = add_lanes<T>(sum, _mm512_permutex_epi64(sum, 0xb1));
      sum = add_lanes<T>(sum, _mm512_permutex_epi64(sum, 0x4e));
      sums = _mm512_castsi512_si128(
          _mm512_permutexvar_epi64(_mm512_castsi128_si512(_mm_set_epi64x(4, 0)), sum));
    }
    __m128i* const place = reinterpret_cast<__m128i*>(to);
    const __m128i old = _mm_loadu_si128(place);
    _mm_storeu_si128(place, (__m128i)((Lanes<T, 16>)old - (Lanes<T, 16>)sums));
    return;
  }
#endif
  alignas(64) T lanes[W];
  store(lanes, a);
  for (int g = 0; g < W / 4; ++g)
    to[g] -= (lanes[4 * g] + lanes[4 * g + 1]) + (lanes[4 * g + 2] + lanes[4 * g + 3]);
}

}  // namespace md_kernels
GSIM_TARGET_END
#endif
