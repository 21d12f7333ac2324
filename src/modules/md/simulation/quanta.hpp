#pragma once
// The quanta that a run counts forces and energies in.

#include <algorithm>
#include <cmath>

#include "src/modules/md/simulation/simulation.hpp"

namespace gsim::md {

/// The least power of two that is not below x > 0, times 2^-50: sums of 64 bits then have room for
/// 2^12 of the largest force on either side (ForceTerm::largest()).
inline double quantum_below(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(1.0, (fraction == 0.5 ? exponent - 1 : exponent) - 50);
}

/// For the largest of what the parts expect.
inline ForceQuanta choose_quanta(const SimulationParts& parts) {
  LargestForce largest = parts.short_range->largest();
  for (const auto& term : parts.terms) {
    largest.force = std::max(largest.force, term->largest().force);
    largest.energy = std::max(largest.energy, term->largest().energy);
  }
  return {quantum_below(largest.force), quantum_below(largest.energy)};
}

}  // namespace gsim::md
