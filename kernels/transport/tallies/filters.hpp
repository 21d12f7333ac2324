#pragma once
// The bins of filters.

#include "gsim/core/angle.hpp"
#include "gsim/transport/noinline.hpp"
#include "kernels/transport/tallies/track_cuts.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::Tally;
using transport::TallyFilterKind;

/// A surface that a particle crosses.
struct CrossedSurface {
  std::int32_t surface = -1;
  double cosine = 0;  ///< of the direction with the surface's normal
};

/// Values of the filters whose bins are not listed in a table.
GSIM_TRANSPORT_NOINLINE std::int32_t direction_bin(const TallyView& t, const TallyFilter& f,
                                                   const TallyState& s,
                                                   const CrossedSurface& crossed) {
  const double* const edges = t.edges.data + f.first;
  if (f.kind == TallyFilterKind::azimuth) {
    constexpr double degrees = degrees_per_radian;
    return bin_of(edges, f.bins, gsim::atan2<Strict>(s.direction.y, s.direction.x) * degrees);
  }
  const double cosine = f.about_normal != 0 ? crossed.cosine : dot(s.direction, f.axis);
  // Rounded cosines may be slightly larger than 1.
  return bin_of(edges, f.bins, cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
}

GSIM_HD std::int32_t whole_bin(const TallyView& t, const TallyFilter& f, const TallyState& s,
                               const CrossedSurface& crossed) {
  switch (f.kind) {
    case TallyFilterKind::material:
      return t.maps[f.first + s.material + 1];
    case TallyFilterKind::group:
      return t.maps[f.first + s.group];
    case TallyFilterKind::surface:
      return t.maps[f.first + crossed.surface];
    case TallyFilterKind::detector:
      return t.maps[f.first + s.detector];
    case TallyFilterKind::part:
      return t.maps[f.first + s.is_collided];
    default:
      return direction_bin(t, f, s, crossed);
  }
}

/// Adds the bins of the filters that are constant along a track to `row`. False: one has no bin.
GSIM_HD bool add_whole_bins(const TallyView& t, const Tally& tally, const TallyState& s,
                            const CrossedSurface& crossed, Index& row) {
  for (std::int32_t i = 0; i < tally.whole; ++i) {
    const TallyFilter& f = t.filters[tally.first_filter + i];
    const std::int32_t bin = whole_bin(t, f, s, crossed);
    if (bin < 0) return false;
    row += bin * f.stride;
  }
  return true;
}

/// The bin of the cell or universe of a level.
GSIM_HD std::int32_t level_bin(const TallyView& t, const TallyFilter& f, const Level& level) {
  return t.maps[f.first + (f.kind == TallyFilterKind::cell ? level.cell : level.universe)];
}

/// Calls body(row) for each combination of levels that match filters of cells and universes.
template <class Body>
GSIM_HD void for_matching_levels(const TallyView& t, const Tally& tally, const TallyState& s,
                                 Index row, Body&& body) {
  const TallyFilter* const filters = t.filters.data + tally.first_filter + tally.whole;
  const std::int32_t outer = tally.by_level > 0 ? s.at->depth : 1;
  const std::int32_t inner = tally.by_level > 1 ? s.at->depth : 1;
  for (std::int32_t i = 0; i < outer; ++i) {
    Index outer_row = row;
    if (tally.by_level > 0) {
      const std::int32_t bin = level_bin(t, filters[0], s.at->level[i]);
      if (bin < 0) continue;
      outer_row += bin * filters[0].stride;
    }
    for (std::int32_t j = 0; j < inner; ++j) {
      Index inner_row = outer_row;
      if (tally.by_level > 1) {
        const std::int32_t bin = level_bin(t, filters[1], s.at->level[j]);
        if (bin < 0) continue;
        inner_row += bin * filters[1].stride;
      }
      body(inner_row);
    }
  }
}

/// Adds the mesh bin at path p of the flight to the row; false: p is outside.
GSIM_HD bool add_mesh_bin(const TallyView& t, const TallyFilter& f, const TallyState& s, double p,
                          Index& row) {
  const TallyMesh& mesh = t.meshes[f.mesh];
  // A track of length 0, so that events on bounds are in the bin that a track there would be in.
  if (mesh.kind == TallyMeshKind::cylindrical) {
    CylinderTrack track(t, mesh, s, f.stride);
    if (!track.begin(p) || !track.is_scored()) return false;
    row += track.row();
    return true;
  }
  Index stride = f.stride;
  for (std::int32_t d = 0; d < mesh.dimensions; ++d) {
    LinearCuts cuts;
    cuts.set(t.edges.data + mesh.first_edge[d], mesh.bins[d], mesh.per_length[d],
             component(s.origin, mesh.axis[d]), component(s.direction, mesh.axis[d]));
    if (!cuts.begin(p)) return false;
    row += cuts.bin * stride;
    stride *= mesh.bins[d];
  }
  return true;
}

/// Adds the bins at path p of filters whose bounds divide tracks to the row; false: there is none.
GSIM_TRANSPORT_NOINLINE bool add_cutting_bins(const TallyView& t, const Tally& tally,
                                              const TallyState& s, double p, Index& row) {
  const TallyFilter* const filters =
      t.filters.data + tally.first_filter + tally.whole + tally.by_level;
  for (std::int32_t i = 0; i < tally.cutting; ++i) {
    const TallyFilter& f = filters[i];
    if (f.kind == TallyFilterKind::mesh) {
      if (!add_mesh_bin(t, f, s, p, row)) return false;
      continue;
    }
    LinearCuts cuts;
    cuts.set(t.edges.data + f.first, f.bins, 0, s.time, s.inverse_speed);
    if (!cuts.begin(p)) return false;
    row += cuts.bin * f.stride;
  }
  return true;
}

}  // namespace transport_kernels
GSIM_TARGET_END
