#pragma once
// What the populations of one cell make of each other. For kernel sources.

#include "lbm_kernels.hpp"

GSIM_TARGET_BEGIN
namespace lbm_kernels {

using ::lbm::Fluid;
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

/// A pair of opposite populations, the first of which moves along c: `along` is c.u, `push` c.F,
/// `work` u.F.
GSIM_HD void relax_pair(double& first, double& second, double weight, const Fluid& fluid,
                        const Relaxation& r, double along, double push, double work) {
  const double even = 0.5 * (first + second), odd = 0.5 * (first - second);
  const double even_source = weight * (9 * (along * push) - 3 * work);
  const double odd_source = weight * (3 * push);
  const double new_even = (even - r.even * (even - ::lbm::even_equilibrium(weight, fluid, along))) +
                          (1 - 0.5 * r.even) * even_source;
  const double new_odd = (odd - r.odd * (odd - ::lbm::odd_equilibrium(weight, fluid, along))) +
                         (1 - 0.5 * r.odd) * odd_source;
  first = new_even + new_odd;
  second = new_even - new_odd;
}

/// The collision of lbm::StepArgs. The order of operations is the same everywhere, so that bits
/// are.
GSIM_HD void collide(double* f, Index stride, const Relaxation& r) {
  const Sums s = sums_of(f, stride);
  Fluid fluid;
  fluid.excess = s.excess;
  fluid.density = 1 + s.excess;
  const double inverse = 1 / fluid.density;
  const double fx = r.force[0], fy = r.force[1], fz = r.force[2];
  const double ux = (s.momentum[0] + 0.5 * fx) * inverse;
  const double uy = (s.momentum[1] + 0.5 * fy) * inverse;
  const double uz = (s.momentum[2] + 0.5 * fz) * inverse;
  fluid.speed_squared = (ux * ux + uy * uy) + uz * uz;
  const double work = (ux * fx + uy * fy) + uz * fz;
  const auto pair = [&](int k, double weight, double along, double push) {
    relax_pair(f[(2 * k - 1) * stride], f[2 * k * stride], weight, fluid, r, along, push, work);
  };
  const double rest = f[0];
  f[0] = (rest - r.even * (rest - ::lbm::even_equilibrium(::lbm::weight_rest, fluid, 0.0))) +
         (1 - 0.5 * r.even) * (::lbm::weight_rest * (-3 * work));
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
