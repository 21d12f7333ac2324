#pragma once
#include "kernels/transport/tallies/filters/filter_functor.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bins by the universe of each level of the geometry that contains the particle; several bins may
/// match.
struct UniverseFilter {
  static constexpr char name[] = "universe";
  static constexpr FilterTraits traits{
      .scope = FilterScope::level, .at_points = false, .needs_cell = true};
  GSIM_HD static std::int32_t index(const Level& level) { return level.universe; }
};

}  // namespace transport_kernels
GSIM_TARGET_END
