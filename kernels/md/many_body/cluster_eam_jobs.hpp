#pragma once
// The arguments of the two passes of the embedded-atom method (cluster_eam.hpp), and the data that
// the first one stores for the second. Data only: nothing here is compiled per target.

#include <cstdint>

#include "gsim/md/neighbour_lists/cluster_list.hpp"

namespace gsim::md {

/// The number of entries that are processed at a time.
inline constexpr int eam_block = 64;

template <class T>
struct alignas(4 * sizeof(T)) EamFour {
  T c[cluster_size];
};

/// Entries [first, last) of one cluster `i` of a chunk, all with pairs in range. From `stream` on
/// there are `padded` numbers of each kind: density slope over r at i, at j (with several types),
/// pair force over r; of all pairs in the order of entries and of the bits of their masks.
struct EamBlock {
  std::int32_t i, padded;
  Index first, last, stream;
};
/// The stored data of a chunk. `entries` has room for all of its list, `blocks` for one block a row
/// and one for every eam_block entries; `stream` grows.
template <class Real>
struct EamKept {
  EamBlock* blocks;
  Index block_count;
  ClusterNeighbour* entries;
  Real* stream;
  Index capacity;
};

/// The first pass: subtracts the densities of pairs from the sums, and adds pair energies to
/// `twice_energy`.
///
/// A row of the table holds 8 numbers, with several types 16 (a cache line of floats): cubic
/// polynomials {c3, c2, c1, c0} of the position t = 0 … 1 within an interval of r, of the density
/// of j at i; of the density of i at j (with several types); and of -r phi; densities in density
/// quanta, -r phi in force quanta times a length. The table of types (a, b) has number a * types +
/// b.
template <class Real>
struct EamDensityJob : ClusterPass<Real> {
  const Real* table;
  Real inverse_step;                                       ///< rows per length
  std::int32_t table_rows;                                 ///< of one pair of types
  std::int32_t types;                                      ///< 1: the types of atoms are not read
  EamFour<typename PairIntegers<Real>::Force>* densities;  ///< `clusters` for each worker
  Index clusters;
  Real cutoff2;
  Real energy_scale;  ///< energy quanta in minus a force quantum times a length
  bool with_sums;     ///< energies are computed
  EamKept<Real>* kept;
  /// Makes room for `capacity` numbers in the stream of chunk c, keeping those that are there.
  void (*grow)(void* owner, Index c, Index capacity);
  void* owner;
  std::uint32_t* largest;  ///< a worker's largest density: the high 32 bits of its representation
  WideInteger* twice_energy;  ///< of a worker
};

struct EamVirial {
  WideInteger c[6];
};

/// The second pass: adds the forces of pairs, with -F' of all atoms, to the reactions.
template <class Real>
struct EamForceJob : ClusterPass<Real> {
  const EamKept<Real>* kept;
  /// -F' in force quanta over density quanta, times rows of a table per length.
  const EamFour<Real>* i_slopes;
  const EamFour<Real>* j_slopes;
  std::int32_t types;
  Quad<typename PairIntegers<Real>::Force>* reactions;  ///< `clusters` for each worker
  Index clusters;
  Real virial_scale;        ///< energy quanta in a force quantum times a length
  bool with_sums;           ///< the virial is computed
  std::uint32_t* largest;   ///< a worker's largest |F/r|: the high 32 bits of its representation
  EamVirial* twice_virial;  ///< of a worker: xx, yy, zz, xy, xz, yz
};

}  // namespace gsim::md
