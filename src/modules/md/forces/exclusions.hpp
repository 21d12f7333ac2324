#pragma once
// Pairs of atoms that the pair potentials leave out, since bonds bind them.

#include <cstdint>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::md {

/// One atom that another one does not meet in the pair lists. What is left of their interaction,
/// `pair` times their pair potentials and `coulomb` times Coulomb's law, is the business of the
/// bonded terms (1-4 pairs); 0 and 0: nothing.
struct ExcludedPartner {
  std::int64_t id = 0;
  double pair = 0, coulomb = 0;
  friend bool operator==(const ExcludedPartner&, const ExcludedPartner&) = default;
};

/// Of every local row i the partners [first[i], first[i + 1]), wherever they are: locals, ghosts,
/// or too far away to be either. Both atoms of a pair name each other. Rows are those since the
/// last rebuild.
struct Exclusions {
  std::vector<Index> first;  ///< locals + 1 entries; or empty: nothing is excluded
  std::vector<ExcludedPartner> partners;
};

}  // namespace gsim::md
