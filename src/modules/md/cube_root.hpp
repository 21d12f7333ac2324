#pragma once
// The cube root, which the standard library rounds differently on different machines.

#include "gsim/math/policy.hpp"
#include "gsim/math/pow.hpp"

namespace gsim::md {

/// Of x > 0: gsim's power and one step of Newton's method, which makes roots of cubes exact.
inline double cube_root(double x) {
  const double root = gsim::pow<Strict>(x, 1.0 / 3.0);
  return root - (root * root * root - x) / (3 * root * root);
}

}  // namespace gsim::md
