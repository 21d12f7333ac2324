#pragma once
// Pack<T, W>: W lanes of T that are computed together; host kernels process entities in packs. A
// pack wider than a vector register consists of two packs of half the width, so W may be any power
// of two on any machine. Lane i has the same bits for every W, on every CPU level, and as a plain
// scalar (scalar.hpp), which CUDA threads use. Generic code takes a type R, a pack or a scalar, and
// obtains its properties from scalar_of<R>, lanes_of<R>, mask_of<R>.

#include "gsim/math/mask.hpp"
#include "gsim/math/scalar.hpp"

GSIM_TARGET_BEGIN

#if defined(__CUDACC__)

/// The pack type of kernels on CUDA: one lane per thread.
template <Scalar T>
using packed = T;

#else

/// Number of lanes of T in one register.
template <Scalar T>
GSIM_HD constexpr int native_lanes() {
  return vec::register_bytes / static_cast<int>(sizeof(T));
}

template <Scalar T, int W>
struct Pack;
/// The pack type of kernels: one register on the host (with two, the additional register spills
/// cost more than the overlap of instructions gains), a scalar on CUDA. The number of lanes
/// divides 64.
template <Scalar T>
using packed = Pack<T, native_lanes<T>()>;

template <Scalar T, int W>
requires(static_cast<int>(sizeof(T)) * W <= vec::register_bytes) struct Pack<T, W> {
  static_assert(W >= 2 && (W & (W - 1)) == 0);
  static constexpr bool is_register = true;
  using Rep = vec::Vec<T, W>;
  Rep v;

  Pack() = default;
  GSIM_HD explicit Pack(Rep rep) : v(rep) {}
  GSIM_HD Pack(T x) : v(x - Rep{}) {}  // x - 0 is x also for x = -0
};

template <Scalar T, int W>
requires(static_cast<int>(sizeof(T)) * W > vec::register_bytes) struct Pack<T, W> {
  static_assert((W & (W - 1)) == 0);
  static constexpr bool is_register = false;
  using Half = Pack<T, W / 2>;
  Half lo, hi;

  Pack() = default;
  GSIM_HD Pack(Half low, Half high) : lo(low), hi(high) {}
  GSIM_HD Pack(T x) : lo(x), hi(x) {}
};

template <Scalar T, int W>
struct PackTraits<Pack<T, W>> {
  using scalar = T;
  using mask = Mask<sizeof(T), W>;
  static constexpr int lanes = W;
  template <class U>
  using rebind = Pack<U, W>;
};

/// The lower and upper W/2 lanes, and the pack joined from two halves.
template <class T, int W>
GSIM_HD Pack<T, W / 2> lower(Pack<T, W> a) {
  using H = Pack<T, W / 2>;
  if constexpr (Pack<T, W>::is_register)
    return H(vec::lower_half<typename H::Rep>(a.v, std::make_index_sequence<W / 2>{}));
  else
    return a.lo;
}
template <class T, int W>
GSIM_HD Pack<T, W / 2> upper(Pack<T, W> a) {
  using H = Pack<T, W / 2>;
  if constexpr (Pack<T, W>::is_register)
    return H(vec::upper_half<typename H::Rep>(a.v, std::make_index_sequence<W / 2>{}));
  else
    return a.hi;
}
template <class T, int W>
GSIM_HD Pack<T, 2 * W> join(Pack<T, W> low, Pack<T, W> high) {
  using D = Pack<T, 2 * W>;
  if constexpr (D::is_register)
    return D(vec::joined<typename D::Rep>(low.v, high.v, std::make_index_sequence<2 * W>{}));
  else
    return D(low, high);
}

#define GSIM_PACK_WITH_SCALARS(Result, op)                              \
  template <class T, int W>                                             \
  GSIM_HD Result operator op(Pack<T, W> a, std::type_identity_t<T> b) { \
    return a op Pack<T, W>(b);                                          \
  }                                                                     \
  template <class T, int W>                                             \
  GSIM_HD Result operator op(std::type_identity_t<T> a, Pack<T, W> b) { \
    return Pack<T, W>(a) op b;                                          \
  }
#define GSIM_COMMA ,
#define GSIM_PACK_BINARY(op)                                   \
  template <class T, int W>                                    \
  GSIM_HD Pack<T, W> operator op(Pack<T, W> a, Pack<T, W> b) { \
    if constexpr (Pack<T, W>::is_register)                     \
      return Pack<T, W>(a.v op b.v);                           \
    else                                                       \
      return {a.lo op b.lo, a.hi op b.hi};                     \
  }                                                            \
  GSIM_PACK_WITH_SCALARS(Pack<T GSIM_COMMA W>, op)             \
  template <class T, int W, class B>                           \
  GSIM_HD Pack<T, W>& operator op##=(Pack<T, W>& a, B b) {     \
    a = a op b;                                                \
    return a;                                                  \
  }
