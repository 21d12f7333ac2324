#pragma once
// What the functors of tally filters share. A functor finds the bins of a filter; each is a struct
// in a header of this folder, and kernels/transport/CMakeLists.txt lists all of them in
// filters/list.hpp. Its first member is its name, the quantity that FilterBins::quantity names
// (gsim/transport/filter_kind.hpp); `traits` say for which tallies the quantity is defined. Its
// function follows from traits.scope:
//
//   index      static Index index(state, crossed): index of the quantity's value in the map
//   track      static int32 bin(t, filter, state, crossed): the bin, -1 for none
//   level      static int32 index(level): the index of the level's cell, universe, ... in the map
//   planes     static void for_planes(t, filter, state, add): calls add(edges, bins, per_length,
//              origin, slope, stride) for each dimension, as LinearTrack::add()
//   cylinders  CylinderTrack (track_cuts.hpp)

#include "kernels/transport/tallies/filter_traits.hpp"
#include "kernels/transport/tallies/track_cuts.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::FilterScope;
using transport::FilterTraits;

/// A surface that a particle crosses.
struct CrossedSurface {
  std::int32_t surface = -1;
  double cosine = 0;  ///< of the direction with the surface's normal
};

/// The bin of `index` in the map of the filter.
GSIM_HD std::int32_t mapped_bin(const TallyView& t, const TallyFilter& f, Index index) {
  return t.maps[f.first + index];
}

/// The bin between the bounds of the filter that contains x.
GSIM_HD std::int32_t bounded_bin(const TallyView& t, const TallyFilter& f, double x) {
  return bin_of(t.edges.data + f.first, f.bins, x);
}

/// The bin of a cosine. Rounded cosines may be slightly larger than 1.
GSIM_HD std::int32_t cosine_bin(const TallyView& t, const TallyFilter& f, double cosine) {
  return bounded_bin(t, f, cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
}

}  // namespace transport_kernels
GSIM_TARGET_END
