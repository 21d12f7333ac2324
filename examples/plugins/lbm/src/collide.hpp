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

/// `f(i)` is population i.
template <class Population>
GSIM_HD Sums sums_of(const Population& f) {
  const auto plus = [&](int k) { return f(2 * k - 1) + f(2 * k); };
  const auto minus = [&](int k) { return f(2 * k - 1) - f(2 * k); };
  Sums s;
  s.excess = (f(0) + ((plus(1) + plus(2)) + plus(3))) +
             (((plus(4) + plus(5)) + (plus(6) + plus(7))) + (plus(8) + plus(9)));
  s.momentum[0] = minus(1) + ((minus(4) + minus(5)) + (minus(6) + minus(7)));
  s.momentum[1] = minus(2) + ((minus(4) - minus(5)) + (minus(8) + minus(9)));
  s.momentum[2] = minus(3) + ((minus(6) - minus(7)) + (minus(8) - minus(9)));
  return s;
}

/// What even and odd parts of populations of one weight move towards, equilibrium and force
/// together, in powers of c.u: rest + (even c.u + even_push c.F) c.u and odd c.u + odd_push c.F.
struct Target {
  double rest, even, even_push, odd, odd_push;
};

/// The collision of lbm::StepArgs: `f(i)` is population i as it arrives, and `leave(i, value)`
/// takes what it becomes. The order of operations is the same everywhere, so that bits are; what
/// does not depend on the cell is computed once, in front of the loop over cells.
template <class Population, class Leave>
GSIM_HD void collide(const Relaxation& r, const Population& f, const Leave& leave) {
  const Sums s = sums_of(f);
  const double density = 1 + s.excess, inverse = 1 / density;
  const double fx = r.force[0], fy = r.force[1], fz = r.force[2];
  const double ux = (s.momentum[0] + 0.5 * fx) * inverse;
  const double uy = (s.momentum[1] + 0.5 * fy) * inverse;
  const double uz = (s.momentum[2] + 0.5 * fz) * inverse;
  const double speed_squared = (ux * ux + uy * uy) + uz * uz;
  const double work = (ux * fx + uy * fy) + uz * fz;
  const double even_left = 0.5 * (1 - r.even), odd_left = 0.5 * (1 - r.odd);
  const double rest =
      r.even * (s.excess - 1.5 * (density * speed_squared)) - 3 * (1 - 0.5 * r.even) * work;
  const auto target = [&](double weight) {
    return Target{weight * rest, weight * 4.5 * r.even * density, weight * (9 * (1 - 0.5 * r.even)),
                  weight * 3 * r.odd * density, weight * (3 * (1 - 0.5 * r.odd))};
  };
  // A pair of opposite populations, the first of which moves along c: `along` is c.u, `push` c.F.
  const auto pair = [&](int k, const Target& to, double along, double push) {
    const double first = f(2 * k - 1), second = f(2 * k);
    const double even =
        even_left * (first + second) + (to.rest + (to.even * along + to.even_push * push) * along);
    const double odd = odd_left * (first - second) + (to.odd * along + to.odd_push * push);
    leave(2 * k - 1, even + odd);
    leave(2 * k, even - odd);
  };
  leave(0, (1 - r.even) * f(0) + ::lbm::weight_rest * rest);
  const Target face = target(::lbm::weight_face), edge = target(::lbm::weight_edge);
  pair(1, face, ux, fx);
  pair(2, face, uy, fy);
  pair(3, face, uz, fz);
  pair(4, edge, ux + uy, fx + fy);
  pair(5, edge, ux - uy, fx - fy);
  pair(6, edge, ux + uz, fx + fz);
  pair(7, edge, ux - uz, fx - fz);
  pair(8, edge, uy + uz, fy + fz);
  pair(9, edge, uy - uz, fy - fz);
}

}  // namespace lbm_kernels
GSIM_TARGET_END
