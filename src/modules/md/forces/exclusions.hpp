#pragma once
// Pairs of atoms that are excluded from the pair lists, because they are bonded.

#include <cstdint>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::md {

/// A partner of an excluded pair. The bonded terms (1-4 pairs) add `pair` times their pair
/// potentials and `coulomb` times Coulomb's law; 0 and 0: nothing.
struct ExcludedPartner {
  std::int64_t id = 0;
  double pair = 0, coulomb = 0;
  friend bool operator==(const ExcludedPartner&, const ExcludedPartner&) = default;
};

/// The partners of local row i are [first[i], first[i + 1]); they may be locals, ghosts, or too far
/// away to be either. Each atom of a pair lists the other. Rows are those since the last rebuild.
struct Exclusions {
  std::vector<Index> first;  ///< locals + 1 entries; or empty: no exclusions
  std::vector<ExcludedPartner> partners;
};

}  // namespace gsim::md
