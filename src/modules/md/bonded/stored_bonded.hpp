#pragma once
// Parameters of bonded interactions as trajectories hold them, so that a run can start from a frame
// as the system that it was. Numbers of a law, in the run's units:
//
//   bonds      harmonic        k r0 max_length
//              fene            k r0 epsilon sigma max_length
//              a plugin's      its parameters in their order, max_length
//   angles     harmonic        k theta0 (degrees)
//              cosine          k
//              cosine_squared  k theta0 (degrees)
//              a plugin's      its parameters in their order
//   dihedrals  fourier         cosine[0] … cosine[M] sine[0] … sine[M] (DihedralParameters)
//
// and of what is not a law: whether 1-2, 1-3 and 1-4 pairs are excluded (1 or 0), the weights of
// Lennard-Jones and of Coulomb's law between 1-4 pairs, the longest arm (0: of the longest bond).

#include <span>
#include <string>

#include "src/modules/md/bonded/bonded_parameters.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// All parameters, as files hold them.
StoredBonded stored_bonded(const BondedParameters& parameters);

/// Where stored parameters came from, for messages: the file, and the label of their type.
struct StoredPlace {
  const std::string& file;
  const std::string& label;
};

/// The parameters of one type; `kinds`: the laws of plugins. InputError for a law that is not
/// known, as where its plugin is not loaded, and for numbers that are too few, too many or not
/// finite.
BondParameters bond_of(const StoredLaw& stored, std::span<const BondKind* const> kinds,
                       const StoredPlace& place);
AngleParameters angle_of(const StoredLaw& stored, std::span<const AngleKind* const> kinds,
                         const StoredPlace& place);
DihedralParameters dihedral_of(const StoredLaw& stored, const StoredPlace& place);

/// Sets what is not a law. InputError for numbers that gsim does not write.
void set_special(const StoredBonded& stored, const std::string& file, BondedParameters& to);

}  // namespace gsim::md
