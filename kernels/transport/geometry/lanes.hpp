#pragma once
// Vectors whose components are packs: one position or direction for each lane, of different
// particles. For hosts; a thread of a device has one particle.

#include "gsim/math/pack.hpp"
#include "gsim/math/vector3.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

template <class R>
struct LaneVector {
  R x, y, z;
};
template <class R>
GSIM_HD LaneVector<R> operator-(const LaneVector<R>& a, const LaneVector<R>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class R>
GSIM_HD R dot(const LaneVector<R>& a, const LaneVector<R>& b) {
  return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}
template <class R>
GSIM_HD LaneVector<R> cross_product(const LaneVector<R>& a, const LaneVector<R>& b) {
  return {fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x))};
}
/// a + t d
template <class R>
GSIM_HD LaneVector<R> along(const LaneVector<R>& a, R t, const LaneVector<R>& d) {
  return {fma(t, d.x, a.x), fma(t, d.y, a.y), fma(t, d.z, a.z)};
}
template <class R>
GSIM_HD LaneVector<R> chosen(mask_of<R> m, const LaneVector<R>& a, const LaneVector<R>& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}

/// The mask of reals as bits: bit i is lane i.
template <int W>
requires(8 * W > vec::register_bytes) GSIM_HD unsigned lane_bits(Mask<8, W> m) {
  return lane_bits(m.lo) | lane_bits(m.hi) << (W / 2);
}
template <int W>
requires(8 * W == vec::register_bytes) GSIM_HD unsigned lane_bits(Mask<8, W> m) {
#if defined(GSIM_AVX512)
  return m.v.bits;
#elif defined(GSIM_AVX2)
  return static_cast<unsigned>(_mm256_movemask_pd((__m256d)m.v));
#else
  unsigned bits = 0;
  for (int i = 0; i < W; ++i) bits |= (m.v[i] != 0 ? 1u : 0u) << i;
  return bits;
#endif
}
/// The mask of the lanes whose bits are set.
template <class R>
GSIM_HD mask_of<R> mask_from_bits(unsigned bits) {
#if defined(GSIM_AVX512)
  if constexpr (sizeof(R) == 64) return {{static_cast<__mmask8>(bits)}};
#endif
  double values[lanes_of<R>];
  for (int i = 0; i < lanes_of<R>; ++i) values[i] = (bits >> i & 1) != 0 ? 1.0 : 0.0;
  return load<R>(values) > R(0.0);
}

/// table[index] as reals.
template <class R>
GSIM_HD R gather_integers(const std::int32_t* table, rebind<R, std::int32_t> index) {
#if defined(GSIM_AVX512)
  return R(_mm512_cvtepi32_pd(_mm256_i32gather_epi32(table, (__m256i)index.v, 4)));
#elif defined(GSIM_AVX2)
  return R(_mm256_cvtepi32_pd(_mm_i32gather_epi32(table, (__m128i)index.v, 4)));
#else
  return convert<double>(gather(table, index));
#endif
}

/// Pairs of two integers of 32 bits, in the low and the high half of a word.
template <class R>
struct IntegerPairs {
  rebind<R, std::uint64_t> bits;

  /// The first and the second integers as words, and as reals (the second may be negative).
  GSIM_HD rebind<R, std::uint64_t> first() const {
    return bits & rebind<R, std::uint64_t>(std::uint64_t{0xffffffff});
  }
  GSIM_HD rebind<R, std::uint64_t> second() const { return bits >> 32; }
  GSIM_HD R second_as_real() const {
    return convert<double>(bit_cast_to<std::int64_t>(bits) >> 32);
  }
};
/// Elements of an array of structures of two integers; `index`: integers below 2^31.
template <class T, class R>
requires(sizeof(T) == 8) GSIM_HD IntegerPairs<R> gather_pairs(const T* table,
                                                              rebind<R, std::int32_t> index) {
  return {bit_cast_to<std::uint64_t>(gather(reinterpret_cast<const double*>(table), index))};
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
