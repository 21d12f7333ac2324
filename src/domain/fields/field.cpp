#include "gsim/domain/field.hpp"

#include <algorithm>
#include <string>

#include "gsim/core/misuse.hpp"

namespace gsim {

FieldLayout FieldLayout::of(const CellBlock& block, const Cell& width) {
  for (const Index w : width)
    GSIM_VALIDATE(w >= 0 && w < (Index{1} << 30),
                  "a field cannot have " + std::to_string(w) + " ghost layers",
                  "choose a small number of 0 or more");
  FieldLayout layout;
  layout.block = block;
  layout.width = width;
  if (block.empty()) return layout;
  constexpr Index max_rows = (Index{1} << 31) - 1;  // rows are numbered in 32 bits
  Index rows = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    Index length = block.hi[a] - block.lo[a] + 2 * width[a];
    if (a == 0 && length >= long_line) {
      constexpr Index unit = 8;  // owned cells of each line begin at a multiple of 8 rows
      layout.lead = (unit - width[0] % unit) % unit;
      length = (length + unit - 1) / unit * unit;
    }
    layout.stride[a] = rows;
    GSIM_VALIDATE(length <= max_rows / rows,
                  "a rank's part of a field, with its ghosts, has more than " +
                      std::to_string(max_rows) + " cells",
                  "use more ranks, fewer cells or fewer ghost layers");
    rows *= length;
  }
  layout.rows = rows + layout.lead;
  return layout;
}

CellBlock FieldLayout::extended() const {
  if (block.empty()) return block;
  CellBlock all = block;
  for (std::size_t a = 0; a < 3; ++a) {
    all.lo[a] -= width[a];
    all.hi[a] += width[a];
  }
  return all;
}

CellBlock FieldLayout::interior() const {
  CellBlock inner = block;
  for (std::size_t a = 0; a < 3; ++a) {
    inner.lo[a] = std::min(block.lo[a] + width[a], block.hi[a]);
    inner.hi[a] = std::max(block.hi[a] - width[a], inner.lo[a]);
  }
  return inner;
}

std::vector<CellBlock> FieldLayout::rim() const {
  std::vector<CellBlock> parts;
  const CellBlock inner = interior();
  CellBlock rest = block;  // the remainder after removing slabs below and above along each axis
  for (std::size_t a = 0; a < 3 && !rest.empty(); ++a) {
    CellBlock below = rest, above = rest;
    below.hi[a] = inner.lo[a];
    above.lo[a] = inner.hi[a];
    rest.lo[a] = inner.lo[a];
    rest.hi[a] = inner.hi[a];
    if (!below.empty()) parts.push_back(below);
    if (!above.empty()) parts.push_back(above);
  }
  return parts;
}

Field::Field(Executor executor, const FieldLayout& layout, int components, Index element_bytes,
             FieldQuantity quantity)
    : layout_(layout),
      components_(components),
      row_bytes_(components * element_bytes),
      offset_(components >= 1 && layout.rows > 0 ? margin : 0),
      memory_(std::move(executor), offset_ > 0 ? layout.rows * row_bytes_ + 2 * margin : 0),
      quantity_(std::move(quantity)) {
  if (components < 1 || (element_bytes != 4 && element_bytes != 8))
    throw MisuseError("a Field is made of " + std::to_string(components) + " elements of " +
                      std::to_string(element_bytes) +
                      " bytes per cell; give one element or more, of 4 or 8 bytes");
}

void Field::wrong_size() {
  throw MisuseError(
      "Field::elements() or view() is called with another element type or number of components "
      "than the field has; use those of the field");
}

}  // namespace gsim
