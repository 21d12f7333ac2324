#pragma once
#include "kernels/transport/tallies/filters/filter_functor.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bins by the energy group of the particle before the event.
struct GroupFilter {
  static constexpr char name[] = "group";
  static constexpr FilterTraits traits{};
  GSIM_HD static Index index(const TallyState& s, const CrossedSurface&) { return s.group; }
};

}  // namespace transport_kernels
GSIM_TARGET_END
