#pragma once
#include "kernels/transport/tallies/filters/filter_functor.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bins by the material at the particle. The first element of the map is for void, the others are
/// for the materials by index.
struct MaterialFilter {
  static constexpr char name[] = "material";
  static constexpr FilterTraits traits{.at_points = false, .needs_cell = true};
  GSIM_HD static Index index(const TallyState& s, const CrossedSurface&) {
    return Index{s.material} + 1;
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END
