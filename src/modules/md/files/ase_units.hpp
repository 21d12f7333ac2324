#pragma once
// The units of the Atomic Simulation Environment (ASE; A. H. Larsen et al., J. Phys.: Condens.
// Matter 29, 273002 (2017)), in which its extended XYZ files have energies, forces and momenta: eV,
// eV/Angstrom, and sqrt(g/mol eV). Runs in lj units keep their own, in which the factors are 1.

#include <cmath>

#include "gsim/md/units.hpp"

namespace gsim::md {

/// The run's unit of energy in eV.
inline double ase_energy(const Units& units) {
  if (units.system == UnitSystem::lj) return 1;
  return units_of(UnitSystem::metal).boltzmann / units.boltzmann;
}

/// Factor from mass times velocity in the run's units to ASE's momentum, with p^2 / m = m v^2 in
/// eV.
inline double ase_momentum(const Units& units) {
  return std::sqrt(units.energy_per_mv2 * ase_energy(units));
}

}  // namespace gsim::md
