#pragma once
// Systems of atoms as read from files or generated: plain columns, independent of ParticleStore.
// Atoms are identified by their index, 0 … N-1 in the order of ids; that index is their id in
// ParticleStore and in the addresses of random numbers. Ids of a file that are not 1 … N are stored
// in given_ids.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gsim/core/fixed_position.hpp"
#include "gsim/core/types.hpp"
#include "gsim/domain/box.hpp"

namespace gsim::md {

/// Some atoms, in the order of their indices: a contiguous range of a system, or all of it. Columns
/// have one entry per atom; the last three are empty where the source has no such values.
struct AtomColumns {
  std::vector<std::int32_t> type;  ///< index into the list of types
  std::vector<FixedPosition> position;
  std::vector<ImageCount> image;
  std::vector<Vector3> velocity;
  std::vector<double> charge;
  std::vector<std::int64_t> molecule;  ///< as in the file; 0: no molecule, as in LAMMPS

  Index size() const { return static_cast<Index>(type.size()); }
};

struct AtomType {
  std::string label;  ///< "1", "Cu", "OW"
  double mass = 0;    ///< 0: not given
  /// The file declares the type, but has no atom of it: the run has the type only where the
  /// configuration names it.
  bool is_unused = false;
  Index line = 0;  ///< line of its first atom in a text file, for messages; 0: not known
};

/// A bonded interaction of n atoms, by their indices.
template <int n>
struct BondedTuple {
  std::int32_t type = 0;  ///< index into the labels of its kind
  std::array<Index, n> atoms{};
  friend bool operator==(const BondedTuple&, const BondedTuple&) = default;
};

/// Bonds (i, j), angles (i, centre, k) and dihedrals (i, j, k, l along the chain).
struct Topology {
  std::vector<BondedTuple<2>> bonds;
  std::vector<BondedTuple<3>> angles;
  std::vector<BondedTuple<4>> dihedrals;
  std::vector<std::string> bond_types, angle_types, dihedral_types;  ///< labels

  bool has_bonded_terms() const { return !bonds.empty() || !angles.empty() || !dihedrals.empty(); }
};

/// One line of coefficients of a data file: numbers and words after the types, whose meaning
/// depends on the style.
struct CoefficientLine {
  std::vector<std::int32_t> types;  ///< one index; two for a pair of types (PairIJ Coeffs)
  std::vector<std::string> words;
  int line = 0;  ///< line number in the file, for messages
};
/// A section of coefficients: "Pair Coeffs" of style "lj/cut" (empty where the file names none).
struct CoefficientSection {
  std::string name, style;
  std::vector<CoefficientLine> lines;
};

/// Parameters of one type of bond, angle or dihedral, as stored in trajectories of gsim
/// (bonded/stored_bonded.hpp): the name of its style, and numbers.
struct StoredStyle {
  std::string style;
  std::vector<double> values;
  friend bool operator==(const StoredStyle&, const StoredStyle&) = default;
};
/// Parameters of all types of a topology, by its lists of labels. A list is empty where the file
/// does not give them.
struct StoredBonded {
  std::vector<StoredStyle> bonds, angles, dihedrals;
  /// Excluded and scaled pairs, and max_arm: the members of BondedParameters that belong to no
  /// type, in the order of bonded/stored_bonded.hpp; empty: not given.
  std::vector<double> special;
  friend bool operator==(const StoredBonded&, const StoredBonded&) = default;
};

/// Bonded interactions in the file that a run starts from.
struct BondedOfFile {
  std::string file = {};                              ///< name of the file, for messages
  std::vector<CoefficientSection> coefficients = {};  ///< those of a LAMMPS data file
  StoredBonded stored = {};                           ///< those of an H5MD file
  bool is_h5md = false;
};

/// A whole system.
struct AtomSystem {
  Box box;
  AtomColumns atoms;
  std::vector<AtomType> types;
  Topology topology;
  std::vector<Index> given_ids;  ///< ascending; empty: atom i has id i + 1
  std::vector<CoefficientSection> coefficients;
  std::string file;  ///< name of the file it was read from, for messages; or empty
  StoredBonded bonded = {};

  /// The id of an atom in the input.
  Index id_of(Index atom) const {
    return given_ids.empty() ? atom + 1 : given_ids[static_cast<std::size_t>(atom)];
  }
};

}  // namespace gsim::md
