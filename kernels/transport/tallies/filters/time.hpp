#pragma once
#include "kernels/transport/tallies/filters/filter_functor.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bins by the time of the particle, s.
struct TimeFilter {
  static constexpr char name[] = "time";
  static constexpr FilterTraits traits{.scope = FilterScope::planes, .needs_time = true};
  /// One dimension, in which the bounds are searched: the widths of its bins may differ.
  template <class Add>
  GSIM_HD static void for_planes(const TallyView& t, const TallyFilter& f, const TallyState& s,
                                 Add&& add) {
    add(t.edges.data + f.first, f.bins, 0.0, s.time, s.inverse_speed, f.stride);
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END
