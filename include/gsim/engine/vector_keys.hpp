#pragma once
// Configuration keys whose values are vectors: lists of three numbers.

#include <array>
#include <string_view>

#include "gsim/config/section.hpp"
#include "gsim/math/vector3.hpp"

namespace gsim {

/// Section::required() for a list of three numbers.
inline void required_vector(Section& s, std::string_view key, Vector3& value, const KeyInfo& info) {
  std::array<double, 3> list{value.x, value.y, value.z};
  s.required(key, list, info);
  value = {list[0], list[1], list[2]};
}
/// Section::optional() for a list of three numbers; `value` is the default.
inline void optional_vector(Section& s, std::string_view key, Vector3& value, const KeyInfo& info) {
  std::array<double, 3> list{value.x, value.y, value.z};
  s.optional(key, list, info);
  value = {list[0], list[1], list[2]};
}

}  // namespace gsim
