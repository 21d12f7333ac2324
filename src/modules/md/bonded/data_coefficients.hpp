#pragma once
// Parameters of bonded interactions from LAMMPS data files.

#include <string>
#include <vector>

#include "src/modules/md/bonded/bonded_parameters.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// The parameters on one line of "Bond Coeffs", "Angle Coeffs" or "Dihedral Coeffs". InputError
/// with file and line for text that is not a number, too few or too many numbers, and unknown
/// styles.
BondParameters bond_of(const std::vector<const BondKind*>& kinds, const CoefficientSection& section,
                       const CoefficientLine& line, const std::string& file);
AngleParameters angle_of(const std::vector<const AngleKind*>& kinds,
                         const CoefficientSection& section, const CoefficientLine& line,
                         const std::string& file);
DihedralSeries dihedral_of(const CoefficientSection& section, const CoefficientLine& line,
                           const std::string& file);

}  // namespace gsim::md
