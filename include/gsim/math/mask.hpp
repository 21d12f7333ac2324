#pragma once
// Masks: one truth value per lane, the result of comparisons of packs. Bytes is the width of the
// compared lanes.

#if !defined(__CUDACC__)

#include <concepts>

#include "gsim/math/detail/vector.hpp"

GSIM_TARGET_BEGIN

template <int Bytes, int W>
struct Mask;

/// Converting a mask to bool in an `if` does not compile; the message explains what to write
/// instead.
#define GSIM_MASK_IS_NO_BOOL                                                                  \
  template <std::same_as<bool> T>                                                             \
  explicit operator T() const {                                                               \
    static_assert(!std::same_as<T, bool>,                                                     \
                  "packs were compared where one truth value is needed (if, ?:, while, &&, "  \
                  "||): the comparison has one for each lane. Choose values by select(mask, " \
                  "a, b), or use any(mask) or all(mask); join masks by & and |");             \
    return false;                                                                             \
  }

template <int Bytes, int W>
requires(Bytes* W <= vec::register_bytes) struct Mask<Bytes, W> {
#if defined(GSIM_AVX512)
  using Rep = typename vec::MaskRep<Bytes, W>::type;
#else
  using Rep = vec::VectorMask<Bytes, W>;
#endif
  static constexpr bool is_register = true;
  Rep v;
  GSIM_MASK_IS_NO_BOOL
};

template <int Bytes, int W>
requires(Bytes* W > vec::register_bytes) struct Mask<Bytes, W> {
  static constexpr bool is_register = false;
  Mask<Bytes, W / 2> lo, hi;
  GSIM_MASK_IS_NO_BOOL
};
#undef GSIM_MASK_IS_NO_BOOL

#define GSIM_MASK_BINARY(op)                                   \
  template <int B, int W>                                      \
  GSIM_HD Mask<B, W> operator op(Mask<B, W> a, Mask<B, W> b) { \
    if constexpr (Mask<B, W>::is_register)                     \
      return {a.v op b.v};                                     \
    else                                                       \
      return {a.lo op b.lo, a.hi op b.hi};                     \
  }
GSIM_MASK_BINARY(&)
GSIM_MASK_BINARY(|)
#undef GSIM_MASK_BINARY

template <int B, int W>
GSIM_HD Mask<B, W> operator!(Mask<B, W> a) {
  if constexpr (Mask<B, W>::is_register)
    return {~a.v};
  else
    return {!a.lo, !a.hi};
}

/// Whether the mask is true in some lane; in every lane.
template <int B, int W>
GSIM_HD bool any(Mask<B, W> a) {
  if constexpr (Mask<B, W>::is_register) {
#if defined(GSIM_AVX512)
    if constexpr (B * W == 64)
      return a.v.bits != 0;
    else
#endif
      return vec::any<B, W>(a.v, vec::Machine{});
  } else {
    return any(a.lo | a.hi);
  }
}
template <int B, int W>
GSIM_HD bool all(Mask<B, W> a) {
  return !any(!a);
}

namespace vec {
/// join() makes a mask of 2 W lanes from two masks of W lanes; half() is the lower or upper half of
/// the lanes of a mask.
template <int B, int W>
GSIM_HD Mask<B, 2 * W> join(Mask<B, W> low, Mask<B, W> high) {
  if constexpr (!Mask<B, 2 * W>::is_register) return {low, high};
#if defined(GSIM_AVX512)
  else if constexpr (B == 4 && W == 8)
    return {join_bits(bits_of(low.v), bits_of(high.v))};
  else if constexpr (B == 8 && W == 4)
    return {bits_of(joined<VectorMask<4, 8>>(__builtin_convertvector(low.v, VectorMask<4, 4>),
                                             __builtin_convertvector(high.v, VectorMask<4, 4>),
                                             std::make_index_sequence<8>{}))};
#endif
  else
    return {joined<VectorMask<B, 2 * W>>(low.v, high.v, std::make_index_sequence<2 * W>{})};
}
template <bool Upper, int B, int W>
GSIM_HD Mask<B, W / 2> half(Mask<B, W> m) {
  using H = Mask<B, W / 2>;
  if constexpr (!Mask<B, W>::is_register) {
    return Upper ? m.hi : m.lo;
#if defined(GSIM_AVX512)
  } else if constexpr (B == 4 && W == 16) {
    return {vector_of(Upper ? upper_bits(m.v) : lower_bits(m.v))};
  } else if constexpr (B == 8 && W == 8) {
    return {__builtin_convertvector(
        Upper ? upper_half<VectorMask<4, 4>>(vector_of(m.v), std::make_index_sequence<4>{})
              : lower_half<VectorMask<4, 4>>(vector_of(m.v), std::make_index_sequence<4>{}),
        VectorMask<8, 4>)};
#endif
  } else if constexpr (Upper) {
    return {upper_half<typename H::Rep>(m.v, std::make_index_sequence<W / 2>{})};
  } else {
    return {lower_half<typename H::Rep>(m.v, std::make_index_sequence<W / 2>{})};
  }
}

/// Converts a mask to lanes of another width.
template <int To, int B, int W>
GSIM_HD Mask<To, W> mask_as(Mask<B, W> m) {
  if constexpr (To == B)
    return m;
  else if constexpr (!(Mask<To, W>::is_register && Mask<B, W>::is_register))
    return join(mask_as<To>(half<false>(m)), mask_as<To>(half<true>(m)));
#if defined(GSIM_AVX512)
  else if constexpr (W == 8 && To == 8)
    return {bits_of(m.v)};
  else if constexpr (W == 8 && To == 4)
    return {vector_of(m.v)};
#endif
  else
    return {__builtin_convertvector(m.v, typename Mask<To, W>::Rep)};
}
}  // namespace vec

GSIM_TARGET_END

#endif  // !__CUDACC__
