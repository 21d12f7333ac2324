#pragma once
// x86-64 forms of the operations in vector.hpp: SSE2, AVX2 with FMA, AVX-512.

#include "gsim/math/detail/vector.hpp"

GSIM_TARGET_BEGIN

namespace vec {

GSIM_HD Vec<double, 2> sqrt(As<double, 2>, Vec<double, 2> a, Machine) { return _mm_sqrt_pd(a); }
GSIM_HD Vec<float, 4> sqrt(As<float, 4>, Vec<float, 4> a, Machine) { return _mm_sqrt_ps(a); }

// The second operand of these instructions is the result for NaN and for zeros of either sign.
#define GSIM_X86_BOUND(T, W, p, s)                                              \
  GSIM_HD Vec<T, W> at_least(As<T, W>, Vec<T, W> a, Vec<T, W> bound, Machine) { \
    return p##_max_##s(bound, a);                                               \
  }                                                                             \
  GSIM_HD Vec<T, W> at_most(As<T, W>, Vec<T, W> a, Vec<T, W> bound, Machine) {  \
    return p##_min_##s(bound, a);                                               \
  }
GSIM_X86_BOUND(double, 2, _mm, pd)
GSIM_X86_BOUND(float, 4, _mm, ps)
#if defined(GSIM_AVX2)
GSIM_X86_BOUND(double, 4, _mm256, pd)
GSIM_X86_BOUND(float, 8, _mm256, ps)
#endif
#if defined(GSIM_AVX512)
GSIM_X86_BOUND(double, 8, _mm512, pd)
GSIM_X86_BOUND(float, 16, _mm512, ps)
#endif
#undef GSIM_X86_BOUND

template <int Bytes, int W>
requires(Bytes* W == 16) GSIM_HD bool any(VectorMask<Bytes, W> m, Machine) {
  return _mm_movemask_epi8((__m128i)m) != 0;
}

GSIM_HD Vec<std::uint64_t, 2> mul_wide(As<std::uint64_t, 2>, Vec<std::uint64_t, 2> a,
                                       Vec<std::uint64_t, 2> b, Machine) {
  return (Vec<std::uint64_t, 2>)_mm_mul_epu32((__m128i)a, (__m128i)b);
}

#if defined(GSIM_AVX2)

#define GSIM_X86_REAL(T, W, p, s)                                                   \
  GSIM_HD Vec<T, W> fma(As<T, W>, Vec<T, W> a, Vec<T, W> b, Vec<T, W> c, Machine) { \
    return p##_fmadd_##s(a, b, c);                                                  \
  }
GSIM_X86_REAL(double, 2, _mm, pd)
GSIM_X86_REAL(float, 4, _mm, ps)
GSIM_X86_REAL(double, 4, _mm256, pd)
GSIM_X86_REAL(float, 8, _mm256, ps)
#if defined(GSIM_AVX512)
GSIM_X86_REAL(double, 8, _mm512, pd)
GSIM_X86_REAL(float, 16, _mm512, ps)
#endif
#undef GSIM_X86_REAL

#define GSIM_X86_ROUND(T, W, p, s)                                          \
  GSIM_HD Vec<T, W> round_even(As<T, W>, Vec<T, W> a, Machine) {            \
    return p##_round_##s(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); \
  }                                                                         \
  GSIM_HD Vec<T, W> floor(As<T, W>, Vec<T, W> a, Machine) {                 \
    return p##_round_##s(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);     \
  }
GSIM_X86_ROUND(double, 2, _mm, pd)
GSIM_X86_ROUND(float, 4, _mm, ps)
GSIM_X86_ROUND(double, 4, _mm256, pd)
GSIM_X86_ROUND(float, 8, _mm256, ps)
#undef GSIM_X86_ROUND

GSIM_HD Vec<double, 4> sqrt(As<double, 4>, Vec<double, 4> a, Machine) { return _mm256_sqrt_pd(a); }
GSIM_HD Vec<float, 8> sqrt(As<float, 8>, Vec<float, 8> a, Machine) { return _mm256_sqrt_ps(a); }

// The instruction uses the sign of each lane, so no comparison of the mask with zero is needed.
GSIM_HD Vec<double, 4> select(As<double, 4>, VectorMask<8, 4> m, Vec<double, 4> a, Vec<double, 4> b,
                              Machine) {
  return _mm256_blendv_pd(b, a, (__m256d)m);
}
GSIM_HD Vec<float, 8> select(As<float, 8>, VectorMask<4, 8> m, Vec<float, 8> a, Vec<float, 8> b,
                             Machine) {
  return _mm256_blendv_ps(b, a, (__m256)m);
}

// Written as inline assembly, because GCC 12 turns the intrinsic into a comparison with zero and
// does not reverse this when two blends share a mask.
GSIM_HD Vec<double, 4> select_top_bit(As<double, 4>, Vec<std::uint64_t, 4> bits, Vec<double, 4> a,
                                      Vec<double, 4> b, Machine) {
  Vec<double, 4> r;
  asm("vblendvpd %3, %2, %1, %0" : "=x"(r) : "x"(b), "x"(a), "x"(bits));
  return r;
}
GSIM_HD Vec<float, 8> select_top_bit(As<float, 8>, Vec<std::uint32_t, 8> bits, Vec<float, 8> a,
                                     Vec<float, 8> b, Machine) {
  Vec<float, 8> r;
  asm("vblendvps %3, %2, %1, %0" : "=x"(r) : "x"(b), "x"(a), "x"(bits));
  return r;
}

GSIM_HD Vec<std::uint64_t, 4> join_halves(As<std::uint64_t, 4>, Vec<std::uint64_t, 4> low,
                                          Vec<std::uint64_t, 4> high, Machine) {
  return (Vec<std::uint64_t, 4>)_mm256_blend_epi32((__m256i)high, (__m256i)low, 0x55);
}

template <int Bytes, int W>
requires(Bytes* W == 32) GSIM_HD bool any(VectorMask<Bytes, W> m, Machine) {
  return _mm256_movemask_epi8((__m256i)m) != 0;
}

GSIM_HD Vec<std::uint64_t, 4> mul_wide(As<std::uint64_t, 4>, Vec<std::uint64_t, 4> a,
                                       Vec<std::uint64_t, 4> b, Machine) {
  return (Vec<std::uint64_t, 4>)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}

GSIM_HD Vec<double, 4> gather(As<double, 4>, const double* table, Vec<std::int32_t, 4> index,
                              Machine) {
  return _mm256_i32gather_pd(table, (__m128i)index, 8);
}
GSIM_HD Vec<float, 8> gather(As<float, 8>, const float* table, Vec<std::int32_t, 8> index,
                             Machine) {
  return _mm256_i32gather_ps(table, (__m256i)index, 4);
}

#if !defined(GSIM_AVX512)
// AVX2 has no conversion of 64-bit integers. The halves are inserted into the fractions of 2^84 and
// 2^52, whose offsets are then subtracted: one rounding, in the last addition.
GSIM_HD Vec<double, 4> convert(As<double, 4>, As<std::uint64_t, 4>, Vec<std::uint64_t, 4> a,
                               Machine) {
  const Vec<double, 4> high = (Vec<double, 4>)((a >> 32) | 0x4530000000000000u);
  const Vec<double, 4> low = (Vec<double, 4>)((a & 0xffffffffu) | 0x4330000000000000u);
  return (high - (0x1p84 + 0x1p52)) + low;
}
GSIM_HD Vec<double, 4> convert(As<double, 4>, As<std::int64_t, 4>, Vec<std::int64_t, 4> a,
                               Machine) {
  const Vec<std::uint64_t, 4> u = (Vec<std::uint64_t, 4>)a;
  const Vec<double, 4> high = (Vec<double, 4>)(((u >> 32) ^ 0x80000000u) | 0x4530000000000000u);
  const Vec<double, 4> low = (Vec<double, 4>)((u & 0xffffffffu) | 0x4330000000000000u);
  return (high - (0x1p84 + 0x1p63 + 0x1p52)) + low;
}
#endif

#endif  // GSIM_AVX2

}  // namespace vec

GSIM_TARGET_END

#if defined(GSIM_AVX512)
#include "gsim/math/detail/vector_avx512.hpp"
#endif
