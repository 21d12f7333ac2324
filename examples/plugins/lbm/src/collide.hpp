#pragma once
// What the populations of one cell make of each other. For kernel sources.

#include "lbm_kernels.hpp"

GSIM_TARGET_BEGIN
namespace lbm_kernels {

using ::lbm::Relaxation;

/// Sums of a cell's populations, always in this order.
struct Sums {
  double excess, momentum[3];
};

/// `f` are 19 populations, `stride` doubles from one to the next.
GSIM_HD Sums sums_of(const double* f, Index stride) {
  const auto plus = [&](int k) { return f[(2 * k - 1) * stride] + f[2 * k * stride]; };
  const auto minus = [&](int k) { return f[(2 * k - 1) * stride] - f[2 * k * stride]; };
  Sums s;
  s.excess = (f[0] + ((plus(1) + plus(2)) + plus(3))) +
             (((plus(4) + plus(5)) + (plus(6) + plus(7))) + (plus(8) + plus(9)));
  s.momentum[0] = minus(1) + ((minus(4) + minus(5)) + (minus(6) + minus(7)));
  s.momentum[1] = minus(2) + ((minus(4) - minus(5)) + (minus(8) + minus(9)));
  s.momentum[2] = minus(3) + ((minus(6) - minus(7)) + (minus(8) - minus(9)));
  return s;
}

/// What even and odd parts of populations move towards, equilibrium and force together, in powers
/// of c.u: weight (rest + (even c.u + even_push c.F) c.u) and weight (odd c.u + odd_push c.F).
struct Target {
  double rest, even, even_push, odd, odd_push;
};

/// A pair of opposite populations, the first of which moves along c: `along` is c.u, `push` c.F.
GSIM_HD void relax_pair(double& first, double& second, double weight, const Target& target,
                        const Relaxation& r, double along, double push) {
  const double even =
      0.5 * (1 - r.even) * (first + second) +
      weight * (target.rest + (target.even * along + target.even_push * push) * along);
  const double odd =
      0.5 * (1 - r.odd) * (first - second) + weight * (target.odd * along + target.odd_push * push);
  first = even + odd;
  second = even - odd;
}

/// The collision of lbm::StepArgs. The order of operations is the same everywhere, so that bits
/// are; what does not depend on the cell is computed once, in front of the loop over cells.
GSIM_HD void collide(double* f, Index stride, const Relaxation& r) {
  const Sums s = sums_of(f, stride);
  const double density = 1 + s.excess, inverse = 1 / density;
  const double fx = r.force[0], fy = r.force[1], fz = r.force[2];
  const double ux = (s.momentum[0] + 0.5 * fx) * inverse;
  const double uy = (s.momentum[1] + 0.5 * fy) * inverse;
  const double uz = (s.momentum[2] + 0.5 * fz) * inverse;
  const double speed_squared = (ux * ux + uy * uy) + uz * uz;
  const double work = (ux * fx + uy * fy) + uz * fz;
  Target target;
  target.rest =
      r.even * (s.excess - 1.5 * (density * speed_squared)) - 3 * (1 - 0.5 * r.even) * work;
  target.even = 4.5 * r.even * density;
  target.even_push = 9 * (1 - 0.5 * r.even);
  target.odd = 3 * r.odd * density;
  target.odd_push = 3 * (1 - 0.5 * r.odd);
  const auto pair = [&](int k, double weight, double along, double push) {
    relax_pair(f[(2 * k - 1) * stride], f[2 * k * stride], weight, target, r, along, push);
  };
  f[0] = (1 - r.even) * f[0] + ::lbm::weight_rest * target.rest;
  pair(1, ::lbm::weight_face, ux, fx);
  pair(2, ::lbm::weight_face, uy, fy);
  pair(3, ::lbm::weight_face, uz, fz);
  pair(4, ::lbm::weight_edge, ux + uy, fx + fy);
  pair(5, ::lbm::weight_edge, ux - uy, fx - fy);
  pair(6, ::lbm::weight_edge, ux + uz, fx + fz);
  pair(7, ::lbm::weight_edge, ux - uz, fx - fz);
  pair(8, ::lbm::weight_edge, uy + uz, fy + fz);
  pair(9, ::lbm::weight_edge, uy - uz, fy - fz);
}

}  // namespace lbm_kernels
GSIM_TARGET_END
