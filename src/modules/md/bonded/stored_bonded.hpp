#pragma once
// Parameters of bonded interactions as stored in trajectories, so that a run can start from a frame
// with all of its interactions. The numbers that belong to a type, in the units of the run:
//
//   bonds      the parameters of the style in their order, max_length
//   angles     the parameters of the style in their order
//   dihedrals  style "fourier": cosine[0] … cosine[M] sine[0] … sine[M] (DihedralSeries)
//
// and the numbers that belong to no type: whether 1-2, 1-3 and 1-4 pairs are excluded (1 or 0), the
// factors of Lennard-Jones and Coulomb interactions of 1-4 pairs, and max_arm, the maximum distance
// of neighbouring atoms in angles and dihedrals (0: the largest max_length of the bonds).

#include <string>
#include <vector>

#include "src/modules/md/bonded/bonded_parameters.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// All parameters in the form in which files store them.
StoredBonded stored_bonded(const BondedParameters& parameters);

/// Origin of stored parameters, for messages: the file, and the label of their type.
struct StoredPlace {
  const std::string& file;
  const std::string& label;
};

/// The parameters of one type, whose style is one of `kinds`. InputError for an unknown style (its
/// plugin may not be loaded), and for numbers that are too few, too many or not finite.
BondParameters bond_of(const StoredStyle& stored, const std::vector<const BondKind*>& kinds,
                       const StoredPlace& place);
AngleParameters angle_of(const StoredStyle& stored, const std::vector<const AngleKind*>& kinds,
                         const StoredPlace& place);
DihedralSeries dihedral_of(const StoredStyle& stored, const StoredPlace& place);

/// Sets the parameters that belong to no type. InputError for numbers that gsim does not write.
void set_special(const StoredBonded& stored, const std::string& file, BondedParameters& to);

}  // namespace gsim::md
