#pragma once
// All registered pair potentials, with parameters drawn according to their units and ranges, for
// tests that hold for every potential.

#include <random>
#include <vector>

#include "src/modules/md/pair_potentials/pair_function.hpp"

namespace gsim::md {

/// A random value of a parameter, of the order of the atoms' diameter or of their energies.
inline double random_parameter(const PotentialParameter& parameter, std::mt19937_64& random) {
  const double u = static_cast<double>(random() >> 11) * 0x1p-53;
  const bool is_negative = parameter.range == ParameterRange::any && random() % 2 == 0;
  return (is_negative ? -1 : 1) *
         (parameter.unit == ParameterUnit::length ? 0.9 + 0.2 * u : 0.4 + 1.2 * u);
}

/// Returns `count` potentials of every kind except tables, with the given cutoff.
inline std::vector<PairPotential> all_potentials(double cutoff, int count = 1) {
  std::mt19937_64 random(11);
  std::vector<PairPotential> potentials;
  for (const PotentialKind& kind : potential_kinds()) {
    if (kind.name == "table") continue;
    for (int n = 0; n < count; ++n) {
      PairPotential potential{&kind, {}, cutoff};
      for (const PotentialParameter& p : kind.parameters)
        potential.parameters.push_back(random_parameter(p, random));
      potential.closest = 0.6;  // for some values of parameters, kinds have no default
      potentials.push_back(potential);
    }
  }
  return potentials;
}

}  // namespace gsim::md
