// Integer arithmetic without carries.

#include <limits>
#include <type_traits>

#include "exec/lanes.hpp"
#include "program/by_type.hpp"
#include "program/families.hpp"

namespace ptxemu {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;
/// An unsigned type of at least 32 bits, in which arithmetic of T has no undefined overflow.
template <class T>
using Wide = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
/// The integer type of twice the width of T with the same signedness.
template <class T>
using TwiceAsWide = std::conditional_t<
    sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
    std::conditional_t<sizeof(T) == 4,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>>;

/// The lowest bits of a, as many as T has.
template <class T>
T wrap(Wide<T> a) {
  return static_cast<T>(a);
}
template <class T>
T multiply_high(T a, T b) {
  const auto product =
      static_cast<TwiceAsWide<T>>(static_cast<TwiceAsWide<T>>(a) * static_cast<TwiceAsWide<T>>(b));
  return static_cast<T>(product >> (8 * sizeof(T)));
}
/// The full product, for operands of 16 and 32 bits.
template <class T>
TwiceAsWide<T> multiply_wide(T a, T b) {
  using U = std::make_unsigned_t<TwiceAsWide<T>>;
  return static_cast<TwiceAsWide<T>>(static_cast<U>(static_cast<TwiceAsWide<T>>(a)) *
                                     static_cast<U>(static_cast<TwiceAsWide<T>>(b)));
}
/// Quotients by zero have all bits set, as on NVIDIA devices; PTX leaves them undefined.
template <class T>
T quotient(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if (std::is_signed_v<T> && b == static_cast<T>(-1))
    return wrap<T>(Wide<T>{0} - static_cast<Wide<T>>(a));
  return static_cast<T>(a / b);
}
template <class T>
T remainder(T a, T b) {
  if (b == 0) return a;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}
/// 32 bits from bit `first` on of the product of the low 24 bits.
template <class T, int first>
std::uint32_t multiply24(T a, T b) {
  using D = TwiceAsWide<T>;
  const auto low = [](T v) {
    return D{static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(v) << 8) >> 8)};
  };
  return static_cast<std::uint32_t>((low(a) * low(b)) >> first);
}
std::int32_t saturate(std::int64_t a) {
  constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t high = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(a < low ? low : a > high ? high : a);
}

template <class T>
Handler binary(const std::string& opcode) {
  using W = Wide<T>;
  if (opcode == "add")
    return map2<T, T, T, [](T a, T b) { return wrap<T>(static_cast<W>(a) + static_cast<W>(b)); }>;
  if (opcode == "sub")
    return map2<T, T, T, [](T a, T b) { return wrap<T>(static_cast<W>(a) - static_cast<W>(b)); }>;
  if (opcode == "min") return map2<T, T, T, [](T a, T b) { return b < a ? b : a; }>;
  if (opcode == "max") return map2<T, T, T, [](T a, T b) { return a < b ? b : a; }>;
  if (opcode == "div") return map2<T, T, T, [](T a, T b) { return quotient(a, b); }>;
  if (opcode == "rem") return map2<T, T, T, [](T a, T b) { return remainder(a, b); }>;
  return nullptr;
}

void select_binary(Lowering& in, Type type) {
  const std::string& opcode = in.instruction().opcode;
  const int size = size_of(type);
  in.op.d = in.result(0, size), in.op.a = in.source(1, size), in.op.b = in.source(2, size);
  if (type == Type::s32 && in.take("sat")) {
    if (opcode == "add")
      in.op.run = map2<std::int32_t, std::int32_t, std::int32_t,
                       [](std::int64_t a, std::int64_t b) { return saturate(a + b); }>;
    if (opcode == "sub")
      in.op.run = map2<std::int32_t, std::int32_t, std::int32_t,
                       [](std::int64_t a, std::int64_t b) { return saturate(a - b); }>;
    return;
  }
  in.op.run = by_integer(type, [&](auto z) { return binary<decltype(z)>(opcode); });
}

