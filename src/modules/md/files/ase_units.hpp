#pragma once
// The units of the Atomic Simulation Environment (ASE; A. H. Larsen et al., J. Phys.: Condens.
// Matter 29, 273002 (2017)), used for energies, forces and momenta in its extended XYZ files: eV,
// eV/Angstrom, and sqrt(g/mol eV). Runs in lj units are written in lj units; their factors are 1.

#include <cmath>

#include "gsim/md/units.hpp"

namespace gsim::md {

/// The energy unit of the run in eV.
inline double ase_energy(const Units& units) {
  if (units.system == UnitSystem::lj) return 1;
  return units_of(UnitSystem::metal).boltzmann / units.boltzmann;
}

/// The factor that converts mass times velocity in the units of the run to the momentum of ASE, for
/// which p^2 / m = m v^2 in eV.
inline double ase_momentum(const Units& units) {
  return std::sqrt(units.energy_per_mv2 * ase_energy(units));
}

}  // namespace gsim::md
