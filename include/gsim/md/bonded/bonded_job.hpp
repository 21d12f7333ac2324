#pragma once
// The arguments of the kernels of bonded interactions: lists of rows, coefficients by type, and the
// arrays of forces.
//
// Every rank computes all interactions of its atoms and keeps the forces on these; so does every
// block of rows within a rank. Forces are integers (multiples of a quantum), so that the result
// does not depend on where an interaction is computed, nor on the order of the additions.

#include <cstdint>
#include <span>

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"

namespace gsim::md {

inline constexpr int max_bonded_atoms = 4;

/// The interactions of one style that act on the rows [first_row, last_row); each row belongs to
/// one block. On the host each array can be read by a whole vector register beyond its `count`
/// entries.
struct BondedBlock {
  const std::int32_t* row[max_bonded_atoms];  ///< row of the k-th atom of each interaction
  const std::int32_t* type;
  Index count;
  std::int32_t first_row, last_row;
  /// The sums over interactions whose first atom is in the block: the energy, then the virial, sum
  /// of r_a F_b: xx, yy, zz, xy, xz, yz. In host memory.
  ExactSum* sums;
};

/// The lowest id of the first atoms of all interactions that are out of range, or no_particle.
struct BondedFault {
  std::uint64_t first_id;
};

struct BondedJob {
  std::span<const BondedBlock> blocks;  ///< in host memory; on CUDA a single block with all rows
  const FixedPosition* position;
  const std::int64_t* id;
  const double* charge;  ///< charge of each row, for 1-4 pairs
  /// Box::matrix(64): the upper triangular matrix from integer position differences to lengths.
  double box_matrix[6];
  const double* constants;  ///< the constants of the style for each type
  int order;                ///< dihedrals: the highest multiple of the angle
  double longest2;          ///< square of the maximum distance of atoms in angles and dihedrals
  double force_scale;       ///< 1 / quantum
  double energy_scale;      ///< 1 / quantum of energies
  double largest;           ///< largest allowed force component in quanta, below 2^51
  std::int64_t* force;      ///< 3 for each row
  BondedFault* fault;
  bool with_sums;  ///< computes BondedBlock::sums
};

}  // namespace gsim::md
