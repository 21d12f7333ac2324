#pragma once
// Views of fields for kernels.

#include <type_traits>

namespace gsim {

/// Pointer to the first row of a field with `Components` elements per cell (Field::view), which the
/// cells of a loop (domain/cell_loop.hpp) read and write.
template <class T, int Components = 1>
struct FieldView {
  T* data = nullptr;

  /// A read-only view.
  template <class U>
  requires(std::is_same_v<U, const T> && !std::is_const_v<T>) constexpr
  operator FieldView<U, Components>() const {
    return {data};
  }
};

}  // namespace gsim
