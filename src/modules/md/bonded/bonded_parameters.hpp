#pragma once
// What bonded interactions a system has, by the types of its topology, and which pairs of bound
// atoms the pair potentials leave out. Energies, lengths and charges are in the run's units.

#include <array>
#include <functional>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/md/bonded/bonded_kind.hpp"

namespace gsim::md {

/// Harmonic: U = k (r - r0)^2. FENE: U = -k r0^2/2 ln(1 - (r/r0)^2) + the Weeks-Chandler-Andersen
/// core of epsilon and sigma (none where epsilon is 0). As LAMMPS has them: no factor 1/2 in the
/// former.
struct BondParameters {
  BondLaw law = BondLaw::harmonic;
  double k = 0, r0 = 0;
  double epsilon = 0, sigma = 1;
  /// A bond that grows longer ends the run; ghosts reach that far. At most r0 for FENE.
  double max_length = 0;
  /// A plugin's law, and its parameters, which then count alone; null: none.
  const BondKind* kind = nullptr;
  std::vector<double> values = {};
};

/// Harmonic: U = k (theta - theta0)^2; cosine: U = k (1 + cos theta); cosine_squared: U = k
/// (cos theta - cos theta0)^2. k is per rad^2 in the first; theta0 in degrees, 0 to 180.
struct AngleParameters {
  AngleLaw law = AngleLaw::harmonic;
  double k = 0, theta0 = 0;
  /// As of bonds.
  const AngleKind* kind = nullptr;
  std::vector<double> values = {};
};

/// U = sum over m of cosine[m] cos(m phi) + sine[m] sin(m phi): m = 0, 1, …; both of one size. phi
/// is 0 for cis and 180 degrees for trans (IUPAC).
struct DihedralParameters {
  std::vector<double> cosine{0}, sine{0};
};
inline constexpr int most_dihedral_order = 12;

/// U = k[0]/2 (1 + cos phi) + k[1]/2 (1 - cos 2 phi) + k[2]/2 (1 + cos 3 phi) + k[3]/2 (1 - cos 4
/// phi) (W. L. Jorgensen, D. S. Maxwell and J. Tirado-Rives, J. Am. Chem. Soc. 118 (1996) 11225,
/// Eq. 5, with their phase angles zero).
DihedralParameters opls_dihedral(const std::array<double, 4>& k);
/// Adds k (1 + cos(n phi - phase)), phase in degrees. InputError unless 0 <= n <=
/// most_dihedral_order.
void add_periodic_term(DihedralParameters& to, double k, Index n, double phase);

/// Pairs of atoms that bonds bind: n - 1 bonds apart for "1-n", along the shortest way.
struct SpecialPairs {
  /// Whether pair potentials leave out 1-2, 1-3 and 1-4 pairs.
  std::array<bool, 3> is_excluded{true, true, false};
  /// How much of the pair potentials and of Coulomb's law 1-4 pairs feel that are not excluded;
  /// 1 and 1: they are ordinary pairs.
  double scale_14 = 1, coulomb_scale_14 = 1;
};

/// Lennard-Jones parameters for 1-4 pairs of scaled strength, by types i types + j.
struct ScaledPairParameters {
  Index types = 0;
  std::vector<double> epsilon, sigma;
  double coulomb = 0;  ///< Units::coulomb; 0: no charges
};

struct BondedParameters {
  std::vector<BondParameters> bonds;          ///< by Topology::bond_types
  std::vector<AngleParameters> angles;        ///< by Topology::angle_types
  std::vector<DihedralParameters> dihedrals;  ///< by Topology::dihedral_types
  /// Longest distance of neighbouring atoms in angles and dihedrals; 0: of the longest bond.
  double max_arm = 0;
  SpecialPairs special;
  ScaledPairParameters pairs;
  /// The id that people know an atom by (AtomSystem::id_of), for messages.
  std::function<Index(Index)> id_of = [](Index atom) { return atom + 1; };
};

}  // namespace gsim::md
