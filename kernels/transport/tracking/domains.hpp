#pragma once
// Which rank owns which part of space, as histories see it: planes that cut space in two, and the
// halves again. Geometry and materials are whole on every rank; a rank follows particles, and adds
// to tallies, within its own brick.

#include <cstdint>

#include "gsim/exec/view.hpp"
#include "kernels/transport/geometry/coordinates.hpp"
#include "kernels/transport/tracking/particle.hpp"

namespace gsim::transport {

/// Places with x[axis] < at go to `below`, the others to `above`: another cut's number, or ~rank.
struct DomainCut {
  double at = 0;  ///< cm
  std::int32_t axis = 0;
  std::int32_t below = ~0, above = ~0;
};

struct DomainView {
  View<const DomainCut> cuts;  ///< the first one cuts all of space; empty: one rank owns everything
  double lower[3] = {}, upper[3] = {};  ///< this rank's brick, cm; infinite on the outside
  std::int32_t rank = 0;
  std::int32_t padding = 0;
};

/// What a particle's life has brought the estimators of k so far: reals, added in the order in
/// which it came about, that become whole numbers once, where the life ends.
struct LifeScores {
  double k_collision = 0;     ///< w nu_fission / total at collisions
  double k_absorption = 0;    ///< absorbed w nu_fission / absorption
  double k_track_length = 0;  ///< w nu_fission times the way flown (surface tracking only)
};

/// A particle on its way to the rank that owns what lies ahead, or to the next pass: all that its
/// history holds, so that it goes on there with the same bits.
struct Migrant {
  enum class Stage : std::int32_t {
    starts,     ///< it has yet to find its cell
    is_flying,  ///< between two events; `at` holds, and `outer` in delta tracking
    arrives     ///< the same, behind a periodic boundary that tallies have yet to hear of
  };
  ParticleRecord particle;
  Boundary outer;
  double tracked = -1;  ///< path up to which tallies know the way; negative: the whole way is new
  double stretch = 0;   ///< path from which on tallies by flight know nothing
  LifeScores scores;
  std::int64_t flights = 0;  ///< so far
  std::int32_t births = 0;   ///< fission sites that it has left
  std::int32_t noted = 0;    ///< its crossings that were noted
  std::int32_t owner = 0;    ///< the rank that it goes to
  Stage stage = Stage::starts;
  Coordinates at;  ///< last: levels that are not in use need not travel
};

}  // namespace gsim::transport

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::DomainCut;
using transport::DomainView;
using transport::Migrant;

/// The owner of a place, and of what a path from there along d enters.
GSIM_HD std::int32_t domain_owner(const DomainView& v, const Vector3& x, const Vector3& d) {
  if (v.cuts.size == 0) return v.rank;
  std::int32_t at = 0;
  do {
    const DomainCut& cut = v.cuts[at];
    const double place = component(x, cut.axis);
    const bool is_above = place > cut.at || (place == cut.at && component(d, cut.axis) > 0);
    at = is_above ? cut.above : cut.below;
  } while (at >= 0);
  return ~at;
}

/// Where a flight leaves this rank's brick.
struct DomainExit {
  double path = __builtin_huge_val();
  std::int32_t axis = 0;
  double at = 0;  ///< place of the plane on the axis
};
/// Only planes ahead count: a place that rounding put a little outside is no exit, and a particle
/// that goes from rank to rank never comes back on the same flight.
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
/// The rank behind an exit.
GSIM_HD std::int32_t owner_behind(const DomainView& v, const DomainExit& exit,
                                  const Vector3& origin, const Vector3& d) {
  Vector3 x = along(origin, exit.path, d);
  (exit.axis == 0 ? x.x : exit.axis == 1 ? x.y : x.z) = exit.at;
  return domain_owner(v, x, d);
}

}  // namespace transport_kernels
GSIM_TARGET_END
