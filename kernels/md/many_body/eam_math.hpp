#pragma once
// The arithmetic of the embedded-atom method. Vector registers (cluster_eam.hpp), GPU threads
// (full_eam.hpp) and host code share this source and therefore produce the same bits.
//
// R: a real scalar or a pack of them.

#include "gsim/math/pack.hpp"
#include "kernels/md/integrators/move_one.hpp"
#include "kernels/md/many_body/eam_embedding.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// ((c3 t + c2) t + c1) t + c0 and its derivative, by Horner's scheme for both.
template <Real R>
GSIM_HD void cubic(const R* c, R t, R& value, R& slope) {
  const R a = fma(c[0], t, c[1]), b = fma(a, t, c[2]);
  value = fma(b, t, c[3]);
  slope = fma(fma(c[0], t, a), t, b);
}

/// The position of a distance r in a table with `step` rows per length: the row, at most
/// `last`, and the position t = 0 … 1 within its interval.
template <Real R>
struct TablePlace {
  using Numbers = rebind<R, std::int32_t>;
  Numbers row;
  R t;
  GSIM_HD TablePlace(R r, R step, Numbers last) {
    const R x = r * step;
    row = convert<std::int32_t>(x);
    row = select(row > last, last, row);
    t = x - convert<scalar_of<R>>(row);
    t = select(t > R(1), R(1), t);
  }
};

/// The energy of a pair, and the part of its force over r that does not depend on densities, from
/// the cubic of -r phi; ir = 1 / r.
template <Real R>
GSIM_HD void pair_terms(const R* c, R t, R ir, R step, R& energy, R& force) {
  R value, slope;
  cubic(c, t, value, slope);
  energy = value * ir;
  force = (slope * step - energy) * (ir * ir);
}

/// The force of a pair over r, from -F' of both atoms (f_i, f_j), F being the embedding energy of
/// an atom as a function of the density, and from the slopes over r of the densities at them;
/// `pair` is the part that does not depend on densities.
template <Real R>
GSIM_HD R embedded_force(R f_i, R f_j, R slope_i, R slope_j, R pair) {
  // Not fused, so that exchanging the atoms of a pair changes no bit.
  return (f_i * slope_i + f_j * slope_j) + pair;
}
/// embedded_force() for atoms of one type, so that both densities have the same slope.
template <Real R>
GSIM_HD R embedded_force(R f_i, R f_j, R slope, R pair) {
  return fma(f_i + f_j, slope, pair);
}

/// A tabulated function at x, continued linearly beyond the ends of the table.
struct CurvePoint {
  double value, slope;
};
GSIM_HD CurvePoint at_point(const md::CubicCurve& curve, double x) {
  const double end = curve.step * static_cast<double>(curve.intervals);
  const double clamped = x < 0 ? 0 : (end < x ? end : x), u = clamped / curve.step;
  const auto interval = static_cast<Index>(u), last = curve.intervals - 1;
  const Index k = interval < last ? interval : last;
  const double* const c = curve.cubics + 4 * k;
  const double t = u - static_cast<double>(k);
  const double value = ((c[0] * t + c[1]) * t + c[2]) * t + c[3];
  const double slope = ((3 * c[0] * t + 2 * c[1]) * t + c[2]) / curve.step;
  return {value + slope * (x - clamped), slope};
}

/// -F' of an atom for the force pass, and twice its embedding energy F in energy quanta.
struct Embedded {
  double slope;
  std::int64_t twice_energy;
};
GSIM_HD Embedded embed(const md::EamEmbedding& e, std::int32_t type, std::int64_t density) {
  constexpr double limit = 2305843009213693952.0;  // 2^61
  const md::CubicCurve& curve = e.curves[e.types == 1 ? 0 : type];
  const CurvePoint f = at_point(curve, static_cast<double>(density) * e.density_quantum);
  return {f.slope * e.slope_scale, 2 * in_quanta(f.value / e.energy_quantum, limit)};
}

}  // namespace md_kernels
GSIM_TARGET_END
