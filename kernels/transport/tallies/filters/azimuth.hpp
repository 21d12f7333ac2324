#pragma once
#include "gsim/core/angle.hpp"
#include "kernels/transport/tallies/filters/filter_functor.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bins by the azimuth of the direction about the z axis, from x towards y, in degrees.
struct AzimuthFilter {
  static constexpr char name[] = "azimuth";
  static constexpr FilterTraits traits{.scope = FilterScope::track};
  GSIM_HD static std::int32_t bin(const TallyView& t, const TallyFilter& f, const TallyState& s,
                                  const CrossedSurface&) {
    return bounded_bin(t, f,
                       gsim::atan2<Strict>(s.direction.y, s.direction.x) * degrees_per_radian);
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END
