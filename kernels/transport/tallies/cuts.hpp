#pragma once
// Intersections of a straight flight with the bounds of bins, as path lengths from the origin of
// the flight.
//
// The path length at a bound depends on the bound and the flight alone, and increases from bound to
// bound even when rounded. The bin in which a track starts is found by comparing the path length at
// its start with those at the bounds of bins. The division of a flight into bins therefore does not
// depend on the tracks into which it is divided for other reasons.

#include "gsim/math/exp.hpp"
#include "kernels/transport/geometry/bins.hpp"
#include "kernels/transport/tallies/tally_view.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

inline constexpr double infinite_path = __builtin_huge_val();

/// A function of the path whose differences are track lengths weighted by the particle weight
/// relative to that at the start of the track; the path itself where the weight is constant.
GSIM_HD double weighted_path(const transport::TallyState& s, double path) {
  if (s.weight_attenuation == 0) return path;
  return s.attenuated_from -
         gsim::expm1<Strict>(-s.weight_attenuation * (path - s.attenuated_from)) /
             s.weight_attenuation;
}

/// A dimension whose coordinate is linear in the path: x = origin + slope path. The sign of the
/// slope enters by arithmetic, since a branch on it could not be predicted.
struct LinearCuts {
  const double* edges;
  double origin, slope, inverse;  ///< inverse: 1 / slope, or 0 where the coordinate is constant
  double per_length;              ///< bins per unit of the coordinate if of equal width, else 0
  std::int32_t bins;
  std::int32_t bin;
  std::int32_t ahead;  ///< 1 for increasing coordinates, else 0: the next bound is bin + ahead
  double next;         ///< path at the end of the bin

  /// Sets the members for n bins between the bounds e; x: `origin`, dx: `slope`, per: `per_length`.
  GSIM_HD void set(const double* e, std::int32_t n, double per, double x, double dx) {
    edges = e;
    bins = n;
    per_length = per;
    origin = x;
    slope = dx;
    constexpr double smallest = 0x1p-500;  // its inverse times any length is finite
    inverse = abs(dx) > smallest ? 1 / dx : 0.0;
    ahead = dx > 0 ? 1 : 0;
  }
  /// Path at which the flight reaches bound i.
  GSIM_HD double cut(std::int32_t i) const { return (edges[i] - origin) * inverse; }
  /// Change of the bin index from bin to bin along the flight: 1 or -1.
  GSIM_HD std::int32_t step() const { return 2 * ahead - 1; }

  /// Limits the path lengths [from, to] to the part of the flight between the outer bounds.
  GSIM_HD void clip(double& from, double& to) const {
    if (inverse == 0) {
      if (bin_of(edges, bins, origin) < 0 || origin == edges[bins]) to = from;
      return;
    }
    const double enter = cut((1 - ahead) * bins), leave = cut(ahead * bins);
    from = enter > from ? enter : from;
    to = leave < to ? leave : to;
  }
  /// Finds the bin at path p. False: p is not between the outer bounds.
  GSIM_HD bool begin(double p) {
    if (inverse == 0) {
      bin = bin_of(edges, bins, origin);
      next = infinite_path;
      return bin >= 0 && origin < edges[bins];
    }
    const double x = fma(p, slope, origin);
    if (per_length > 0) {
      const double scaled = (x - edges[0]) * per_length;
      bin = scaled > 0 ? scaled < bins ? static_cast<std::int32_t>(scaled) : bins - 1 : 0;
    } else {
      bin = bin_of(edges, bins, x);
      if (bin < 0) bin = x < edges[0] ? 0 : bins - 1;
    }
    return correct_bin(p);
  }
  /// Advances to the next bin, which begins at `next`. False: there is none.
  GSIM_HD bool advance() {
    bin += step();
    if (!is_inside()) return false;
    next = cut(bin + ahead);
    return true;
  }

 private:
  GSIM_HD bool is_inside() const { return bin >= 0 && bin < bins; }
  /// Corrects the bin for rounding errors at p.
  GSIM_HD bool correct_bin(double p) {
    next = cut(bin + ahead);
    while (next <= p) {
      bin += step();
      if (!is_inside()) return false;
      next = cut(bin + ahead);
    }
    double before = cut(bin + 1 - ahead);
    while (before > p) {
      bin -= step();
      if (!is_inside()) return false;
      next = before;
      before = cut(bin + 1 - ahead);
    }
    return true;
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END
