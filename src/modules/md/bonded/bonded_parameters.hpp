#pragma once
// The parameters of bonded interactions, by the types of the topology, and the pairs of bonded
// atoms that are excluded from pair potentials. Energies, lengths and charges are in the run's
// units.

#include <array>
#include <functional>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/md/bonded/bonded_kind.hpp"
#include "gsim/md/bonded/dihedral_kind.hpp"

namespace gsim::md {

/// Parameters of one type of bond.
struct BondParameters {
  const BondKind* kind = nullptr;
  std::vector<double> values = {};  ///< in the order of kind->parameters
  /// A longer bond ends the run; the halo of ghosts is at least this wide.
  double max_length = 0;
};

/// Parameters of one type of angle.
struct AngleParameters {
  const AngleKind* kind = nullptr;
  std::vector<double> values = {};  ///< in the order of kind->parameters
};

/// U = k[0]/2 (1 + cos phi) + k[1]/2 (1 - cos 2 phi) + k[2]/2 (1 + cos 3 phi) + k[3]/2 (1 - cos 4
/// phi) (W. L. Jorgensen, D. S. Maxwell and J. Tirado-Rives, J. Am. Chem. Soc. 118 (1996) 11225,
/// Eq. 5, with their phase angles zero).
DihedralSeries opls_dihedral(const std::array<double, 4>& k);

/// Pairs of atoms of a molecule that are a few bonds apart: n - 1 bonds for "1-n", along the
/// shortest path.
struct SpecialPairs {
  /// Whether pair potentials leave out 1-2, 1-3 and 1-4 pairs.
  std::array<bool, 3> is_excluded{true, true, false};
  /// Factors of the pair potentials and of Coulomb's law for 1-4 pairs that are not excluded; if
  /// both are 1, these are ordinary pairs.
  double scale_14 = 1, coulomb_scale_14 = 1;
};

/// Lennard-Jones parameters for 1-4 pairs of scaled strength: index i * types + j is that of the
/// types i and j.
struct ScaledPairParameters {
  Index types = 0;  ///< number of types
  std::vector<double> epsilon, sigma;
  double coulomb = 0;  ///< Units::coulomb; 0: no charges
};

struct BondedParameters {
  std::vector<BondParameters> bonds;      ///< by Topology::bond_types
  std::vector<AngleParameters> angles;    ///< by Topology::angle_types
  std::vector<DihedralSeries> dihedrals;  ///< by Topology::dihedral_types
  /// Largest distance of neighbouring atoms in angles and dihedrals; 0: the largest max_length.
  double max_arm = 0;
  SpecialPairs special;
  ScaledPairParameters pairs;
  /// The id of an atom in messages (AtomSystem::id_of).
  std::function<Index(Index)> id_of = [](Index atom) { return atom + 1; };
};

}  // namespace gsim::md
