// cvt between integers and floating-point numbers.

#include <limits>
#include <optional>

#include "exec/instructions/rounding.hpp"
#include "exec/lanes.hpp"
#include "program/by_type.hpp"
#include "program/families.hpp"

namespace ptxemu {
namespace {

/// Modifiers of a conversion, in Op::immediate.
constexpr std::int64_t flush = 4, saturate = 8, to_integral = 16;  // bits 0 and 1: rounding mode

template <class To, class From>
To clamp_integer(From a) {
  using Limits = std::numeric_limits<To>;
  const auto wide = static_cast<__int128>(a);
  if (wide < static_cast<__int128>(Limits::min())) return Limits::min();
  if (wide > static_cast<__int128>(Limits::max())) return Limits::max();
  return static_cast<To>(a);
}

/// Converts `a`, which is integral, infinite or NaN. NaN gives 0, or if
/// one of the types has 64 bits, only the most significant bit set.
template <class To, class From>
To float_to_integer(From a) {
  using Limits = std::numeric_limits<To>;
  if (a != a) {
    if (sizeof(From) < 8 && sizeof(To) < 8) return To{0};
    return static_cast<To>(std::uint64_t{1} << (8 * sizeof(To) - 1));
  }
  const auto low = static_cast<From>(Limits::min());
  const From high = std::ldexp(From{1}, Limits::digits);  // one more than the maximum
  if (a < low) return Limits::min();
  if (a >= high) return Limits::max();
  return static_cast<To>(a);
}

/// `mode` as FloatModifiers::mode().
template <class T>
T round_to_integral(T a, int mode) {
  switch (mode) {
    case 0:
      return std::nearbyint(a);
    case 1:
      return std::trunc(a);
    case 2:
      return std::floor(a);
    default:
      return std::ceil(a);
  }
}

template <class To, class From>
To convert_one(From a, std::int64_t modifiers) {
  if constexpr (std::is_floating_point_v<From>) {
    if ((modifiers & flush) != 0) a = flush_subnormal(a);
    if ((modifiers & to_integral) != 0) a = round_to_integral(a, static_cast<int>(modifiers & 3));
    if constexpr (std::is_integral_v<To>) {
      return float_to_integer<To>(a);
    } else {
      To value = canonical(static_cast<To>(a));
      if ((modifiers & flush) != 0) value = flush_subnormal(value);
      if ((modifiers & saturate) != 0) value = saturated(value);
      return value;
    }
  } else if constexpr (std::is_floating_point_v<To>) {
    const auto exact = static_cast<long double>(a);
    const To value = (modifiers & 3) != 0 ? static_cast<To>(exact) : static_cast<To>(a);
    return (modifiers & saturate) != 0 ? saturated(value) : value;
  } else {
    return (modifiers & saturate) != 0 ? clamp_integer<To>(a) : static_cast<To>(a);
  }
}

/// Lane n of a register of op.b bytes; the value occupies the lowest bytes.
template <class From>
const From* source_lane(Warp& warp, const Op& op, int n) {
  return reinterpret_cast<const From*>(warp.at<std::byte>(op.a) + n * static_cast<int>(op.b));
}

/// Writes the result to registers of op.c bytes, sign- or zero-extended.
template <class To, class R>
void write(Warp& warp, const Op& op, const To* values) {
  R wide[warp_size];
  for (int n = 0; n < warp_size; ++n) {
    if constexpr (std::is_floating_point_v<To>)
      wide[n] = static_cast<R>(
          std::bit_cast<std::conditional_t<sizeof(To) == 4, std::uint32_t, std::uint64_t>>(
              values[n]));
    else
      wide[n] = static_cast<R>(values[n]);
  }
  store(warp.at<R>(op.d), wide, warp.mask);
}

/// The asm statements keep the conversions between the changes of the rounding mode.
template <class To, class From>
void run_convert(Warp& warp, const Op& op) {
  To values[warp_size];
  From sources[warp_size];
  for (int n = 0; n < warp_size; ++n) sources[n] = *source_lane<From>(warp, op, n);
  const std::int64_t modifiers = op.immediate;
  if ((modifiers & to_integral) == 0 && (modifiers & 3) != 0) {
    asm volatile("" ::"r"(&sources[0]), "r"(&values[0]) : "memory");
    const ScopedRounding rounding(static_cast<int>(modifiers & 3));
    for (int n = 0; n < warp_size; ++n) values[n] = convert_one<To, From>(sources[n], modifiers);
    asm volatile("" ::"r"(&values[0]) : "memory");
  } else {
    for (int n = 0; n < warp_size; ++n) values[n] = convert_one<To, From>(sources[n], modifiers);
  }
  switch (op.c) {
    case 2:
      return write<To, std::uint16_t>(warp, op, values);
    case 4:
      return write<To, std::uint32_t>(warp, op, values);
    default:
      return write<To, std::uint64_t>(warp, op, values);
  }
}

/// The faster handler of a conversion without modifiers between registers of the sizes of its
/// types: between integers of 16 bits or more, and from 32-bit integers to floating point;
/// otherwise null.
template <class To, class From>
constexpr Handler without_modifiers() {
  if constexpr (std::is_integral_v<To> && std::is_integral_v<From> && sizeof(To) >= 2 &&
                sizeof(From) >= 2)
    return map1<To, From, [](From a) { return static_cast<To>(a); }>;
  else if constexpr (std::is_floating_point_v<To> && std::is_integral_v<From> && sizeof(From) == 4)
    return map1<To, From, [](From a) { return static_cast<To>(a); }>;
  else
    return nullptr;
}

}  // namespace

void select_convert(Lowering& in) {
  std::int64_t modifiers = 0;
  constexpr const char* modes[] = {"rn", "rz", "rm", "rp"};
  constexpr const char* integral[] = {"rni", "rzi", "rmi", "rpi"};
  for (int n = 0; n < 4; ++n) {
    if (in.take(modes[n])) modifiers |= n;
    if (in.take(integral[n])) modifiers |= n | to_integral;
  }
  if (in.take("ftz")) modifiers |= flush;
  if (in.take("sat")) modifiers |= saturate;
  const Type to = in.parse_type(), from = in.parse_type();
  if (to == Type::none || from == Type::none) in.unsupported();
  int from_size = size_of(from), to_size = size_of(to);
  in.op.a = in.wide_source(in.operand(1), from_size);
  in.op.d = in.wide_result(in.operand(0), to_size);
  if (from_size < size_of(from) || to_size < size_of(to)) in.unsupported("a register is too small");
  in.op.b = static_cast<Slot>(from_size), in.op.c = static_cast<Slot>(to_size);
  in.op.immediate = modifiers;
  in.op.unit = static_cast<std::uint8_t>(is_float(to) != is_float(from) ? Unit::special
                                         : is_float(to)                 ? Unit::fp64
                                                                        : Unit::integer);
  const bool exact_sizes = from_size == size_of(from) && to_size == size_of(to);
  in.op.run = by_type(to, [&](auto t) {
    return by_type(from, [&](auto f) -> Handler {
      using To = decltype(t);
      using From = decltype(f);
      constexpr Handler plain = without_modifiers<To, From>();
      return plain != nullptr && exact_sizes && modifiers == 0 ? plain : run_convert<To, From>;
    });
  });
  if (in.op.run == nullptr) in.unsupported("conversions of this type are not implemented");
}

}  // namespace ptxemu