GSIM_PACK_BINARY(+)
GSIM_PACK_BINARY(-)
GSIM_PACK_BINARY(*)
GSIM_PACK_BINARY(/)
GSIM_PACK_BINARY(&)
GSIM_PACK_BINARY(|)
GSIM_PACK_BINARY(^)
#undef GSIM_PACK_BINARY

#define GSIM_PACK_SHIFT(op)                                        \
  template <class T, int W>                                        \
  GSIM_HD Pack<T, W> operator op(Pack<T, W> a, int count) {        \
    if constexpr (Pack<T, W>::is_register)                         \
      return Pack<T, W>(a.v op count);                             \
    else                                                           \
      return {a.lo op count, a.hi op count};                       \
  }                                                                \
  template <class T, int W>                                        \
  GSIM_HD Pack<T, W> operator op(Pack<T, W> a, Pack<T, W> count) { \
    if constexpr (Pack<T, W>::is_register)                         \
      return Pack<T, W>(a.v op count.v);                           \
    else                                                           \
      return {a.lo op count.lo, a.hi op count.hi};                 \
  }
GSIM_PACK_SHIFT(<<)
GSIM_PACK_SHIFT(>>)
#undef GSIM_PACK_SHIFT

template <class T, int W>
GSIM_HD Pack<T, W> operator-(Pack<T, W> a) {
  if constexpr (Pack<T, W>::is_register)
    return Pack<T, W>(-a.v);
  else
    return {-a.lo, -a.hi};
}
template <class T, int W>
GSIM_HD Pack<T, W> operator~(Pack<T, W> a) {
  if constexpr (Pack<T, W>::is_register)
    return Pack<T, W>(~a.v);
  else
    return {~a.lo, ~a.hi};
}

// Comparisons with NaN are false, except !=.
#define GSIM_PACK_COMPARE(op, name, first, second)                            \
  template <class T, int W>                                                   \
  GSIM_HD Mask<sizeof(T), W> operator op(Pack<T, W> a, Pack<T, W> b) {        \
    if constexpr (Pack<T, W>::is_register)                                    \
      return {vec::name(vec::As<T, W>{}, first.v, second.v, vec::Machine{})}; \
    else                                                                      \
      return {a.lo op b.lo, a.hi op b.hi};                                    \
  }                                                                           \
  GSIM_PACK_WITH_SCALARS(Mask<sizeof(T) GSIM_COMMA W>, op)
GSIM_PACK_COMPARE(<, less, a, b)
GSIM_PACK_COMPARE(<=, less_equal, a, b)
GSIM_PACK_COMPARE(>, less, b, a)
GSIM_PACK_COMPARE(>=, less_equal, b, a)
GSIM_PACK_COMPARE(==, equal, a, b)
GSIM_PACK_COMPARE(!=, not_equal, a, b)
#undef GSIM_PACK_COMPARE
#undef GSIM_PACK_WITH_SCALARS
#undef GSIM_COMMA

template <class T, int W>
GSIM_HD Pack<T, W> select(Mask<sizeof(T), W> m, Pack<T, W> a, std::type_identity_t<Pack<T, W>> b) {
  if constexpr (Pack<T, W>::is_register)
    return Pack<T, W>(vec::select(vec::As<T, W>{}, m.v, a.v, b.v, vec::Machine{}));
  else
    return {select(m.lo, a.lo, b.lo), select(m.hi, a.hi, b.hi)};
}
template <class T, int W>
GSIM_HD Pack<T, W> select(Mask<sizeof(T), W> m, std::type_identity_t<T> a, Pack<T, W> b) {
  return select(m, Pack<T, W>(a), b);
}

#define GSIM_PACK_BOUND(name)                                                          \
  template <class T, int W>                                                            \
  GSIM_HD Pack<T, W> name(Pack<T, W> value, std::type_identity_t<Pack<T, W>> bound) {  \
    if constexpr (Pack<T, W>::is_register)                                             \
      return Pack<T, W>(vec::name(vec::As<T, W>{}, value.v, bound.v, vec::Machine{})); \
    else                                                                               \
      return {name(value.lo, bound.lo), name(value.hi, bound.hi)};                     \
  }
GSIM_PACK_BOUND(at_least)
GSIM_PACK_BOUND(at_most)
#undef GSIM_PACK_BOUND

