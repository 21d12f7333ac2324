#include "gsim/domain/field_boundary.hpp"

#include <algorithm>
#include <string>

#include "gsim/core/misuse.hpp"
#include "kernels/domain/fill_faces.hpp"

namespace gsim {
namespace {

constexpr domain::FillRule fill_rule(FaceRule rule) { return static_cast<domain::FillRule>(rule); }
static_assert(fill_rule(FaceRule::untouched) == domain::FillRule::untouched);
static_assert(fill_rule(FaceRule::zero_gradient) == domain::FillRule::zero_gradient);
static_assert(fill_rule(FaceRule::face_value) == domain::FillRule::face_value);
static_assert(fill_rule(FaceRule::ghost_value) == domain::FillRule::ghost_value);

/// The arguments of a fill of the ghost cells `ghost_cells`, which lie outside one face across
/// `axis`. Reflection at the face takes the cell with index g along the axis to mirror_sum - g: the
/// face at the lower side of cell n is between n - 1 and n, so mirror_sum = 2 n - 1.
domain::FaceGhosts face_ghosts(const FieldLayout& layout, const CellBlock& ghost_cells, int axis,
                               Index mirror_sum) {
  domain::FaceGhosts ghosts;
  if (ghost_cells.empty()) return ghosts;
  ghosts.first = layout.row(ghost_cells.lo);
  ghosts.count = ghost_cells.cells();
  ghosts.size[0] = ghost_cells.size(0);
  ghosts.size[1] = ghost_cells.size(1);
  ghosts.mirror = mirror_sum - 2 * ghost_cells.lo[static_cast<std::size_t>(axis)];
  return ghosts;
}

std::size_t face_number(int axis, int side) {
  return 2 * static_cast<std::size_t>(axis) + static_cast<std::size_t>(side);
}

}  // namespace

FieldBoundary::FieldBoundary(const GridDecomposition& grid, const FieldLayout& layout,
                             int components)
    : cells_(grid.cells()), is_open_{}, layout_(layout), components_(components) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    is_open_[a] = grid.boundary(axis) == Boundary::open;
    GSIM_VALIDATE(!is_open_[a] || cells_[a] >= layout.width[a],
                  "a field with " + std::to_string(layout.width[a]) + " ghost layers has only " +
                      std::to_string(cells_[a]) + " cells between its open faces",
                  "use more cells along that axis");
    for (std::size_t side = 0; side < 2; ++side)
      conditions_[2 * a + side].resize(static_cast<std::size_t>(components));
  }
}

void FieldBoundary::set(int axis, int side, const FaceCondition& condition) {
  for (int c = 0; c < components_; ++c) set(axis, side, c, condition);
}

void FieldBoundary::set(int axis, int side, int component, const FaceCondition& condition) {
  const bool is_face = axis >= 0 && axis < 3 && (side == 0 || side == 1);
  if (!is_face || !is_open_[static_cast<std::size_t>(axis)] || component < 0 ||
      component >= components_)
    throw MisuseError("a FieldBoundary is given a condition for component " +
                      std::to_string(component) + " at side " + std::to_string(side) + " of axis " +
                      std::to_string(axis) + ", which is no component or no open face of the grid");
  conditions_[face_number(axis, side)][static_cast<std::size_t>(component)] = condition;
}

const FaceCondition& FieldBoundary::at(int axis, int side, int component) const {
  return conditions_[face_number(axis, side)][static_cast<std::size_t>(component)];
}

void FieldBoundary::fill(Field& field) const {
  if (field.layout() != layout_ || field.components() != components_)
    throw MisuseError(
        "a field and the FieldBoundary that fills it differ in layout or components; make both "
        "with one layout");
  // Ghosts along later axes are not filled yet, so they are excluded here.
  CellBlock filled = layout_.extended();
  for (std::size_t a = 0; a < 3; ++a)
    if (is_open_[a]) {
      filled.lo[a] = std::max<Index>(filled.lo[a], 0);
      filled.hi[a] = std::min(filled.hi[a], cells_[a]);
    }
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    if (!is_open_[a] || layout_.block.empty()) continue;
    const CellBlock all = layout_.extended();
    CellBlock below = filled, above = filled;
    below.lo[a] = all.lo[a];
    below.hi[a] = 0;
    above.lo[a] = cells_[a];
    above.hi[a] = all.hi[a];
    domain::FillFacesArgs args;
    args.elements = field.data();
    args.components = components_;
    args.element_bytes = static_cast<std::int32_t>(field.row_bytes() / components_);
    args.axis = axis;
    for (std::size_t k = 0; k < 3; ++k) args.stride[k] = layout_.stride[k];
    args.side[0] = face_ghosts(layout_, below, axis, -1);
    args.side[1] = face_ghosts(layout_, above, axis, 2 * cells_[a] - 1);
    filled.lo[a] = std::min(filled.lo[a], all.lo[a]);
    filled.hi[a] = std::max(filled.hi[a], all.hi[a]);
    for (int c = 0; c < components_; c += domain::FillFacesArgs::max_components) {
      args.component = c;
      args.count = std::min(components_ - c, domain::FillFacesArgs::max_components);
      for (int side = 0; side < 2; ++side)
        for (int k = 0; k < args.count; ++k) {
          const FaceCondition& condition = at(axis, side, c + k);
          args.rule[side][k] = fill_rule(condition.rule);
          args.value[side][k] = condition.value;
        }
      domain_fill_faces(field.executor(), args);
    }
  }
}

}  // namespace gsim
