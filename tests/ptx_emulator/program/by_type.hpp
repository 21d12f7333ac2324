#pragma once
// Choice of a handler by the type of an operand: each function calls `f` with a value of the C++
// type and returns its result, or null for types outside its group.

#include <cstdint>
#include <type_traits>

#include "exec/code.hpp"
#include "reader/types.hpp"

namespace ptxemu {

/// All types of 8 to 64 bits; bit types (.b8, …) are unsigned integers.
template <class F>
Handler by_type(Type type, const F& f) {
  switch (type) {
    case Type::b8:
    case Type::u8:
      return f(std::uint8_t{});
    case Type::b16:
    case Type::u16:
      return f(std::uint16_t{});
    case Type::b32:
    case Type::u32:
      return f(std::uint32_t{});
    case Type::b64:
    case Type::u64:
      return f(std::uint64_t{});
    case Type::s8:
      return f(std::int8_t{});
    case Type::s16:
      return f(std::int16_t{});
    case Type::s32:
      return f(std::int32_t{});
    case Type::s64:
      return f(std::int64_t{});
    case Type::f32:
      return f(float{});
    case Type::f64:
      return f(double{});
    default:
      return nullptr;
  }
}

/// Signed and unsigned integers of 16, 32 and 64 bits.
template <class F>
Handler by_integer(Type type, const F& f) {
  return by_type(type, [&](auto value) -> Handler {
    using T = decltype(value);
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 2)
      return f(value);
    else
      return nullptr;
  });
}

/// The floating-point types .f32 and .f64.
template <class F>
Handler by_float(Type type, const F& f) {
  return by_type(type, [&](auto value) -> Handler {
    if constexpr (std::is_floating_point_v<decltype(value)>)
      return f(value);
    else
      return nullptr;
  });
}

/// Unsigned integers of 2, 4 and 8 bytes.
template <class F>
Handler by_width(int size, const F& f) {
  switch (size) {
    case 2:
      return f(std::uint16_t{});
    case 4:
      return f(std::uint32_t{});
    case 8:
      return f(std::uint64_t{});
    default:
      return nullptr;
  }
}

}  // namespace ptxemu
