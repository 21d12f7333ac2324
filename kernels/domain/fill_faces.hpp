#pragma once
// Fills the ghosts of a field beyond the two open faces of one axis.

#include <cstdint>

#include "gsim/exec/launch.hpp"

namespace gsim::domain {

/// Same order as gsim::FaceRule (domain/field_boundary.hpp).
enum class FillRule : std::int32_t { untouched, mirror, oppose, value };

/// A block of ghosts beyond one face. Ghost n, first coordinate fastest, has the coordinates (n %
/// size[0], …) in the block and is in row first + sum of coordinate * stride. Its mirror image
/// inside is displaced by mirror - 2 * coordinate cells along the axis of the face.
struct FaceGhosts {
  Index first = 0, count = 0;
  Index size[2] = {1, 1};  ///< along the first two axes
  Index mirror = 0;
};

/// Components [component, component + count) of the ghosts beyond both faces of `axis`.
struct FillFacesArgs {
  static constexpr int max_components = 8;
  void* elements = nullptr;
  std::int32_t element_bytes = 8;  ///< 8: double, 4: float
  std::int32_t components = 1;     ///< of the field
  std::int32_t component = 0, count = 0;
  std::int32_t axis = 0;
  Index stride[3] = {1, 0, 0};
  FaceGhosts side[2];
  FillRule rule[2][max_components] = {};
  double value[2][max_components] = {};
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_fill_faces, domain::FillFacesArgs)
