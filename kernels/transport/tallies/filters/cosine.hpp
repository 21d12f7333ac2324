#pragma once
#include "kernels/transport/tallies/filters/filter_functor.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bins by the cosine of the direction with the axis of the filter.
struct CosineFilter {
  static constexpr char name[] = "cosine";
  static constexpr FilterTraits traits{.scope = FilterScope::track};
  GSIM_HD static std::int32_t bin(const TallyView& t, const TallyFilter& f, const TallyState& s,
                                  const CrossedSurface&) {
    return cosine_bin(t, f, dot(s.direction, f.direction));
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END
