#pragma once
// The division of tracks at the planes of a rectilinear mesh, for tallies without another filter
// that divides tracks. The results have the same bits as those of LinearTrack; the number of
// dimensions is known at compile time.

#include "kernels/transport/tallies/cuts.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::TallyFilter;
using transport::TallyMesh;
using transport::TallyState;
using transport::TallyView;

template <int dimensions>
class PlaneTrack {
 public:
  GSIM_HD PlaneTrack(const TallyView& t, const TallyFilter& filter, const TallyState& s) {
    const TallyMesh& mesh = t.meshes[filter.mesh];
    Index stride = filter.stride;
    for (int d = 0; d < dimensions; ++d) {
      cuts_[d].set(t.edges.data + mesh.first_edge[d], mesh.bins[d], mesh.per_length[d],
                   component(s.origin, mesh.axis[d]), component(s.direction, mesh.axis[d]));
      stride_[d] = stride;
      stride *= mesh.bins[d];
    }
  }
  GSIM_HD void clip(double& from, double& to) const {
    for (int d = 0; d < dimensions; ++d) cuts_[d].clip(from, to);
  }
  GSIM_HD bool begin(double p) {
    for (int d = 0; d < dimensions; ++d)
      if (!cuts_[d].begin(p)) return false;
    return true;
  }
  /// Calls piece(row, end), in order, for each part of the track between the path lengths `from`,
  /// for which begin() was called, and `to`; `end` is the path length at the end of the part.
  template <class Piece>
  GSIM_HD void follow(double from, double to, Piece&& piece) {
    Index row = 0;
    for (int d = 0; d < dimensions; ++d) row += cuts_[d].bin * stride_[d];
    for (;;) {
      int nearest = 0;
      for (int d = 1; d < dimensions; ++d)
        nearest = cuts_[d].next < cuts_[nearest].next ? d : nearest;
      LinearCuts& cuts = cuts_[nearest];
      const double next = cuts.next;
      if (!(next < to)) break;
      if (next > from) piece(row, next);
      from = next;
      row += cuts.step() * stride_[nearest];
      if (!cuts.advance()) return;
    }
    if (to > from) piece(row, to);
  }

 private:
  LinearCuts cuts_[dimensions];
  Index stride_[dimensions];
};

}  // namespace transport_kernels
GSIM_TARGET_END
