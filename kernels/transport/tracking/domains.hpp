#pragma once
// Domain decomposition of particle tracking: planes that bisect space recursively into bricks, one
// per rank. Geometry and materials are replicated on every rank; a rank transports particles, and
// scores tallies, within its own brick.

#include <cstdint>

#include "gsim/exec/view.hpp"
#include "kernels/transport/geometry/coordinates.hpp"
#include "kernels/transport/tracking/particle.hpp"

namespace gsim::transport {

/// A node of the tree of bisections. Positions with x[axis] < at belong to `below`, others to
/// `above`: the index of another cut, or ~rank.
struct DomainCut {
  double at = 0;  ///< cm
  std::int32_t axis = 0;
  std::int32_t below = ~0, above = ~0;
};

struct DomainView {
  View<const DomainCut> cuts;  ///< the first one is the root; empty: one rank owns all of space
  double lower[3] = {}, upper[3] = {};  ///< this rank's brick, cm; infinite where it is unbounded
  std::int32_t rank = 0;
  std::int32_t padding = 0;
};

/// Contributions of one particle to the estimators of k. They are sums of floating-point numbers in
/// the order of the particle's events, and are converted to fixed point once, at its end.
struct KContributions {
  double k_collision = 0;     ///< w nu_fission / total at collisions
  double k_absorption = 0;    ///< absorbed w nu_fission / absorption
  double k_track_length = 0;  ///< w nu_fission times the track length (surface tracking only)
};

/// A particle whose transport is suspended, with its complete state: it continues with the same
/// bits on the rank that owns the domain ahead, or in the next pass.
struct SuspendedParticle {
  enum class Stage : std::int32_t {
    unlocated,  ///< its cell has not been searched for yet
    in_flight,  ///< between two events; `at` is valid, and in delta tracking `outer`
    translated  ///< in flight after a periodic boundary; its crossing back into the geometry is not
                ///< tallied yet
  };
  BankedParticle particle;
  Boundary outer;
  double tallied_to = -1;  ///< path up to which the flight is tallied; negative: no part of it is
  /// Path at which the track begins that whole-track tallies score next. Of the bins of these
  /// tallies only that of the mesh changes along a flight (TallyView::whole_track_tallies).
  double track_start = 0;
  KContributions k;
  std::int64_t flights = 0;             ///< flights so far
  std::int32_t fission_sites = 0;       ///< fission sites banked so far
  std::int32_t recorded_crossings = 0;  ///< surface crossings recorded so far
  std::int32_t owner = 0;               ///< destination rank
  Stage stage = Stage::unlocated;
  Coordinates at;  ///< the last member: levels that are not in use need not be sent
};

}  // namespace gsim::transport

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::DomainCut;
using transport::DomainView;
using transport::SuspendedParticle;

/// The rank that owns position x; on a cut, the rank of the side that direction d leads to.
GSIM_HD std::int32_t domain_owner(const DomainView& v, const Vector3& x, const Vector3& d) {
  if (v.cuts.size == 0) return v.rank;
  std::int32_t at = 0;
  do {
    const DomainCut& cut = v.cuts[at];
    const double coordinate = component(x, cut.axis);
    const bool is_above =
        coordinate > cut.at || (coordinate == cut.at && component(d, cut.axis) > 0);
    at = is_above ? cut.above : cut.below;
  } while (at >= 0);
  return ~at;
}

/// The point where a flight leaves this rank's brick.
struct DomainExit {
  double path = __builtin_huge_val();
  std::int32_t axis = 0;
  double at = 0;  ///< coordinate of the plane on that axis, cm
};
/// Only the planes that the direction leads to count, so that a position that rounding moved
/// slightly outside is not an exit, and a flight never returns to a rank that it has left.
GSIM_HD DomainExit domain_exit(const DomainView& v, const Vector3& origin, const Vector3& d) {
  DomainExit exit;
  for (std::int32_t a = 0; a < 3; ++a) {
    const double slope = component(d, a);
    if (slope == 0) continue;
    const double plane = slope > 0 ? v.upper[a] : v.lower[a];
    const double path = (plane - component(origin, a)) / slope;
    if (path < exit.path) exit = {path, a, plane};
  }
  return exit;
}
/// The rank that owns the domain behind an exit.
GSIM_HD std::int32_t owner_behind(const DomainView& v, const DomainExit& exit,
                                  const Vector3& origin, const Vector3& d) {
  Vector3 x = along(origin, exit.path, d);
  (exit.axis == 0 ? x.x : exit.axis == 1 ? x.y : x.z) = exit.at;
  return domain_owner(v, x, d);
}

}  // namespace transport_kernels
GSIM_TARGET_END
