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

/// Twice the energy, and twice the virial's xx, yy, zz, xy, xz, yz, of a worker's pairs, in quanta.
/// They are doubled because a pair of a local and a ghost is computed on two ranks, where it counts
/// once each.
struct PairSums {
  WideInteger twice[7];
};

/// A list and the positions of its atoms: the arguments that all passes over cluster pairs share.
template <class Real>
struct ClusterPass {
  using Positions = Quad<typename PairIntegers<Real>::Position>;
  View<const ClusterChunk> chunks;
  const Positions* i_positions;  ///< of locals; the spare row holds the types of the atoms
  const Positions* j_positions;  ///< of locals, or of ghosts
  Real metric[6];                ///< Box::metric for the integers of the positions
  bool ghosts;                   ///< j are ghosts: no forces are added to them
};

/// Forces of one potential over a list. For each worker and each of `clusters` clusters kernels add
/// the negative sums of forces, in quanta, to `narrow` where is_narrow() holds, else to `wide`.
template <class Real>
struct ClusterForceJob : ClusterPass<Real> {
  /// Rows of `row` numbers: cutoff^2, the energy's shift, the potential's coefficients; forces in
  /// quanta, energies in force quanta times a length. A row has the number of each pair of types a
  /// and b at types * a + b and types * b + a. `row` is the larger one of 16 and types^2.
  const Real* coefficients;
  Index row;
  std::int32_t types;
  bool smoothed;  ///< the potential is that of pair_potentials/smoothed.hpp
  bool with_energy;
  const Four<Real>* i_charges;  ///< of potentials between charges
  const Four<Real>* j_charges;
  const Real* data;   ///< of potentials with tables
  Real energy_scale;  ///< energy quanta in a force quantum times a length
  Quad<std::int32_t>* narrow;
  Quad<std::int64_t>* wide;
  Index clusters;
  /// A worker's largest |F/r| (narrow) or F^2 (wide), in quanta: the high 32 bits of its
  /// representation.
  std::uint32_t* largest;
  PairSums* sums;  ///< of a worker
};

/// Whether forces are summed in 32 bits: for one type, a steep potential, in float. A sum has room
/// for 8 times 2^28 quanta, and no allowed force is larger than 2^28. Atoms that keep the distance
/// of that force from each other have at most 12 neighbours at that distance (the kissing number),
/// the forces of at most 9 of them have a component along one direction (a closed half of the
/// shell), and these components add to less than 4 forces; at twice the distance forces are weaker
/// by 2^13.
template <class Real, class Potential>
constexpr bool is_narrow(bool one_type) {
  return sizeof(Real) == 4 && one_type && Potential::is_steep;
}

/// The search for the neighbours of the clusters of one chunk among candidate clusters.
struct ClusterSearchJob {
  struct Span {
    std::int32_t first, last;  ///< candidates [first, last)
  };
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
  float metric[6];
  float radius2;
  bool tilted;  ///< metric is not diagonal
  bool half;    ///< i and j are the same clusters: j >= i only, each pair once
  ClusterRow* found_rows;
  ClusterNeighbour* found;  ///< room for all candidates, and one more
  Index* found_count;
};

/// Removes the entries of one chunk's list that are beyond a radius.
struct ClusterPruneJob {
  ClusterChunk list;
  const Quad<std::uint32_t>* i_positions;
  const Quad<std::uint32_t>* j_positions;
  float metric[6];
  float radius2;
  bool tilted;
  ClusterRow* kept_rows;   ///< as many as the list has
  ClusterNeighbour* kept;  ///< room for one more than the list has
  Index* kept_count;
};

}  // namespace gsim::md
