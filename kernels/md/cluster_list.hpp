#pragma once
// Cluster pair lists: atoms in groups of four that are near each other, and for every group those
// groups whose atoms may be in range (Pall and Hess, Comput. Phys. Commun. 184 (2013) 2641). Data
// only: no code here is compiled per target.

#include <cstdint>

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/types.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::md {

inline constexpr int cluster_size = 4;

/// Three components of four atoms, and a spare row: a cache line for 32-bit components.
template <class T>
struct alignas(16 * sizeof(T)) Quad {
  T c[4][cluster_size];
};

/// The interactions of cluster `i`: entries [first, last) of the chunk's neighbours, of which the
/// first ones, up to `unmasked`, have a mask: bit 4 a + b allows atom a of i with atom b of j.
struct ClusterRow {
  std::int32_t i;
  Index first, unmasked, last;
};
struct ClusterNeighbour {
  std::int32_t j;
  std::uint32_t mask;
};

/// A part of the list that one thread takes at a time.
struct ClusterChunk {
  View<const ClusterRow> rows;
  View<const ClusterNeighbour> neighbours;
};

/// The integers of positions and forces in pair arithmetic of type Real.
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
/// Twice, since a pair with a ghost is met on two ranks, once on each.
struct PairSums {
  WideInteger twice[7];
};

/// A list and where its atoms are: what every pass over cluster pairs reads.
template <class Real>
struct ClusterPass {
  using Positions = Quad<typename PairIntegers<Real>::Position>;
  View<const ClusterChunk> chunks;
  const Positions* i_positions;  ///< of locals; the spare row holds the atoms' types
  const Positions* j_positions;  ///< of locals, or of ghosts
  Real metric[6];                ///< Box::metric of the position's integers
  bool ghosts;                   ///< j are ghosts: nothing is added to them
};

/// Forces of one potential over a list. `reactions`: for each worker the negative force sums of
/// `clusters` clusters in quanta; kernels add to them.
template <class Real>
struct ClusterForceJob : ClusterPass<Real> {
  Quad<typename PairIntegers<Real>::Force>* reactions;
  Index clusters;
  Real cutoff2;
  Real force[2];      ///< the potential's coefficients, forces in quanta
  Real energy[3];     ///< … energies in quanta
  Real virial_scale;  ///< quanta of the virial in a force quantum times a length
  bool with_energy;
  std::uint32_t* largest;  ///< a worker's largest |F/r|: the high word of its bits
  PairSums* sums;          ///< a worker's
};

/// Finds the neighbours of the clusters of one chunk among candidate clusters.
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
  bool half;  ///< i and j are the same clusters: j >= i only, each pair once
  ClusterRow* found_rows;
  ClusterNeighbour* found;  ///< room for all candidates of any row behind what was found
  Index* found_count;
};

}  // namespace gsim::md
