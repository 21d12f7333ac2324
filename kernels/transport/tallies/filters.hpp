#pragma once
// The bins of filters: calls of the functors in kernels/transport/tallies/filters, by their
// numbers.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/geometry/simple_kernel.hpp"
#include "kernels/transport/tallies/filters/list.hpp"  // written by kernels/transport/CMakeLists.txt

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::Tally;

/// The functors, in the order of TallyFilter::functor.
enum class FilterNumber : std::int32_t {
#define GSIM_FILTER_NUMBER(name, Functor) name,
  GSIM_TALLY_FILTERS(GSIM_FILTER_NUMBER)
#undef GSIM_FILTER_NUMBER
};

/// The bin of a filter of scope `index`.
template <class Functor>
GSIM_HD std::int32_t index_bin(const TallyView& t, const TallyFilter& f, const TallyState& s,
                               const CrossedSurface& crossed) {
  if constexpr (Functor::traits.scope == FilterScope::index)
    return mapped_bin(t, f, Functor::index(s, crossed));
  else
    return -1;
}

/// Calls body(functor) with the functor of the filter. A switch, so that nothing is called
/// indirectly and small functors are inlined into the kernel of histories.
template <class Body>
GSIM_HD void with_functor(const TallyFilter& f, Body&& body) {
  switch (static_cast<FilterNumber>(f.functor)) {
#define GSIM_FILTER_CASE(name, Functor) \
  case FilterNumber::name:              \
    body(Functor{});                    \
    break;
    GSIM_TALLY_FILTERS(GSIM_FILTER_CASE)
#undef GSIM_FILTER_CASE
  }
}

/// The bin of a filter of scope `track`; -1: none.
GSIM_TRANSPORT_NOINLINE std::int32_t computed_bin(const TallyView& t, const TallyFilter& f,
                                                  const TallyState& s,
                                                  const CrossedSurface& crossed) {
  std::int32_t bin = -1;
  with_functor(f, [&]<class Functor>(Functor) {
    if constexpr (Functor::traits.scope == FilterScope::track) bin = Functor::bin(t, f, s, crossed);
  });
  return bin;
}

/// The bin of a filter that is constant along a track; -1: none.
GSIM_HD std::int32_t track_bin(const TallyView& t, const TallyFilter& f, const TallyState& s,
                               const CrossedSurface& crossed) {
  switch (static_cast<FilterNumber>(f.functor)) {
#define GSIM_FILTER_CASE(name, Functor)                        \
  case FilterNumber::name:                                     \
    if constexpr (Functor::traits.scope == FilterScope::index) \
      return index_bin<Functor>(t, f, s, crossed);             \
    break;
    GSIM_TALLY_FILTERS(GSIM_FILTER_CASE)
#undef GSIM_FILTER_CASE
  }
  return computed_bin(t, f, s, crossed);
}

/// Adds the bins of the filters that are constant along a track to `row`. False: one has no bin.
GSIM_HD bool add_track_bins(const TallyView& t, const Tally& tally, const TallyState& s,
                            const CrossedSurface& crossed, Index& row) {
  for (std::int32_t i = 0; i < tally.track_filters; ++i) {
    const TallyFilter& f = t.filters[tally.first_filter + i];
    const std::int32_t bin = track_bin(t, f, s, crossed);
    if (bin < 0) return false;
    row += bin * f.stride;
  }
  return true;
}

/// The bin of a level of the geometry; -1: none.
GSIM_HD std::int32_t level_bin(const TallyView& t, const TallyFilter& f, const Level& level) {
  std::int32_t bin = -1;
  with_functor(f, [&]<class Functor>(Functor) {
    if constexpr (Functor::traits.scope == FilterScope::level)
      bin = mapped_bin(t, f, Functor::index(level));
  });
  return bin;
}

/// Calls body(row) for each combination of levels that match filters of cells and universes.
template <class Body>
GSIM_HD void for_matching_levels(const TallyView& t, const Tally& tally, const TallyState& s,
                                 Index row, Body&& body) {
  const TallyFilter* const filters = t.filters.data + tally.first_filter + tally.track_filters;
  const std::int32_t outer = tally.level_filters > 0 ? s.at->depth : 1;
  const std::int32_t inner = tally.level_filters > 1 ? s.at->depth : 1;
  for (std::int32_t i = 0; i < outer; ++i) {
    Index outer_row = row;
    if (tally.level_filters > 0) {
      const std::int32_t bin = level_bin(t, filters[0], s.at->level[i]);
      if (bin < 0) continue;
      outer_row += bin * filters[0].stride;
    }
    for (std::int32_t j = 0; j < inner; ++j) {
      Index inner_row = outer_row;
      if (tally.level_filters > 1) {
        const std::int32_t bin = level_bin(t, filters[1], s.at->level[j]);
        if (bin < 0) continue;
        inner_row += bin * filters[1].stride;
      }
      body(inner_row);
    }
  }
}

GSIM_HD bool is_cylindrical(const TallyFilter& f) {
  return !is_simple_kernel &&
         static_cast<FilterNumber>(f.functor) == FilterNumber::cylindrical_mesh;
}

/// Calls add(edges, bins, per_length, origin, slope, stride) for each dimension in which planes of
/// the filter divide tracks: `bins` bins between the bounds `edges` of a coordinate that is origin
/// + slope * path along the flight (LinearCuts).
template <class Add>
GSIM_HD void for_planes(const TallyView& t, const TallyFilter& f, const TallyState& s, Add&& add) {
  with_functor(f, [&]<class Functor>(Functor) {
    if constexpr (Functor::traits.scope == FilterScope::planes) Functor::for_planes(t, f, s, add);
  });
}

/// Adds the bin at path p of a filter whose bounds divide tracks to the row; false: there is none.
/// The bin is that of a track of length 0, so that events on bounds are in the bin in which a track
/// that starts there would be.
GSIM_HD bool add_dividing_bin(const TallyView& t, const TallyFilter& f, const TallyState& s,
                              double p, Index& row) {
  if (is_cylindrical(f)) {
    CylinderTrack track(t, t.meshes[f.mesh], s, f.stride);
    if (!track.begin(p) || !track.is_scored()) return false;
    row += track.row();
    return true;
  }
  bool is_inside = true;
  for_planes(t, f, s,
             [&](const double* edges, std::int32_t bins, double per_length, double origin,
                 double slope, Index stride) {
               if (!is_inside) return;
               LinearCuts cuts;
               cuts.set(edges, bins, per_length, origin, slope);
               is_inside = cuts.begin(p);
               row += cuts.bin * stride;
             });
  return is_inside;
}

/// Adds the bins at path p of filters whose bounds divide tracks to the row; false: there is none.
GSIM_TRANSPORT_NOINLINE bool add_dividing_bins(const TallyView& t, const Tally& tally,
                                               const TallyState& s, double p, Index& row) {
  const TallyFilter* const filters =
      t.filters.data + tally.first_filter + tally.track_filters + tally.level_filters;
  for (std::int32_t i = 0; i < tally.dividing_filters; ++i)
    if (!add_dividing_bin(t, filters[i], s, p, row)) return false;
  return true;
}

}  // namespace transport_kernels
GSIM_TARGET_END
