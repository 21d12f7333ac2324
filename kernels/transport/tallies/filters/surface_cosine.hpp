#pragma once
#include "kernels/transport/tallies/filters/filter_functor.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bins by the cosine of the direction with the normal of the surface that is crossed.
struct SurfaceCosineFilter {
  static constexpr char name[] = "surface_cosine";
  static constexpr FilterTraits traits{
      .scope = FilterScope::track, .in_volumes = false, .at_points = false};
  GSIM_HD static std::int32_t bin(const TallyView& t, const TallyFilter& f, const TallyState&,
                                  const CrossedSurface& crossed) {
    return cosine_bin(t, f, crossed.cosine);
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END
