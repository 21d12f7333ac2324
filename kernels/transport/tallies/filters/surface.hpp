#pragma once
#include "kernels/transport/tallies/filters/filter_functor.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bins by the surface that is crossed.
struct SurfaceFilter {
  static constexpr char name[] = "surface";
  static constexpr FilterTraits traits{.in_volumes = false, .at_points = false};
  GSIM_HD static Index index(const TallyState&, const CrossedSurface& crossed) {
    return crossed.surface;
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END
