#pragma once
// Parameters of bonded interactions as LAMMPS data files give them.

#include <string>

#include "src/modules/md/bonded/bonded_parameters.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// How far a harmonic bond may stretch where nothing else is said: twice its length at rest.
inline constexpr double default_stretch = 2;

/// One line of "Bond Coeffs", "Angle Coeffs" or "Dihedral Coeffs". InputError with file and line
/// for numbers that are none, too few or too many, and styles that gsim does not have.
BondParameters bond_of(const CoefficientSection& section, const CoefficientLine& line,
                       const std::string& file);
AngleParameters angle_of(const CoefficientSection& section, const CoefficientLine& line,
                         const std::string& file);
DihedralParameters dihedral_of(const CoefficientSection& section, const CoefficientLine& line,
                               const std::string& file);

}  // namespace gsim::md
