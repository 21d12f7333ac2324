#pragma once
// The types that elements of datasets and of particle columns can have.

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace gsim {

enum class ElementType { float64, float32, int64, uint64, int32, uint32, uint8 };

template <class T>
constexpr ElementType element_type() {
  if constexpr (std::is_same_v<T, double>)
    return ElementType::float64;
  else if constexpr (std::is_same_v<T, float>)
    return ElementType::float32;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return ElementType::int64;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return ElementType::uint64;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return ElementType::int32;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return ElementType::uint32;
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return ElementType::uint8;
  else
    static_assert(sizeof(T) == 0, "no element type");
}
/// Size of one element in bytes.
std::size_t element_size(ElementType type);

}  // namespace gsim
