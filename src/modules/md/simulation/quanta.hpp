#pragma once
// The choice of the fixed-point units (quanta) of forces and energies of a run.

#include <algorithm>

#include "src/modules/md/forces/powers_of_two.hpp"
#include "src/modules/md/simulation/simulation.hpp"

namespace gsim::md {

/// The quanta for the largest force and energy of all force terms.
inline ForceQuanta choose_quanta(const SimulationParts& parts) {
  LargestForce largest = parts.short_range->largest();
  for (const auto& term : parts.terms) {
    largest.force = std::max(largest.force, term->largest().force);
    largest.energy = std::max(largest.energy, term->largest().energy);
  }
  return quanta_for(largest);
}

}  // namespace gsim::md
