#pragma once
// A field's elements as kernels take them.

#include <type_traits>

namespace gsim {

/// Pointer to the first row of a field of `Components` elements a cell (Field::view): what the
/// cells of a loop (domain/cell_loop.hpp) read and write.
template <class T, int Components = 1>
struct FieldView {
  T* data = nullptr;

  /// The same for reading only.
  template <class U>
  requires(std::is_same_v<U, const T> && !std::is_const_v<T>) constexpr
  operator FieldView<U, Components>() const {
    return {data};
  }
};

}  // namespace gsim
