#pragma once
// Scalar types and state spaces of PTX.

#include <cstdint>
#include <optional>
#include <string_view>

namespace ptxemu {

/// A fundamental type of PTX.
enum class Type : std::uint8_t {
  none,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f32x2,
  f64,
  pred
};

/// A state space of PTX. `reg` denotes registers; `generic` denotes addresses without a space.
enum class Space : std::uint8_t { generic, reg, param, global, shared, local, constant };

/// The type of a suffix without its dot, such as "u32"; empty if it is not a type.
std::optional<Type> type_of(std::string_view suffix);

/// Size of a value of the type in bytes; 4 for predicates, which have one bit per lane of a warp.
int size_of(Type type);

bool is_signed(Type type);
bool is_float(Type type);

}  // namespace ptxemu
