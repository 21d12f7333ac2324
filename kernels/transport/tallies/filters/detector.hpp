#pragma once
#include "kernels/transport/tallies/filters/filter_functor.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bins by the point detector to which a next-event estimate belongs.
struct DetectorFilter {
  static constexpr char name[] = "detector";
  static constexpr FilterTraits traits{.in_volumes = false, .at_surfaces = false};
  GSIM_HD static Index index(const TallyState& s, const CrossedSurface&) { return s.detector; }
};

}  // namespace transport_kernels
GSIM_TARGET_END
