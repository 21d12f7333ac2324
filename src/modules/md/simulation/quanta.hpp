#pragma once
// The quanta that a run counts forces and energies in.

#include <algorithm>

#include "src/modules/md/forces/powers_of_two.hpp"
#include "src/modules/md/simulation/simulation.hpp"

namespace gsim::md {

/// For the largest of what the parts expect.
inline ForceQuanta choose_quanta(const SimulationParts& parts) {
  LargestForce largest = parts.short_range->largest();
  for (const auto& term : parts.terms) {
    largest.force = std::max(largest.force, term->largest().force);
    largest.energy = std::max(largest.energy, term->largest().energy);
  }
  return quanta_for(largest);
}

}  // namespace gsim::md
