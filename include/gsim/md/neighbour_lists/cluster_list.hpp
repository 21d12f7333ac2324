#pragma once
// Cluster pair lists: atoms in groups of four that are near each other, and for every group the
// groups whose atoms may be in range (Pall and Hess, Comput. Phys. Commun. 184 (2013) 2641). Data
// only: nothing here is compiled per target.

#include <cstdint>

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/types.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::md {

inline constexpr int cluster_size = 4;

/// Three components of four atoms, and a spare row: one cache line for 32-bit components.
template <class T>
struct alignas(16 * sizeof(T)) Quad {
  T c[4][cluster_size];
};

/// One number for each of four atoms.
template <class T>
struct alignas(cluster_size * sizeof(T)) Four {
  T c[cluster_size];
};

/// The interactions of cluster `i`: entries [first, last) of the chunk's neighbours. Entries before
/// `unmasked` have a mask: bit 4 a + b allows atom a of i with atom b of j.
struct ClusterRow {
  std::int32_t i;
  Index first, unmasked, last;
};
struct ClusterNeighbour {
  std::int32_t j;
  std::uint32_t mask;
};

/// A part of the list that one thread processes at a time.
struct ClusterChunk {
  View<const ClusterRow> rows;
  View<const ClusterNeighbour> neighbours;
};

/// The integer types of positions and forces in pair arithmetic of type Real.
template <class Real>
struct PairIntegers;
template <>
struct PairIntegers<float> {
  using Position = std::uint32_t;
  using Force = std::int32_t;
};
template <>
struct PairIntegers<double> {
  using Position = std::uint64_t;
  using Force = std::int64_t;
};

/// Twice the energy and twice the virial (xx, yy, zz, xy, xz, yz) of the pairs of one thread, in
/// quanta. They are doubled because a pair of a local and a ghost is computed on two ranks and
/// counted once on each.
struct PairSums {
  WideInteger twice[7];
};

/// A list and the positions of its atoms: the common arguments of all passes over cluster pairs.
template <class Real>
struct ClusterPass {
  using Positions = Quad<typename PairIntegers<Real>::Position>;
  View<const ClusterChunk> chunks;
  const Positions* i_positions;  ///< those of locals; the fourth row contains the atoms' types
  const Positions* j_positions;  ///< those of locals or of ghosts
  Real box_matrix[6];            ///< Box::matrix for the integers of the positions
  bool ghosts;                   ///< whether j are ghosts, to which no forces are added
};

/// The forces of one potential over a list. For each thread and each of `clusters` clusters,
/// kernels add the negative sums of forces, in quanta, to `narrow` if is_narrow() holds, else to
/// `wide`.
template <class Real>
struct ClusterForceJob : ClusterPass<Real> {
  /// One row for each of cutoff^2, shift of the energy and the coefficients of the potential
  /// (forces in quanta, energies in force quanta times length). A row has the value for types a and
  /// b at the indices types * a + b and types * b + a. Its length is the larger of 16 and types^2.
  const Real* coefficients;
  Index row_length;
  std::int32_t types;
  bool smoothed;  ///< the potential is that of pair_potentials/smoothed.hpp
  bool with_energy;
  const Four<Real>* i_charges;  ///< for potentials between charges
  const Four<Real>* j_charges;
  const Real* data;   ///< for potentials with tables
  Real energy_scale;  ///< converts a force quantum times length to energy quanta
  Quad<std::int32_t>* narrow;
  Quad<std::int64_t>* wide;
  Index clusters;
  /// For each thread, the largest |F/r| (with a steep potential and one type) or else the largest
  /// F^2, in quanta: the high 32 bits of the floating-point number, which can be compared as
  /// integers.
  std::uint32_t* largest;
  PairSums* sums;  ///< one for each thread
};

/// Whether forces are summed in 32 bits: for one type, a steep potential, in float. A sum can
/// hold 8 times 2^28 quanta, and no allowed force is larger than 2^28. Atoms whose distances are at
/// least that of the largest force have at most 12 neighbours at this distance (the kissing
/// number); the forces of at most 9 of them have a component along a given direction (a closed half
/// of the shell), and these components add up to less than 4 times the largest force. At twice the
/// distance forces are weaker by a factor of 2^13.
template <class Real, class Potential>
constexpr bool is_narrow(bool one_type) {
  return sizeof(Real) == 4 && one_type && Potential::is_steep;
}

/// The search for the neighbours of the clusters of one chunk among candidate clusters.
struct ClusterSearchJob {
  struct Span {
    std::int32_t first, last;  ///< candidates [first, last)
  };
  /// The candidates for cluster `i`: spans [first_span, last_span).
  struct Row {
    std::int32_t i;
    Index first_span, last_span;
  };
  View<const Row> rows;
  const Span* spans;
  const Quad<std::uint32_t>* i_positions;
  const Quad<std::uint32_t>* j_positions;
  const std::uint8_t* i_atoms;  ///< bit a: the cluster has an atom a
  const std::uint8_t* j_atoms;
  float box_matrix[6];
  float radius2;
  bool tilted;  ///< box_matrix is not diagonal
  bool half;    ///< i and j are the same clusters; each pair is listed once, with j >= i
  ClusterRow* found_rows;
  ClusterNeighbour* found;  ///< capacity: the number of candidates plus one
  Index* found_count;       ///< receives the number of entries in `found`
};

/// Writes the entries of the list of one chunk that are within a smaller radius.
struct ClusterPruneJob {
  ClusterChunk list;
  const Quad<std::uint32_t>* i_positions;
  const Quad<std::uint32_t>* j_positions;
  float box_matrix[6];
  float radius2;
  bool tilted;
  ClusterRow* kept_rows;   ///< capacity: the number of rows of the list
  ClusterNeighbour* kept;  ///< capacity: the number of entries of the list plus one
  Index* kept_count;       ///< receives the number of entries in `kept`
};

}  // namespace gsim::md
