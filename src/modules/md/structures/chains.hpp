#pragma once
// Linear chains as initial configuration of a polymer melt. They are random walks, whose overlaps
// are removed by a minimiser or by soft pair forces (K. Kremer and G. S. Grest, J. Chem. Phys. 92
// (1990) 5057, section II), or successive pieces of one path that visits each site of a lattice at
// most once: short chains relax quickly from these.

#include <array>
#include <cstdint>

#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

enum class ChainLayout { lattice, random_walk };

struct ChainOptions {
  ChainLayout layout = ChainLayout::random_walk;
  Index chains = 1;
  Index length = 2;           ///< number of atoms in a chain
  double density = 0.85;      ///< atoms per volume; determines the cubic, periodic box
  double bond_length = 0.97;  ///< initial length of all bonds
  /// Random walks: smallest distance of atoms two bonds apart, so that a walk does not fold back on
  /// itself (R. Auhl et al., J. Chem. Phys. 119 (2003) 12718, section III); below 1.9 bond_length.
  /// 0: no limit.
  double min_1_3_distance = 1.02;
  bool with_angles = false;     ///< topology: an angle at every inner atom
  bool with_dihedrals = false;  ///< topology: a dihedral about every inner bond
  std::uint64_t seed = 0;
};

/// Generates the atoms and the topology of chains.
class Chains {
 public:
  /// InputError for impossible options.
  explicit Chains(const ChainOptions& options);

  Index atoms() const { return options_.chains * options_.length; }
  const Box& box() const { return box_; }
  /// Atoms [range.first, range.last) at rest, chain by chain, all of type 0. Positions unwrapped
  /// with their image flags form continuous chains; the molecule number is that of the chain,
  /// from 1. The first atom of a random walk is uniform in the box and bonds have uniform
  /// directions; positions depend on the seed and the chain only. On the lattice the length of a
  /// bond is the edge of a cell, about the cube root of the volume per atom.
  AtomColumns atoms_in(IndexRange range) const;
  /// Bonds and, if selected by the options, angles and dihedrals. Each has one type, labelled "1".
  Topology topology() const;

 private:
  Vector3 lattice_position(Index atom) const;
  Vector3 first_position(Index atom) const;
  /// The vector of the bond that ends at `atom`; `previous` is that of the bond before it (null for
  /// a chain's first bond).
  Vector3 bond_vector(Index atom, const Vector3* previous) const;

  ChainOptions options_;
  Box box_;
  std::array<Index, 3> cells_;  // numbers of lattice cells
};

}  // namespace gsim::md
