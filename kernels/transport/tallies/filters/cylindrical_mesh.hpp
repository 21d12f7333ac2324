#pragma once
#include "kernels/transport/tallies/filters/filter_functor.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bins of a mesh of cylinders, half-planes and planes about an axis (CylinderTrack).
struct CylindricalMeshFilter {
  static constexpr char name[] = "cylindrical_mesh";
  static constexpr FilterTraits traits{.scope = FilterScope::cylinders, .at_points = false};
};

}  // namespace transport_kernels
GSIM_TARGET_END