/// Selects a where the top bit of the lane of `bits` is set, else b.
template <class T, int W>
GSIM_HD Pack<T, W> select_top_bit(Pack<uint_of<T>, W> bits, Pack<T, W> a, Pack<T, W> b) {
  if constexpr (Pack<T, W>::is_register)
    return Pack<T, W>(vec::select_top_bit(vec::As<T, W>{}, bits.v, a.v, b.v, vec::Machine{}));
  else
    return {select_top_bit(bits.lo, a.lo, b.lo), select_top_bit(bits.hi, a.hi, b.hi)};
}

/// Joins the low halves of the lanes of `low` and the high halves of those of `high`.
template <int W>
GSIM_HD Pack<std::uint64_t, W> join_halves(Pack<std::uint64_t, W> low,
                                           std::type_identity_t<Pack<std::uint64_t, W>> high) {
  if constexpr (Pack<std::uint64_t, W>::is_register)
    return Pack<std::uint64_t, W>(
        vec::join_halves(vec::As<std::uint64_t, W>{}, low.v, high.v, vec::Machine{}));
  else
    return {join_halves(low.lo, high.lo), join_halves(low.hi, high.hi)};
}

/// Twice as many 32-bit lanes: the low halves of a in the even ones, of b in the odd ones.
template <int W>
GSIM_HD Pack<std::uint32_t, 2 * W> alternate_words(Pack<std::uint64_t, W> a,
                                                   Pack<std::uint64_t, W> b) {
  if constexpr (Pack<std::uint64_t, W>::is_register) {
    using Words = Pack<std::uint32_t, 2 * W>;
    return Words((typename Words::Rep)join_halves(a, b << 32).v);
  } else {
    return {alternate_words(a.lo, b.lo), alternate_words(a.hi, b.hi)};
  }
}
/// Every second lane, starting with lane 0 or 1.
template <class T, int W>
GSIM_HD Pack<T, W / 2> even_lanes(Pack<T, W> a) {
  using H = Pack<T, W / 2>;
  if constexpr (Pack<T, W>::is_register)
    return H(vec::strided<typename H::Rep, 0>(a.v, std::make_index_sequence<W / 2>{}));
  else
    return join(even_lanes(a.lo), even_lanes(a.hi));
}
template <class T, int W>
GSIM_HD Pack<T, W / 2> odd_lanes(Pack<T, W> a) {
  using H = Pack<T, W / 2>;
  if constexpr (Pack<T, W>::is_register)
    return H(vec::strided<typename H::Rep, 1>(a.v, std::make_index_sequence<W / 2>{}));
  else
    return join(odd_lanes(a.lo), odd_lanes(a.hi));
}

template <class R, int B, int W>
GSIM_HD mask_of<R> mask_cast(Mask<B, W> m) {
  return vec::mask_as<sizeof(scalar_of<R>)>(m);
}

template <class T, int W>
GSIM_HD Pack<T, W> fma(Pack<T, W> a, std::type_identity_t<Pack<T, W>> b,
                       std::type_identity_t<Pack<T, W>> c) {
  if constexpr (Pack<T, W>::is_register)
    return Pack<T, W>(vec::fma(vec::As<T, W>{}, a.v, b.v, c.v, vec::Machine{}));
  else
    return {fma(a.lo, b.lo, c.lo), fma(a.hi, b.hi, c.hi)};
}

#define GSIM_PACK_UNARY(name)                                             \
  template <class T, int W>                                               \
  GSIM_HD Pack<T, W> name(Pack<T, W> a) {                                 \
    if constexpr (Pack<T, W>::is_register)                                \
      return Pack<T, W>(vec::name(vec::As<T, W>{}, a.v, vec::Machine{})); \
    else                                                                  \
      return {name(a.lo), name(a.hi)};                                    \
  }
GSIM_PACK_UNARY(sqrt)
GSIM_PACK_UNARY(round_even)
GSIM_PACK_UNARY(floor)
#if defined(GSIM_AVX512)
GSIM_PACK_UNARY(reciprocal_root_estimate)
#endif
#undef GSIM_PACK_UNARY

template <Scalar To, class From, int W>
requires(sizeof(To) == sizeof(From)) GSIM_HD Pack<To, W> bit_cast_to(Pack<From, W> a) {
  if constexpr (Pack<To, W>::is_register)
    return Pack<To, W>((vec::Vec<To, W>)a.v);
  else
    return {bit_cast_to<To>(a.lo), bit_cast_to<To>(a.hi)};
}

