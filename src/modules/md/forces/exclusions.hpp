#pragma once
// Pairs of bonded atoms that are excluded from the pair lists.

#include <cstdint>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::md {

/// The partner of an atom in an excluded pair. For 1-4 pairs the bonded terms add `pair` times the
/// pair potential and `coulomb` times Coulomb's law.
struct ExcludedPartner {
  std::int64_t id = 0;
  double pair = 0, coulomb = 0;
  friend bool operator==(const ExcludedPartner&, const ExcludedPartner&) = default;
};

/// The partners of local row i are [first[i], first[i + 1]); they may be locals, ghosts, or too far
/// away to be either. Each atom of a pair lists the other. Rows are those of the last rebuild.
struct Exclusions {
  std::vector<Index> first;  ///< locals + 1 entries; or empty: no exclusions
  std::vector<ExcludedPartner> partners;
};

}  // namespace gsim::md
