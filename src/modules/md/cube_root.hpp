#pragma once
// The cube root with the same bits on every machine, unlike std::cbrt.

#include "gsim/math/policy.hpp"
#include "gsim/math/pow.hpp"

namespace gsim::md {

/// The cube root of x > 0 by gsim's power and one step of Newton's method, which makes roots of
/// cubes exact.
inline double cube_root(double x) {
  const double root = gsim::pow<Strict>(x, 1.0 / 3.0);
  return root - (root * root * root - x) / (3 * root * root);
}

}  // namespace gsim::md
