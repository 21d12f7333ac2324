#pragma once
// A histogram of the distances of pairs of atoms for each pair of groups of atom types. r_max is at
// most the width of the halo. The histogram uses a cell list of its own.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gsim/domain/box.hpp"
#include "gsim/exec/thread_pool.hpp"

namespace gsim::md {

/// The histogram has `bins` equal bins of distances below `r_max` for each pair of `groups` groups.
struct HistogramShape {
  double r_max = 0;
  Index bins = 0;
  Index groups = 1;

  Index pairs() const { return groups * (groups + 1) / 2; }
  /// The index of the pair of groups a <= b: (0, 0), (0, 1), (1, 1), (0, 2), …
  static Index pair(Index a, Index b) { return a <= b ? b * (b + 1) / 2 + a : pair(b, a); }
};

/// The atoms of one rank and its ghosts, in host memory. Atoms of group -1 are not counted.
struct HistogramAtoms {
  std::span<const FixedPosition> positions;
  std::span<const std::int32_t> groups;
  Index locals = 0;  ///< number of owned atoms, which come first
};

/// Adds to counts[pair * bins + bin] the number of ordered pairs of a local with another atom,
/// local or ghost: over all ranks every pair of atoms counts twice. Distances are those of
/// positions rounded to 2^-32 of the box, so that all ranks agree. Along periodic axes box.width()
/// must be at least 2 r_max.
void count_pairs(ThreadPool& pool, const Box& box, const HistogramAtoms& atoms,
                 const HistogramShape& shape, std::span<Index> counts);

}  // namespace gsim::md
