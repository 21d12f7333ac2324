#pragma once

#include "gsim/exec/array.hpp"

namespace gsim::md {

/// Resizes to `size` elements with arbitrary contents.
template <class T>
void resize_discard(Array<T>& array, Index size) {
  if (array.size() != size) array.resize_discard(size);
}

}  // namespace gsim::md
