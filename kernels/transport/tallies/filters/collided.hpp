#pragma once
#include "kernels/transport/tallies/filters/filter_functor.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bins by the history of the particle before a next-event estimate: uncollided (0) or collided
/// (1).
struct CollidedFilter {
  static constexpr char name[] = "collided";
  static constexpr FilterTraits traits{.in_volumes = false, .at_surfaces = false};
  GSIM_HD static Index index(const TallyState& s, const CrossedSurface&) { return s.is_collided; }
};

}  // namespace transport_kernels
GSIM_TARGET_END
