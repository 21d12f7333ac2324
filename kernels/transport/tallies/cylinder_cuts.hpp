#pragma once
// Intersections of a straight flight with cylinders and half-planes about an axis (cuts.hpp). In
// the plane perpendicular to the axis the flight is x + t d; its moment about the axis,
// x cross d, is constant.

#include "gsim/math/atan.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/transport/noinline.hpp"
#include "kernels/transport/tallies/cuts.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// The projection of a flight onto the plane (u, v) perpendicular to an axis.
struct PlaneFlight {
  double u = 0, v = 0, du = 0, dv = 0;
  double square = 0;  ///< squared length of the direction; 0: along the axis
  double moment = 0;
  double nearest = 0;  ///< path at the closest approach

  GSIM_HD void set(double u0, double v0, double du0, double dv0) {
    u = u0;
    v = v0;
    du = du0;
    dv = dv0;
    square = fma(du, du, dv * dv);
    if (!(square > 0x1p-200)) square = 0;
    moment = fma(u, dv, -(v * du));
    nearest = square > 0 ? -fma(u, du, v * dv) / square : 0.0;
  }
};

/// Intersections with cylinders; the functions are those of LinearCuts (cuts.hpp). Bins -1 (inside
/// of the innermost bound) and `bins` (outside) do not score.
struct RadiusCuts {
  const double* edges = nullptr;
  PlaneFlight flight;
  std::int32_t bins = 1, bin = 0;
  bool is_outbound = true;
  double next = infinite_path;

  /// Half of the chord within bound i; 0 where the flight misses it.
  GSIM_HD double half_chord(std::int32_t i) const {
    const double squared =
        fma(flight.square * edges[i], edges[i], -(flight.moment * flight.moment));
    return squared > 0 ? sqrt(squared) / flight.square : 0.0;
  }
  GSIM_HD bool is_hit(std::int32_t i) const { return i >= 0 && half_chord(i) > 0; }
  GSIM_HD double entry_path(std::int32_t i) const {
    return i < 0 ? flight.nearest : flight.nearest - half_chord(i);
  }
  GSIM_HD double exit_path(std::int32_t i) const { return flight.nearest + half_chord(i); }

  GSIM_HD std::int32_t bin_at(double p) const {
    const double x = fma(p, flight.du, flight.u), y = fma(p, flight.dv, flight.v);
    const double r = sqrt(fma(x, x, y * y));
    const std::int32_t found = bin_of(edges, bins, r);
    return found >= 0 ? found : r < edges[0] ? -1 : bins;
  }
  GSIM_HD void clip(double& from, double& to) const {
    if (flight.square == 0) {
      if (bin_at(0) == bins) to = from;
      return;
    }
    const double half = half_chord(bins);
    const double enter = flight.nearest - half, leave = flight.nearest + half;
    from = enter > from ? enter : from;
    to = leave < to ? leave : to;
  }
  GSIM_HD bool begin(double p) {
    bin = bin_at(p);
    is_outbound = true;
    next = infinite_path;
    if (flight.square == 0) return bin < bins;
    if (bin == bins) --bin;
    is_outbound = !(p < flight.nearest);
    if (is_outbound) {
      while (exit_path(bin + 1) <= p)
        if (++bin == bins) return false;
      while (bin >= 0 && exit_path(bin) > p) --bin;
      next = exit_path(bin + 1);
    } else {
      while (bin >= 0 && is_hit(bin) && entry_path(bin) <= p) --bin;
      while (entry_path(bin + 1) > p)
        if (++bin == bins) return false;
      next = entry_path(bin);
    }
    return true;
  }
  GSIM_HD bool advance() {
    if (is_outbound) {
      if (++bin >= bins) return false;
      next = exit_path(bin + 1);
    } else if (is_hit(bin)) {
      --bin;
      next = entry_path(bin);
    } else {
      is_outbound = true;
      next = exit_path(bin + 1);
    }
    return true;
  }
  GSIM_HD bool is_scored() const { return bin >= 0; }
};

/// Intersections with half-planes of constant azimuth, which divide the full turn into sectors of
/// at most half a turn; the functions are those of LinearCuts. The first `bins` sectors score.
/// `edges`: sectors + 1 increasing angles (radian) over a full turn, then the cosine and sine of
/// each but the last.
struct AzimuthCuts {
  const double* edges = nullptr;
  PlaneFlight flight;
  std::int32_t bins = 1, sectors = 1, bin = 0;
  double next = infinite_path;

  /// Path at which the flight crosses bound i, a half-plane; infinite if it crosses the opposite
  /// half-plane instead. At a crossing s e, with e the unit vector of the bound, the moment is
  /// s (e cross d), and s > 0 on the bound.
  GSIM_HD double cut(std::int32_t i) const {
    const double* const e = edges + sectors + 1 + 2 * i;
    const double turning = fma(e[0], flight.dv, -(e[1] * flight.du));
    if (!(turning * flight.moment > 0)) return infinite_path;
    return fma(e[1], flight.u, -(e[0] * flight.v)) / turning;
  }
  GSIM_HD std::int32_t after(std::int32_t i) const { return i + 1 == sectors ? 0 : i + 1; }
  GSIM_HD std::int32_t before(std::int32_t i) const { return i == 0 ? sectors - 1 : i - 1; }
  GSIM_TRANSPORT_NOINLINE std::int32_t sector_of(double x, double y) const {
    constexpr double turn = 0x1.921fb54442d18p+2;  // 2 pi
    double angle = gsim::atan2<Strict>(y, x);
    if (angle < edges[0]) angle += turn;
    if (angle >= edges[0] + turn) angle -= turn;
    const std::int32_t found = bin_of(edges, sectors, angle);
    return found < 0 ? 0 : found;
  }
  /// The bounds of the bin at which the flight leaves it, and at which it has entered it.
  GSIM_HD std::int32_t leading() const { return flight.moment > 0 ? after(bin) : bin; }
  GSIM_HD std::int32_t trailing() const { return flight.moment > 0 ? bin : after(bin); }

  GSIM_HD void begin(double p) {
    next = infinite_path;
    if (flight.square == 0) {
      bin = sector_of(flight.u, flight.v);
    } else if (flight.moment == 0) {  // through the axis
      const bool is_inbound = p < flight.nearest;
      bin = is_inbound ? sector_of(-flight.du, -flight.dv) : sector_of(flight.du, flight.dv);
      if (is_inbound) next = flight.nearest;
    } else {
      bin = sector_of(fma(p, flight.du, flight.u), fma(p, flight.dv, flight.v));
      // Corrects a rounding error at a bound: sectors are at most half a turn wide.
      for (std::int32_t i = 0; i < sectors && cut(leading()) <= p; ++i) step();
      for (std::int32_t i = 0; i < sectors && is_ahead(trailing(), p); ++i)
        bin = flight.moment > 0 ? before(bin) : after(bin);
      next = cut(leading());
    }
  }
  /// Whether the flight crosses bound i after path p.
  GSIM_HD bool is_ahead(std::int32_t i, double p) const {
    const double path = cut(i);
    return path > p && path < infinite_path;
  }
  GSIM_HD void step() { bin = flight.moment > 0 ? after(bin) : before(bin); }
  GSIM_HD void advance() {
    if (flight.moment == 0) {
      bin = sector_of(flight.du, flight.dv);
      next = infinite_path;
      return;
    }
    step();
    next = cut(leading());
  }
  GSIM_HD bool is_scored() const { return bin < bins; }
};

}  // namespace transport_kernels
GSIM_TARGET_END
