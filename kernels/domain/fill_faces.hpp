#pragma once
// Fills the ghosts of a field beyond the two open faces of one axis.

#include <cstdint>

#include "gsim/exec/launch.hpp"

namespace gsim::domain {

/// gsim::FaceRule (domain/field_boundary.hpp, which states the formulas), with the same values.
enum class FillRule : std::int32_t { untouched, zero_gradient, face_value, ghost_value };

/// A block of ghosts beyond one face. Ghost n has the coordinates x = n % size[0], y = n / size[0]
/// % size[1] and z = n / size[0] / size[1] in the block, and is row first + x stride[0] + y
/// stride[1] + z stride[2] of the field. Its mirror image in the face is displaced by mirror - 2 c
/// cells along the axis of the face, c being the ghost's coordinate along the axis.
struct FaceGhosts {
  Index first = 0, count = 0;
  Index size[2] = {1, 1};  ///< along the first two axes
  Index mirror = 0;
};

/// Fills components [component, component + count) of the ghosts beyond the lower (side 0) and the
/// upper face (side 1) of `axis`.
struct FillFacesArgs {
  static constexpr int max_components = 8;
  void* elements = nullptr;
  std::int32_t element_bytes = 8;  ///< 8: double, 4: float
  std::int32_t components = 1;     ///< of the field
  std::int32_t component = 0, count = 0;
  std::int32_t axis = 0;
  Index stride[3] = {1, 0, 0};  ///< rows between neighbours along each axis
  FaceGhosts side[2];
  FillRule rule[2][max_components] = {};  ///< [side][component - first component]
  double value[2][max_components] = {};   ///< of the rules, indexed likewise
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_fill_faces, domain::FillFacesArgs)
