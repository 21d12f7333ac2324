#pragma once
// Boundary conditions at the open faces of a grid: ghosts beyond them are computed from the cells
// inside, so that stencils need no special cases at boundaries.

#include <array>
#include <cstdint>
#include <vector>

#include "gsim/domain/field.hpp"

namespace gsim {

/// The rule for the ghosts beyond one open face. u_1, u_2, … are the cells counted from the face
/// inwards and g_1, g_2, … the ghosts counted outwards.
enum class FaceRule : std::int32_t {
  untouched,      ///< ghosts keep their values
  zero_gradient,  ///< g_k = u_k: no flux through the face, symmetric about it (Neumann)
  /// g_k = 2 value - u_k: linear extrapolation with `value` on the face, half a cell from both
  /// centres (Dirichlet, second order)
  face_value,
  ghost_value,  ///< g_k = value at the centres of the ghosts, half a cell outside
};

/// The rule of one face and its value.
struct FaceCondition {
  FaceRule rule = FaceRule::untouched;
  double value = 0;
  friend bool operator==(const FaceCondition&, const FaceCondition&) = default;
};

/// Fills the ghosts beyond open faces; periodic axes are handled by FieldHalo. Ghosts beyond two or
/// three faces (edges, corners) follow from the rules of these faces in the order x, y, z, each
/// applied to the ghosts that the previous one has filled, so they do not depend on the
/// decomposition of the grid.
class FieldBoundary {
 public:
  /// For fields with `components` components on this layout, which is a block of `grid`; initially
  /// every face is `untouched`. InputError if an open axis has fewer cells than ghost layers.
  FieldBoundary(const GridDecomposition& grid, const FieldLayout& layout, int components = 1);

  /// Sets the condition of all components, or of one, at the lower (side 0) or upper (side 1) face
  /// of an axis, effective from the next fill(). Error for a periodic axis or an invalid component.
  void set(int axis, int side, const FaceCondition& condition);
  void set(int axis, int side, int component, const FaceCondition& condition);

  /// Fills the ghosts of a field of doubles or floats (determined by the element size), with one
  /// launch per axis and no messages. Ghosts beyond a face next to another rank's cells, and edges,
  /// follow from received ghosts: call it after FieldHalo::finish(). For a stencil that does not
  /// read these it may be called after post() already (FieldParts). Error for a field with another
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