template <Scalar To, class From, int W>
GSIM_HD Pack<To, W> convert(Pack<From, W> a) {
  if constexpr (Pack<To, W>::is_register && Pack<From, W>::is_register)
    return Pack<To, W>(vec::convert(vec::As<To, W>{}, vec::As<From, W>{}, a.v, vec::Machine{}));
  else
    return join(convert<To>(lower(a)), convert<To>(upper(a)));
}

template <class T, int W>
GSIM_HD Pack<T, W> abs(Pack<T, W> a) {
  constexpr uint_of<T> sign_bit = uint_of<T>(1) << (sizeof(T) * 8 - 1);
  return bit_cast_to<T>(bit_cast_to<uint_of<T>>(a) & ~sign_bit);
}
template <class T, int W>
GSIM_HD Pack<T, W> copysign(Pack<T, W> magnitude, std::type_identity_t<Pack<T, W>> sign) {
  constexpr uint_of<T> sign_bit = uint_of<T>(1) << (sizeof(T) * 8 - 1);
  return bit_cast_to<T>((bit_cast_to<uint_of<T>>(magnitude) & ~sign_bit) |
                        (bit_cast_to<uint_of<T>>(sign) & sign_bit));
}

/// The product of the low 32-bit halves of the lanes.
template <int W>
GSIM_HD Pack<std::uint64_t, W> mul_wide(Pack<std::uint64_t, W> a,
                                        std::type_identity_t<Pack<std::uint64_t, W>> b) {
  if constexpr (Pack<std::uint64_t, W>::is_register)
    return Pack<std::uint64_t, W>(
        vec::mul_wide(vec::As<std::uint64_t, W>{}, a.v, b.v, vec::Machine{}));
  else
    return {mul_wide(a.lo, b.lo), mul_wide(a.hi, b.hi)};
}

template <class R>
requires(lanes_of<R> > 1) GSIM_HD R load(const scalar_of<R>* from) {
  if constexpr (R::is_register) {
    return R(*reinterpret_cast<const vec::InMemory<typename R::Rep>*>(from));
  } else {
    using H = decltype(lower(R()));
    return R(load<H>(from), load<H>(from + lanes_of<H>));
  }
}
template <class T, int W>
GSIM_HD void store(T* to, Pack<T, W> a) {
  if constexpr (Pack<T, W>::is_register) {
    *reinterpret_cast<vec::InMemory<typename Pack<T, W>::Rep>*>(to) = a.v;
  } else {
    store(to, a.lo);
    store(to + W / 2, a.hi);
  }
}
template <class R>
requires(lanes_of<R> > 1) GSIM_HD R broadcast(scalar_of<R> x) { return R(x); }
template <class R>
requires(lanes_of<R> > 1) GSIM_HD R lane_index() {
  scalar_of<R> lanes[lanes_of<R>];
  for (int i = 0; i < lanes_of<R>; ++i) lanes[i] = static_cast<scalar_of<R>>(i);
  return load<R>(lanes);
}

template <class T, int W>
GSIM_HD Pack<T, W> gather(const T* table, Pack<std::int32_t, W> index) {
  if constexpr (Pack<T, W>::is_register && Pack<std::int32_t, W>::is_register)
    return Pack<T, W>(vec::gather(vec::As<T, W>{}, table, index.v, vec::Machine{}));
  else
    return join(gather(table, lower(index)), gather(table, upper(index)));
}

template <class T, int W>
GSIM_HD T extract(Pack<T, W> a, int lane) {
  if constexpr (Pack<T, W>::is_register)
    return a.v[lane];
  else
    return lane < W / 2 ? extract(a.lo, lane) : extract(a.hi, lane - W / 2);
}

#endif  // __CUDACC__

/// A scalar or pack of floating-point numbers.
template <class R>
concept Real = RealScalar<scalar_of<R>>;

/// The smaller and the larger argument; the first if they are equal (also 0 and -0); NaN if one is
/// NaN.
template <Real R>
GSIM_HD R min(R a, std::type_identity_t<R> b) {
  return select((a == a) & (b == b), select(b < a, b, a), R(nan_of<scalar_of<R>>()));
}
template <Real R>
GSIM_HD R max(R a, std::type_identity_t<R> b) {
  return select((a == a) & (b == b), select(b > a, b, a), R(nan_of<scalar_of<R>>()));
}

/// Replaces every NaN by gsim's canonical NaN, since processors generate different ones.
template <Real R>
GSIM_HD R canonical(R a) {
  return select(a == a, a, R(nan_of<scalar_of<R>>()));
}

GSIM_TARGET_END
