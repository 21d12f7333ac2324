#pragma once
// Choice of a handler by type: calls `f` with a value of the C++ type, and gives its result, or
// null for types that are not in the group.

#include <cstdint>

#include "exec/code.hpp"
#include "reader/types.hpp"

namespace ptxemu {

/// 16, 32 and 64 bits, with or without sign.
template <class F>
Handler by_integer(Type type, const F& f) {
  switch (type) {
    case Type::b16:
    case Type::u16:
      return f(std::uint16_t{});
    case Type::b32:
    case Type::u32:
      return f(std::uint32_t{});
    case Type::b64:
    case Type::u64:
      return f(std::uint64_t{});
    case Type::s16:
      return f(std::int16_t{});
    case Type::s32:
      return f(std::int32_t{});
    case Type::s64:
      return f(std::int64_t{});
    default:
      return nullptr;
  }
}

/// 16, 32 and 64 bits as unsigned numbers, whatever the type's sign.
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

template <class F>
Handler by_float(Type type, const F& f) {
  if (type == Type::f32) return f(float{});
  if (type == Type::f64) return f(double{});
  return nullptr;
}

}  // namespace ptxemu
