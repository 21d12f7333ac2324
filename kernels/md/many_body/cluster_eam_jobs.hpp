#pragma once
// The arguments of the two passes of the embedded-atom method (cluster_eam.hpp), and the data that
// the first one stores for the second. Data only: nothing here is compiled per target.

#include <cstdint>

#include "gsim/md/neighbour_lists/cluster_list.hpp"

namespace gsim::md {

/// The number of list entries that are processed at a time.
inline constexpr int eam_block = 64;

/// Entries [first, last) of cluster `i`, all of which have pairs in range. The stored values begin
/// at index `first_value` of EamChunkValues::values: `padded` numbers of each kind, in the order
/// slope of the density at i over r, slope of the density at j over r (only with several types),
/// pair force over r. Pairs are in the order of entries and of the bits of their masks.
struct EamBlock {
  std::int32_t i, padded;
  Index first, last, first_value;
};
/// The values that the first pass stores for one chunk of the list. The capacity of `entries` is
/// the length of the chunk's list; that of `blocks` is one block for each row and one for every
/// eam_block entries; `values`, of `capacity` numbers, grows as needed.
template <class Real>
struct EamChunkValues {
  EamBlock* blocks;
  Index block_count;
  ClusterNeighbour* entries;
  Real* values;
  Index capacity;
};

/// The first pass: subtracts the densities of pairs from the sums, and adds pair energies to
/// `twice_energy`.
///
/// A row of the table holds 8 numbers, with several types 16 (a cache line of floats): the
/// coefficients {c3, c2, c1, c0} of cubic polynomials in the position t = 0 … 1 within an interval
/// of r. The polynomials are the density of j at i, with several types also the density of i at j,
/// both in density quanta, and -r phi in force quanta times length. The table of types (a, b) has
/// the index a * types + b.
template <class Real>
struct EamDensityJob : ClusterPass<Real> {
  const Real* table;
  Real inverse_step;                                    ///< rows per length
  std::int32_t table_rows;                              ///< number of rows for one pair of types
  std::int32_t types;                                   ///< 1: the types of atoms are not read
  Four<typename PairIntegers<Real>::Force>* densities;  ///< `clusters` for each thread
  Index clusters;
  Real cutoff2;
  Real energy_scale;  ///< converts minus a force quantum times length to energy quanta
  bool with_sums;     ///< energies are computed
  EamChunkValues<Real>* chunk_values;
  /// Enlarges the values of chunk c to `capacity` numbers and keeps its contents.
  void (*grow)(void* owner, Index c, Index capacity);
  void* owner;
  std::uint32_t*
      largest;  ///< largest density of each thread: the high 32 bits of its representation
  WideInteger* twice_energy;  ///< one sum for each thread
};

struct EamVirial {
  WideInteger c[6];
};

/// The second pass: adds the forces of pairs, with -F' of all atoms (F: the embedding function), to
/// the reactions.
template <class Real>
struct EamForceJob : ClusterPass<Real> {
  const EamChunkValues<Real>* chunk_values;
  /// -F' in force quanta over density quanta, times rows of a table per length.
  const Four<Real>* i_slopes;
  const Four<Real>* j_slopes;
  std::int32_t types;
  Quad<typename PairIntegers<Real>::Force>* reactions;  ///< `clusters` for each thread
  Index clusters;
  Real virial_scale;       ///< energy quanta in a force quantum times a length
  bool with_sums;          ///< the virial is computed
  std::uint32_t* largest;  ///< largest |F/r| of each thread: the high 32 bits of its representation
  EamVirial* twice_virial;  ///< one sum for each thread: xx, yy, zz, xy, xz, yz
};

}  // namespace gsim::md
