#pragma once
// AVX-512 forms: comparisons of full registers give mask registers.

#include "gsim/math/detail/vector_x86.hpp"

GSIM_TARGET_BEGIN

namespace vec {

/// One bit per lane, in a mask register.
template <int W>
struct BitMask;
template <>
struct BitMask<8> {
  __mmask8 bits;
};
template <>
struct BitMask<16> {
  __mmask16 bits;
};

GSIM_HD BitMask<8> operator&(BitMask<8> a, BitMask<8> b) { return {_kand_mask8(a.bits, b.bits)}; }
GSIM_HD BitMask<8> operator|(BitMask<8> a, BitMask<8> b) { return {_kor_mask8(a.bits, b.bits)}; }
GSIM_HD BitMask<8> operator~(BitMask<8> a) { return {_knot_mask8(a.bits)}; }
GSIM_HD BitMask<16> operator&(BitMask<16> a, BitMask<16> b) {
  return {_kand_mask16(a.bits, b.bits)};
}
GSIM_HD BitMask<16> operator|(BitMask<16> a, BitMask<16> b) {
  return {_kor_mask16(a.bits, b.bits)};
}
GSIM_HD BitMask<16> operator~(BitMask<16> a) { return {_knot_mask16(a.bits)}; }

/// Comparisons of full registers give mask registers, those of parts of registers give vectors.
template <int Bytes, int W>
struct MaskRep {
  using type = VectorMask<Bytes, W>;
};
template <>
struct MaskRep<8, 8> {
  using type = BitMask<8>;
};
template <>
struct MaskRep<4, 16> {
  using type = BitMask<16>;
};

#define GSIM_AVX512_COMPARE(T, W, name, op, code) \
  GSIM_HD BitMask<W> name(As<T, W>, Vec<T, W> a, Vec<T, W> b, Machine) { return {op(a, b, code)}; }
#define GSIM_AVX512_REAL(T, W, s)                                                       \
  GSIM_AVX512_COMPARE(T, W, less, _mm512_cmp_##s##_mask, _CMP_LT_OQ)                    \
  GSIM_AVX512_COMPARE(T, W, less_equal, _mm512_cmp_##s##_mask, _CMP_LE_OQ)              \
  GSIM_AVX512_COMPARE(T, W, equal, _mm512_cmp_##s##_mask, _CMP_EQ_OQ)                   \
  GSIM_AVX512_COMPARE(T, W, not_equal, _mm512_cmp_##s##_mask, _CMP_NEQ_UQ)              \
  GSIM_HD Vec<T, W> select(As<T, W>, BitMask<W> m, Vec<T, W> a, Vec<T, W> b, Machine) { \
    return _mm512_mask_blend_##s(m.bits, b, a);                                         \
  }                                                                                     \
  GSIM_HD Vec<T, W> sqrt(As<T, W>, Vec<T, W> a, Machine) { return _mm512_sqrt_##s(a); } \
  GSIM_HD Vec<T, W> round_even(As<T, W>, Vec<T, W> a, Machine) {                        \
    return _mm512_roundscale_##s(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);     \
  }                                                                                     \
  GSIM_HD Vec<T, W> floor(As<T, W>, Vec<T, W> a, Machine) {                             \
    return _mm512_roundscale_##s(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);         \
  }
GSIM_AVX512_REAL(double, 8, pd)
GSIM_AVX512_REAL(float, 16, ps)
#undef GSIM_AVX512_REAL
#undef GSIM_AVX512_COMPARE

#define GSIM_AVX512_COMPARE(T, W, name, op, code)                        \
  GSIM_HD BitMask<W> name(As<T, W>, Vec<T, W> a, Vec<T, W> b, Machine) { \
    return {op((__m512i)a, (__m512i)b, code)};                           \
  }
#define GSIM_AVX512_INT(T, W, s, epi)                                                   \
  GSIM_AVX512_COMPARE(T, W, less, _mm512_cmp_##s##_mask, _MM_CMPINT_LT)                 \
  GSIM_AVX512_COMPARE(T, W, less_equal, _mm512_cmp_##s##_mask, _MM_CMPINT_LE)           \
  GSIM_AVX512_COMPARE(T, W, equal, _mm512_cmp_##s##_mask, _MM_CMPINT_EQ)                \
  GSIM_AVX512_COMPARE(T, W, not_equal, _mm512_cmp_##s##_mask, _MM_CMPINT_NE)            \
  GSIM_HD Vec<T, W> select(As<T, W>, BitMask<W> m, Vec<T, W> a, Vec<T, W> b, Machine) { \
    return (Vec<T, W>)_mm512_mask_blend_##epi(m.bits, (__m512i)b, (__m512i)a);          \
  }
GSIM_AVX512_INT(std::int32_t, 16, epi32, epi32)
GSIM_AVX512_INT(std::uint32_t, 16, epu32, epi32)
GSIM_AVX512_INT(std::int64_t, 8, epi64, epi64)
GSIM_AVX512_INT(std::uint64_t, 8, epu64, epi64)
#undef GSIM_AVX512_INT
#undef GSIM_AVX512_COMPARE

GSIM_HD Vec<double, 8> select_top_bit(As<double, 8>, Vec<std::uint64_t, 8> bits, Vec<double, 8> a,
                                      Vec<double, 8> b, Machine) {
  return _mm512_mask_blend_pd(_mm512_movepi64_mask((__m512i)bits), b, a);
}
GSIM_HD Vec<float, 16> select_top_bit(As<float, 16>, Vec<std::uint32_t, 16> bits, Vec<float, 16> a,
                                      Vec<float, 16> b, Machine) {
  return _mm512_mask_blend_ps(_mm512_movepi32_mask((__m512i)bits), b, a);
}

GSIM_HD Vec<std::uint64_t, 8> join_halves(As<std::uint64_t, 8>, Vec<std::uint64_t, 8> low,
                                          Vec<std::uint64_t, 8> high, Machine) {
  // Mask 0x5555: the lower 32 bits of each lane are those of `low`.
  return (Vec<std::uint64_t, 8>)_mm512_mask_blend_epi32(0x5555, (__m512i)high, (__m512i)low);
}

GSIM_HD Vec<std::uint64_t, 8> mul_wide(As<std::uint64_t, 8>, Vec<std::uint64_t, 8> a,
                                       Vec<std::uint64_t, 8> b, Machine) {
  return (Vec<std::uint64_t, 8>)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}

GSIM_HD Vec<double, 8> convert(As<double, 8>, As<std::uint64_t, 8>, Vec<std::uint64_t, 8> a,
                               Machine) {
  return _mm512_cvtepu64_pd((__m512i)a);
}
GSIM_HD Vec<double, 8> convert(As<double, 8>, As<std::int64_t, 8>, Vec<std::int64_t, 8> a,
                               Machine) {
  return _mm512_cvtepi64_pd((__m512i)a);
}

GSIM_HD Vec<double, 8> gather(As<double, 8>, const double* table, Vec<std::int32_t, 8> index,
                              Machine) {
  return _mm512_i32gather_pd((__m256i)index, table, 8);
}
GSIM_HD Vec<float, 16> gather(As<float, 16>, const float* table, Vec<std::int32_t, 16> index,
                              Machine) {
  return _mm512_i32gather_ps((__m512i)index, table, 4);
}

// 1 / sqrt(a) with a relative error below 2^-14, and different bits on different processors: for
// iterations whose result is rounded correctly (in_range.hpp).
GSIM_HD Vec<double, 2> reciprocal_root_estimate(As<double, 2>, Vec<double, 2> a, Machine) {
  return _mm_rsqrt14_pd(a);
}
GSIM_HD Vec<double, 4> reciprocal_root_estimate(As<double, 4>, Vec<double, 4> a, Machine) {
  return _mm256_rsqrt14_pd(a);
}
GSIM_HD Vec<double, 8> reciprocal_root_estimate(As<double, 8>, Vec<double, 8> a, Machine) {
  return _mm512_rsqrt14_pd(a);
}

// Masks of half registers are vectors; these functions convert between the two forms.
GSIM_HD BitMask<8> bits_of(VectorMask<4, 8> m) { return {_mm256_movepi32_mask((__m256i)m)}; }
GSIM_HD VectorMask<4, 8> vector_of(BitMask<8> m) {
  return (VectorMask<4, 8>)_mm256_movm_epi32(m.bits);
}
GSIM_HD BitMask<8> lower_bits(BitMask<16> m) { return {static_cast<__mmask8>(m.bits)}; }
GSIM_HD BitMask<8> upper_bits(BitMask<16> m) { return {static_cast<__mmask8>(m.bits >> 8)}; }
GSIM_HD BitMask<16> join_bits(BitMask<8> low, BitMask<8> high) {
  return {_mm512_kunpackb(high.bits, low.bits)};
}

}  // namespace vec

GSIM_TARGET_END
