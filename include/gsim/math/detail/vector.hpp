#pragma once
// Operations on one vector register: GCC/Clang vector extensions, and the few operations that they
// do not express. This is the portable form; vector_x86.hpp and vector_neon.hpp overload it with
// machine instructions. Every form gives the same bits.

#include <cstdint>
#include <cstring>
#include <utility>

#include "gsim/math/target.hpp"

#if defined(__AVX2__)
#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 warns about operands that its own intrinsics leave undefined deliberately (GCC bug
// 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#else
#include <immintrin.h>
#endif
#elif defined(__x86_64__)
#include <emmintrin.h>  // SSE2 alone: the header of all instruction sets takes long to compile
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

GSIM_TARGET_BEGIN

namespace vec {

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define GSIM_AVX512 1
inline constexpr int register_bytes = 64;
#elif defined(__AVX2__) && defined(__FMA__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif
#if defined(__AVX2__) && defined(__FMA__)
#define GSIM_AVX2 1
#endif

template <class T, int W>
struct Traits {
  typedef T type __attribute__((vector_size(sizeof(T) * W)));
};
/// W lanes of T in one register (W * sizeof(T) <= register_bytes).
template <class T, int W>
using Vec = typename Traits<T, W>::type;

/// An unaligned register in memory. It is not copied by memcpy, because GCC splits the copy of a
/// register that is a member of a structure into smaller pieces.
template <class V>
struct InMemoryType {
  typedef V type __attribute__((aligned(1), may_alias));
};
template <class V>
using InMemory = typename InMemoryType<V>::type;

template <int Bytes>
struct IntOf;
template <>
struct IntOf<4> {
  using type = std::int32_t;
  using unsigned_type = std::uint32_t;
};
template <>
struct IntOf<8> {
  using type = std::int64_t;
  using unsigned_type = std::uint64_t;
};

/// Tags that select an overload by element type and lane count.
template <class T, int W>
struct As {};

/// The lanes of a comparison: all ones or all zeros. AVX-512 has mask registers for full vectors.
template <int Bytes, int W>
using VectorMask = Vec<typename IntOf<Bytes>::type, W>;

// ---- portable forms ----------------------------------------------------------------------------
// Calls pass Machine{} as the last argument: a form for Machine is preferred, and the portable one,
// for Any, is used where there is none.

struct Any {};
struct Machine : Any {};

template <class T, int W>
GSIM_HD Vec<T, W> fma(As<T, W>, Vec<T, W> a, Vec<T, W> b, Vec<T, W> c, Any) {
  Vec<T, W> r;
  for (int i = 0; i < W; ++i)
    if constexpr (sizeof(T) == 8)
      r[i] = __builtin_fma(a[i], b[i], c[i]);
    else
      r[i] = __builtin_fmaf(a[i], b[i], c[i]);
  return r;
}

template <class T, int W>
GSIM_HD Vec<T, W> sqrt(As<T, W>, Vec<T, W> a, Any) {
  Vec<T, W> r;
  for (int i = 0; i < W; ++i)
    if constexpr (sizeof(T) == 8)
      r[i] = __builtin_sqrt(a[i]);
    else
      r[i] = __builtin_sqrtf(a[i]);
  return r;
}

/// Adding and subtracting 2^(p-1), with p the bits of the significand, rounds to an integer, ties
/// to even; larger values are integers.
template <class T, int W>
GSIM_HD Vec<T, W> round_even(As<T, W>, Vec<T, W> a, Any) {
  using I = typename IntOf<sizeof(T)>::type;
  using IV = Vec<I, W>;
  constexpr T big = sizeof(T) == 8 ? T(0x1p52) : T(0x1p23f);
  constexpr I sign_bit = I(1) << (sizeof(T) * 8 - 1);
  const IV sign = (IV)a & sign_bit;
  const Vec<T, W> magnitude = (Vec<T, W>)((IV)a & ~sign_bit);
  const Vec<T, W> rounded = (magnitude + big) - big;
  const IV small = (IV)(magnitude < big);
  return (Vec<T, W>)((((IV)rounded & small) | ((IV)magnitude & ~small)) | sign);
}

template <class T, int W>
GSIM_HD Vec<T, W> floor(As<T, W> as, Vec<T, W> a, Any) {
  using IV = Vec<typename IntOf<sizeof(T)>::type, W>;
  const Vec<T, W> r = round_even(as, a, Any{});
  const Vec<T, W> lower = r - 1;
  const IV above = (IV)(r > a);
  return (Vec<T, W>)(((IV)lower & above) | ((IV)r & ~above));
}

#define GSIM_VECTOR_COMPARE(name, op)                                              \
  template <class T, int W>                                                        \
  GSIM_HD VectorMask<sizeof(T), W> name(As<T, W>, Vec<T, W> a, Vec<T, W> b, Any) { \
    return (VectorMask<sizeof(T), W>)(a op b);                                     \
  }
GSIM_VECTOR_COMPARE(less, <)
GSIM_VECTOR_COMPARE(less_equal, <=)
GSIM_VECTOR_COMPARE(equal, ==)
GSIM_VECTOR_COMPARE(not_equal, !=)
#undef GSIM_VECTOR_COMPARE

template <class T, int W, class M>
GSIM_HD Vec<T, W> select(As<T, W>, M m, Vec<T, W> a, Vec<T, W> b, Any) {
  return m ? a : b;
}

/// The larger, or smaller, of a and the bound; a if they are equal or one is NaN.
template <class T, int W>
GSIM_HD Vec<T, W> at_least(As<T, W>, Vec<T, W> a, Vec<T, W> bound, Any) {
  return bound > a ? bound : a;
}
template <class T, int W>
GSIM_HD Vec<T, W> at_most(As<T, W>, Vec<T, W> a, Vec<T, W> bound, Any) {
  return bound < a ? bound : a;
}

/// Selects a where the top bit of the lane is set, else b.
template <class T, int W>
GSIM_HD Vec<T, W> select_top_bit(As<T, W>, Vec<typename IntOf<sizeof(T)>::unsigned_type, W> bits,
                                 Vec<T, W> a, Vec<T, W> b, Any) {
  return (Vec<typename IntOf<sizeof(T)>::type, W>)bits < 0 ? a : b;
}

/// Joins the low halves of the lanes of `low` and the high halves of those of `high`.
template <int W>
GSIM_HD Vec<std::uint64_t, W> join_halves(As<std::uint64_t, W>, Vec<std::uint64_t, W> low,
                                          Vec<std::uint64_t, W> high, Any) {
  return (low & 0xffffffffu) | (high & 0xffffffff00000000u);
}

template <int Bytes, int W>
GSIM_HD bool any(VectorMask<Bytes, W> m, Any) {
  typename IntOf<Bytes>::type r = 0;
  for (int i = 0; i < W; ++i) r |= m[i];
  return r != 0;
}

/// The 64-bit products of the low 32-bit halves of the lanes.
template <int W>
GSIM_HD Vec<std::uint64_t, W> mul_wide(As<std::uint64_t, W>, Vec<std::uint64_t, W> a,
                                       Vec<std::uint64_t, W> b, Any) {
  return (a & 0xffffffffu) * (b & 0xffffffffu);
}

/// Converts every lane by static_cast.
template <class To, class From, int W>
GSIM_HD Vec<To, W> convert(As<To, W>, As<From, W>, Vec<From, W> a, Any) {
  return __builtin_convertvector(a, Vec<To, W>);
}

template <class T, int W>
GSIM_HD Vec<T, W> gather(As<T, W>, const T* table, Vec<std::int32_t, W> index, Any) {
  Vec<T, W> r;
  for (int i = 0; i < W; ++i) r[i] = table[index[i]];
  return r;
}

// ---- splitting and joining -------------------------------------------------------------------

template <class H, class V, std::size_t... I>
GSIM_HD H lower_half(V v, std::index_sequence<I...>) {
  return __builtin_shufflevector(v, v, I...);
}
template <class H, class V, std::size_t... I>
GSIM_HD H upper_half(V v, std::index_sequence<I...>) {
  return __builtin_shufflevector(v, v, (I + sizeof...(I))...);
}
/// Every second lane, from lane First on.
template <class H, int First, class V, std::size_t... I>
GSIM_HD H strided(V v, std::index_sequence<I...>) {
  return __builtin_shufflevector(v, v, (First + 2 * I)...);
}
template <class V, class H, std::size_t... I>
GSIM_HD V joined(H low, H high, std::index_sequence<I...>) {
  return __builtin_shufflevector(low, high, I...);
}

}  // namespace vec

GSIM_TARGET_END

#if defined(__x86_64__)
#include "gsim/math/detail/vector_x86.hpp"
#elif defined(__aarch64__)
#include "gsim/math/detail/vector_neon.hpp"
#endif
