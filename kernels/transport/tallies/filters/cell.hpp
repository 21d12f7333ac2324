#pragma once
#include "kernels/transport/tallies/filters/filter_functor.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bins by the cell of each level of the geometry that contains the particle; several bins may
/// match.
struct CellFilter {
  static constexpr char name[] = "cell";
  static constexpr FilterTraits traits{
      .scope = FilterScope::level, .at_points = false, .needs_cell = true};
  GSIM_HD static std::int32_t index(const Level& level) { return level.cell; }
};

}  // namespace transport_kernels
GSIM_TARGET_END
