#pragma once
// The division of a track into the bins of a mesh and of time. LinearTrack and CylinderTrack
// combine the bounds of several dimensions (cuts.hpp). Both have the functions
//   clip(from, to)  limits the path lengths to the part of the track between the outer bounds;
//   begin(p)        finds the bin at path p; false: p is outside;
//   next()          path at which the track leaves the present bin;
//   advance()       enters the bin that begins there; false: the track leaves the outer bounds;
//   row()           row of the present bin in the results, counted from that of the first bin;
//   is_scored()     false inside of the innermost cylinder, and at azimuths that no bin covers.

#include "kernels/transport/tallies/cylinder_cuts.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::TallyFilter;
using transport::TallyMesh;
using transport::TallyMeshKind;
using transport::TallyState;
using transport::TallyView;

/// A track through a rectilinear mesh and bins of time.
class LinearTrack {
 public:
  /// Adds a dimension with the coordinate origin + slope path, which `edges` divide into `bins`
  /// bins. per_length is the number of bins per unit of the coordinate if they have equal widths,
  /// else 0. `stride` is the distance of consecutive bins in the rows of results.
  GSIM_HD void add(const double* edges, std::int32_t bins, double per_length, double origin,
                   double slope, Index stride) {
    dimension_[count_].set(edges, bins, per_length, origin, slope);
    stride_[count_++] = stride;
  }
  GSIM_HD void clip(double& from, double& to) const {
    for (int k = 0; k < count_; ++k) dimension_[k].clip(from, to);
  }
  GSIM_HD bool begin(double p) {
    for (int k = 0; k < count_; ++k)
      if (!dimension_[k].begin(p)) return false;
    find_next();
    return true;
  }
  GSIM_HD double next() const { return next_; }
  GSIM_HD bool advance() {
    if (!dimension_[nearest_].advance()) return false;
    find_next();
    return true;
  }
  GSIM_HD Index row() const {
    Index row = 0;
    for (int k = 0; k < count_; ++k) row += dimension_[k].bin * stride_[k];
    return row;
  }
  GSIM_HD bool is_scored() const { return true; }

 private:
  GSIM_HD void find_next() {
    next_ = infinite_path;
    nearest_ = 0;
    for (int k = 0; k < count_; ++k)
      if (dimension_[k].next < next_) {
        next_ = dimension_[k].next;
        nearest_ = k;
      }
  }
  LinearCuts dimension_[transport::max_dividing_planes];
  Index stride_[transport::max_dividing_planes];
  double next_;      ///< next()
  int count_ = 0;    ///< number of dimensions
  int nearest_ = 0;  ///< the dimension in which the present bin ends first
};

/// A track through a cylindrical mesh and bins of time; `planes` holds the bins of time.
class CylinderTrack {
 public:
  GSIM_HD CylinderTrack(const TallyView& t, const TallyMesh& mesh, const TallyState& s,
                        Index stride, const LinearTrack& planes = {})
      : planes_(planes) {
    const std::int32_t w = mesh.along, u = w == 2 ? 0 : w + 1, v = w == 0 ? 2 : w - 1;
    PlaneFlight flight;
    flight.set(component(s.origin, u) - component(mesh.origin, u),
               component(s.origin, v) - component(mesh.origin, v), component(s.direction, u),
               component(s.direction, v));
    has_radius_ = has_azimuth_ = false;
    for (std::int32_t d = 0; d < mesh.dimensions; ++d) {
      const double* const edges = t.edges.data + mesh.first_edge[d];
      if (mesh.axis[d] == 0) {
        has_radius_ = true;
        radius_.edges = edges;
        radius_.flight = flight;
        radius_.bins = mesh.bins[d];
        radius_stride_ = stride;
      } else if (mesh.axis[d] == 1) {
        has_azimuth_ = true;
        azimuth_.edges = edges;
        azimuth_.flight = flight;
        azimuth_.bins = mesh.bins[d];
        azimuth_.sectors = mesh.sectors;
        azimuth_stride_ = stride;
      } else {
        planes_.add(edges, mesh.bins[d], mesh.per_length[d],
                    component(s.origin, w) - component(mesh.origin, w), component(s.direction, w),
                    stride);
      }
      stride *= mesh.bins[d];
    }
  }
  GSIM_HD void clip(double& from, double& to) const {
    planes_.clip(from, to);
    if (has_radius_) radius_.clip(from, to);
  }
  GSIM_HD bool begin(double p) {
    if (!planes_.begin(p)) return false;
    if (has_radius_ && !radius_.begin(p)) return false;
    if (has_azimuth_) azimuth_.begin(p);
    find_next();
    return true;
  }
  GSIM_HD double next() const { return next_; }
  GSIM_HD bool advance() {
    bool is_inside = true;
    if (nearest_ == 0)
      is_inside = planes_.advance();
    else if (nearest_ == 1)
      is_inside = radius_.advance();
    else
      azimuth_.advance();
    find_next();
    return is_inside;
  }
  GSIM_HD Index row() const {
    Index row = planes_.row();
    if (has_radius_) row += radius_.bin * radius_stride_;
    if (has_azimuth_) row += azimuth_.bin * azimuth_stride_;
    return row;
  }
  GSIM_HD bool is_scored() const {
    return (!has_radius_ || radius_.is_scored()) && (!has_azimuth_ || azimuth_.is_scored());
  }

 private:
  GSIM_HD void find_next() {
    next_ = planes_.next();
    nearest_ = 0;
    if (has_radius_ && radius_.next < next_) {
      next_ = radius_.next;
      nearest_ = 1;
    }
    if (has_azimuth_ && azimuth_.next < next_) {
      next_ = azimuth_.next;
      nearest_ = 2;
    }
  }
  LinearTrack planes_;
  RadiusCuts radius_;
  AzimuthCuts azimuth_;
  Index radius_stride_ = 0, azimuth_stride_ = 0;
  bool has_radius_, has_azimuth_;
  double next_;
  int nearest_ = 0;  ///< what ends the present bin; 0: a plane, 1: a cylinder, 2: a half-plane
};

/// Finds the first bin of a track between the paths `from` and `to`. If the track begins outside of
/// the bounds, limits `from` and `to` to the part inside. False: the whole track is outside.
template <class Track>
GSIM_HD bool begin_inside(Track& track, double& from, double& to) {
  if (track.begin(from)) return true;
  track.clip(from, to);
  return from < to && track.begin(from);
}

/// Divides a track from path `from`, for which begin() was called, to path `to` at the bounds of
/// bins. For each part in a bin that scores, in order, calls piece(row, end) with the path at its
/// end. Calls start(path) with the path at the beginning of the first such part, and of each one
/// that follows a part that does not score.
template <class Track, class Start, class Piece>
GSIM_HD void follow(Track& track, double from, double to, Start&& start, Piece&& piece) {
  bool is_begun = false;
  double at = from;
  for (;;) {
    const double next = track.next();
    const double end = next < to ? next : to;
    if (end > at) {
      if (!track.is_scored()) {
        is_begun = false;
      } else {
        if (!is_begun) start(at);
        is_begun = true;
        piece(track.row(), end);
      }
      at = end;
    }
    if (!(next < to) || !track.advance()) return;
  }
}

}  // namespace transport_kernels
GSIM_TARGET_END
