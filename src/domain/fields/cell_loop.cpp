#include "gsim/domain/cell_loop.hpp"

#include "gsim/domain/field.hpp"

namespace gsim {

CellLoop CellLoop::of(const FieldLayout& layout, const CellBlock& part) {
  CellLoop loop;
  if (part.empty()) return loop;
  loop.first = layout.row(layout.block.lo);
  for (std::size_t a = 0; a < 3; ++a) {
    const int axis = static_cast<int>(a);
    loop.stride[a] = layout.stride[a];
    loop.size[a] = layout.block.size(axis);
    loop.origin[a] = layout.block.lo[a];
    loop.begin[a] = part.lo[a] - layout.block.lo[a];
    loop.count[a] = part.size(axis);
    loop.wraps[a] = layout.width[a] == 0;
  }
  return loop;
}

CellLoop CellLoop::of(const FieldLayout& layout) { return of(layout, layout.block); }

}  // namespace gsim
