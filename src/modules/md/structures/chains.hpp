#pragma once
// Linear chains as initial configuration of a polymer melt: random walks, which overlap until a
// minimiser or soft pair forces push them apart (K. Kremer and G. S. Grest, J. Chem. Phys. 92
// (1990) 5057, section II), or without overlaps along one path through a lattice, from which short
// chains relax quickly.

#include <array>
#include <cstdint>

#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

enum class ChainLayout { lattice, random_walk };

struct ChainOptions {
  ChainLayout layout = ChainLayout::random_walk;
  Index chains = 1;
  Index length = 2;           ///< atoms of a chain
  double density = 0.85;      ///< atoms per volume; determines the cubic, periodic box
  double bond_length = 0.97;  ///< of every bond at the start
  /// Random walks: least distance of atoms two bonds apart, so that a walk does not fold back on
  /// itself (R. Auhl et al., J. Chem. Phys. 119 (2003) 12718, section III); below 1.9 bond_length.
  /// 0: any.
  double least_1_3 = 1.02;
  bool with_angles = false;     ///< topology: an angle at every inner atom
  bool with_dihedrals = false;  ///< topology: a dihedral about every inner bond
  std::uint64_t seed = 0;
};

class Chains {
 public:
  /// InputError for impossible options.
  explicit Chains(const ChainOptions& options);

  Index atoms() const { return options_.chains * options_.length; }
  const Box& box() const { return box_; }
  /// Atoms [range.first, range.last) at rest, chain after chain, all of type 0. Positions unwrapped
  /// with their images make continuous chains; molecule is the number of the chain from 1. The
  /// first atom of a walk is uniform in the box, bonds have uniform directions: positions depend on
  /// the seed and the chain only. On the lattice a bond has the length of a cell's edge, about the
  /// cube root of the volume per atom.
  AtomColumns fill(IndexRange range) const;
  /// Bonds and, if the options select them, angles and dihedrals, of one type each, labelled "1".
  Topology topology() const;

 private:
  Vector3 site(Index atom) const;
  Vector3 first_atom(Index atom) const;
  /// The bond that ends at `atom`, which follows `before` (null for a chain's first bond).
  Vector3 bond(Index atom, const Vector3* before) const;

  ChainOptions options_;
  Box box_;
  std::array<Index, 3> cells_;  // of the lattice
};

}  // namespace gsim::md
