#pragma once
// What the kernels of bonded interactions work on: lists of rows, coefficients by type, and the
// forces that they add to.
//
// Every rank computes all interactions of its atoms and keeps the forces on these; so does every
// block of rows within a rank. Forces are whole numbers of quanta, so it does not matter that an
// interaction is computed in several places, nor in what order forces are added.

#include <cstdint>
#include <span>

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"

namespace gsim::md {

inline constexpr int most_bonded_atoms = 4;

/// The interactions of one law that move the rows [first_row, last_row), which no other block does.
/// On the host each array has room for a whole register beyond its `count` entries.
struct BondedBlock {
  const std::int32_t* row[most_bonded_atoms];  ///< row of the k-th atom of each interaction
  const std::int32_t* type;
  Index count;
  std::int32_t first_row, last_row;
  /// The sums over interactions whose first atom is in the block: energy, then the virial, of
  /// which an interaction adds sum of r_a F_b: xx, yy, zz, xy, xz, yz. Host memory.
  ExactSum* sums;
};

/// An interaction beyond its law's range: the lowest id of a first atom of such, or no_particle.
struct BondedFault {
  std::uint64_t first_id;
};

/// Laws, in the order of their numbers.
enum class BondLaw { harmonic, fene, pair };
enum class AngleLaw { harmonic, cosine, cosine_squared };

struct BondedJob {
  int law;                              ///< a BondLaw, an AngleLaw
  std::span<const BondedBlock> blocks;  ///< in host memory; on CUDA one of all rows
  const FixedPosition* position;
  const std::int64_t* id;
  const double* charge;     ///< for BondLaw::pair
  double metric[6];         ///< Box::metric(64)
  const double* constants;  ///< by type, as many as the law has
  int order;                ///< of dihedrals: the highest multiple of the angle
  double longest2;          ///< square of the longest arm
  double force_scale;       ///< 1 / quantum
  double energy_scale;
  double largest;       ///< a force component of more quanta is a fault; below 2^51
  std::int64_t* force;  ///< 3 a row
  BondedFault* fault;
  bool with_sums;
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(md_bonds, md::BondedJob)
GSIM_DECLARE_LAUNCHER(md_angles, md::BondedJob)
GSIM_DECLARE_LAUNCHER(md_dihedrals, md::BondedJob)