void select_unary(Lowering& in, Type type) {
  const std::string& opcode = in.instruction().opcode;
  const int size = size_of(type);
  in.op.d = in.result(0, size), in.op.a = in.source(1, size);
  in.op.run = by_integer(type, [&](auto z) -> Handler {
    using T = decltype(z);
    using W = Wide<T>;
    if (opcode == "neg") return map1<T, T, [](T a) { return wrap<T>(W{0} - static_cast<W>(a)); }>;
    return map1<T, T, [](T a) { return a < 0 ? wrap<T>(W{0} - static_cast<W>(a)) : a; }>;
  });
}

/// mul.wide and mad.wide, with results of twice the width.
void select_wide(Lowering& in, Type type, bool add) {
  const int size = size_of(type);
  if (size == 8) in.unsupported();
  in.op.d = in.result(0, 2 * size), in.op.a = in.source(1, size), in.op.b = in.source(2, size);
  if (add) in.op.c = in.source(3, 2 * size);
  in.op.run = by_integer(type, [&](auto z) -> Handler {
    using T = decltype(z);
    if constexpr (sizeof(T) == 8) {
      return nullptr;
    } else {
      using D = TwiceAsWide<T>;
      using U = Unsigned<D>;
      if (!add) return map2<D, T, T, [](T a, T b) { return multiply_wide(a, b); }>;
      return map3<D, T, T, D, [](T a, T b, D c) {
        return static_cast<D>(static_cast<U>(multiply_wide(a, b)) + static_cast<U>(c));
      }>;
    }
  });
}

void select_multiply(Lowering& in, Type type, bool add) {
  if (in.take("wide")) return select_wide(in, type, add);
  const bool high = in.take("hi"), saturated = add && high && type == Type::s32 && in.take("sat");
  if (!high && !in.take("lo")) in.unsupported();
  const int size = size_of(type);
  in.op.d = in.result(0, size), in.op.a = in.source(1, size), in.op.b = in.source(2, size);
  if (add) in.op.c = in.source(3, size);
  if (saturated) {
    using S = std::int32_t;
    in.op.run = map3<S, S, S, S,
                     [](S a, S b, S c) { return saturate(std::int64_t{multiply_high(a, b)} + c); }>;
    return;
  }
  in.op.run = by_integer(type, [&](auto z) -> Handler {
    using T = decltype(z);
    using W = Wide<T>;
    if (high && add)
      return map3<T, T, T, T, [](T a, T b, T c) {
        return wrap<T>(static_cast<W>(multiply_high(a, b)) + static_cast<W>(c));
      }>;
    if (high) return map2<T, T, T, [](T a, T b) { return multiply_high(a, b); }>;
    if (add)
      return map3<T, T, T, T, [](T a, T b, T c) {
        return wrap<T>(static_cast<W>(a) * static_cast<W>(b) + static_cast<W>(c));
      }>;
    return map2<T, T, T, [](T a, T b) { return wrap<T>(static_cast<W>(a) * static_cast<W>(b)); }>;
  });
}

/// mul24 and mad24: bits 0 to 31 (.lo) or 16 to 47 (.hi) of the product of the low 24 bits.
void select_multiply24(Lowering& in, Type type, bool add) {
  const bool high = in.take("hi");
  if ((!high && !in.take("lo")) || size_of(type) != 4) in.unsupported();
  in.op.d = in.result(0, 4), in.op.a = in.source(1, 4), in.op.b = in.source(2, 4);
  in.op.c = add ? in.source(3, 4) : in.constant(0, 4);
  using U = std::uint32_t;
  using S = std::int32_t;
  if (type == Type::s32)
    in.op.run = high ? map3<U, S, S, U, [](S a, S b, U c) { return multiply24<S, 16>(a, b) + c; }>
                     : map3<U, S, S, U, [](S a, S b, U c) { return multiply24<S, 0>(a, b) + c; }>;
  else
    in.op.run = high ? map3<U, U, U, U, [](U a, U b, U c) { return multiply24<U, 16>(a, b) + c; }>
                     : map3<U, U, U, U, [](U a, U b, U c) { return multiply24<U, 0>(a, b) + c; }>;
}

