#pragma once
// The fixed-point units (quanta) in which a run sums forces and energies.

#include <algorithm>

#include "src/modules/md/forces/powers_of_two.hpp"
#include "src/modules/md/simulation/simulation.hpp"

namespace gsim::md {

/// Units for the largest force and energy that any force term expects.
inline ForceQuanta choose_quanta(const SimulationParts& parts) {
  LargestForce largest = parts.short_range->largest();
  for (const auto& term : parts.terms) {
    largest.force = std::max(largest.force, term->largest().force);
    largest.energy = std::max(largest.energy, term->largest().energy);
  }
  return quanta_for(largest);
}

}  // namespace gsim::md
