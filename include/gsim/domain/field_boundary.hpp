#pragma once
// What stands beyond the open faces of a grid: the ghosts there, filled from the cells inside, so
// that a stencil needs no special cases at walls.

#include <array>
#include <cstdint>
#include <vector>

#include "gsim/domain/field.hpp"

namespace gsim {

/// How the ghosts beyond one open face follow from the cells inside. With u_1, u_2, … the cells
/// counted from the face inwards and g_1, g_2, … the ghosts counted outwards:
enum class FaceRule : std::int32_t {
  untouched,      ///< they keep what they hold
  zero_gradient,  ///< g_k = u_k: no flux through the face, symmetric about it (Neumann)
  face_value,     ///< g_k = 2 value - u_k: the line through both has the value on the face itself,
                  ///< half a cell from the centres of both (Dirichlet, second order)
  ghost_value,    ///< g_k = value: it stands in the centres of the ghosts, half a cell outside
};

/// The rule of one face, and the value that it needs.
struct FaceCondition {
  FaceRule rule = FaceRule::untouched;
  double value = 0;
  friend bool operator==(const FaceCondition&, const FaceCondition&) = default;
};

/// Fills the ghosts beyond open faces; those around periodic axes are FieldHalo's. Cells beyond two
/// or three faces (edges, corners) follow the rules of all of them, one after the other in the
/// order x, y, z, each from the ghosts that the one before has filled; so they do not depend on how
/// the grid is divided.
class FieldBoundary {
 public:
  /// For fields of `components` components on this layout, which is a block of `grid`; every face
  /// is left untouched at first. InputError where an open axis has fewer cells than ghost layers.
  FieldBoundary(const GridDecomposition& grid, const FieldLayout& layout, int components = 1);

  /// The condition of all components, or of one, at the lower (side 0) or upper (side 1) face of an
  /// axis, from the next fill() on. Error for a periodic axis, or where there is no such component.
  void set(int axis, int side, const FaceCondition& condition);
  void set(int axis, int side, int component, const FaceCondition& condition);

  /// Fills the ghosts of a field of doubles or floats (its elements' size says which), one launch
  /// an axis; nothing is sent. Ghosts beyond a face and next to another rank's cells, and edges,
  /// follow from ghosts that others send: call it after FieldHalo::finish(). A stencil that reads
  /// none of these may call it after post() already (FieldParts). Error for a field of another
  /// layout or number of components.
  void fill(Field& field) const;

 private:
  const FaceCondition& at(int axis, int side, int component) const;
  Cell cells_;
  std::array<bool, 3> is_open_;
  FieldLayout layout_;
  int components_;
  std::array<std::vector<FaceCondition>, 6> conditions_;  // [2 * axis + side][component]
};

}  // namespace gsim