/// sad: |a - b| + c.
void select_difference(Lowering& in, Type type) {
  const int size = size_of(type);
  in.op.d = in.result(0, size), in.op.a = in.source(1, size), in.op.b = in.source(2, size);
  in.op.c = in.source(3, size);
  in.op.run = by_integer(type, [&](auto z) -> Handler {
    using T = decltype(z);
    using W = Wide<T>;
    return map3<T, T, T, T, [](T a, T b, T c) {
      const W distance =
          a < b ? static_cast<W>(b) - static_cast<W>(a) : static_cast<W>(a) - static_cast<W>(b);
      return wrap<T>(distance + static_cast<W>(c));
    }>;
  });
}

/// dp4a: the scalar product of four bytes, added to c. dp2a: that of two half words of a and the
/// lower (.lo) or upper two bytes of b.
void select_dot(Lowering& in) {
  const bool halves = in.instruction().opcode == "dp2a", upper = halves && in.take("hi");
  if (halves && !upper && !in.take("lo")) in.unsupported();
  const bool signed_a = is_signed(in.parse_type()), signed_b = is_signed(in.parse_type());
  in.op.d = in.result(0, 4), in.op.a = in.source(1, 4), in.op.b = in.source(2, 4);
  in.op.c = in.source(3, 4);
  in.op.option = static_cast<std::uint8_t>((signed_a ? 1 : 0) | (signed_b ? 2 : 0) |
                                           (halves ? 4 : 0) | (upper ? 8 : 0));
  in.op.run = [](Warp& warp, const Op& op) {
    // Bits `first` to `first` + `width` - 1 of a word.
    const auto part = [](std::uint32_t word, int first, int width, bool sign) {
      const std::uint32_t left = word << (32 - first - width);
      return sign ? static_cast<std::int32_t>(left) >> (32 - width)
                  : static_cast<std::int32_t>(left >> (32 - width));
    };
    const bool halves_of_a = (op.option & 4) != 0;
    const int count = halves_of_a ? 2 : 4, width = halves_of_a ? 16 : 8;
    const int first_of_b = (op.option & 8) != 0 ? 16 : 0;
    std::uint32_t values[warp_size];
    for (int n = 0; n < warp_size; ++n) {
      std::uint32_t sum = warp.at<std::uint32_t>(op.c)[n];
      for (int k = 0; k < count; ++k)
        sum += static_cast<std::uint32_t>(
            part(warp.at<std::uint32_t>(op.a)[n], width * k, width, (op.option & 1) != 0) *
            part(warp.at<std::uint32_t>(op.b)[n], first_of_b + 8 * k, 8, (op.option & 2) != 0));
      values[n] = sum;
    }
    store(warp.at<std::uint32_t>(op.d), values, warp.mask);
  };
}

}  // namespace

void select_integer(Lowering& in) {
  const std::string& opcode = in.instruction().opcode;
  if (opcode == "dp4a" || opcode == "dp2a") return select_dot(in);
  for (const std::string& suffix : in.instruction().suffixes)
    if (suffix == "cc") return select_carry(in);
  Type type = Type::none;
  for (const std::string& suffix : in.instruction().suffixes)
    if (const auto named = type_of(suffix)) type = *named;
  if (is_float(type)) return select_float(in);
  in.parse_type();
  in.op.unit = static_cast<std::uint8_t>(Unit::integer);
  if (opcode == "mul" || opcode == "mad") return select_multiply(in, type, opcode == "mad");
  if (opcode == "mul24" || opcode == "mad24") return select_multiply24(in, type, opcode == "mad24");
  if (opcode == "neg" || opcode == "abs") return select_unary(in, type);
  if (opcode == "sad") return select_difference(in, type);
  select_binary(in, type);
}

}  // namespace ptxemu
