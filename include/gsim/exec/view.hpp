#pragma once
// A non-owning span that kernels receive: a pointer and an element count, trivially copyable.

#include <type_traits>

#include "gsim/core/types.hpp"
#include "gsim/math/target.hpp"

namespace gsim {

template <class T>
struct View {
  T* data = nullptr;
  Index size = 0;

  GSIM_HD T& operator[](Index i) const { return data[i]; }
  GSIM_HD T* begin() const { return data; }
  GSIM_HD T* end() const { return data + size; }
  template <class U>
  requires(std::is_same_v<U, const T> && !std::is_const_v<T>) GSIM_HD operator View<U>() const {
    return {data, size};
  }
};

}  // namespace gsim
