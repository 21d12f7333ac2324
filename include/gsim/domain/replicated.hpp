#pragma once
// Who does which work where every rank holds the whole domain: paths of a portfolio, histories of a
// transport run. Items are numbered over all ranks; each rank has one contiguous range of them.

#include <span>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim {

/// The ranges of all ranks: in the order of ranks, disjoint, and together all items. Results never
/// depend on it, as long as they are summed in the order of items (engine/merge_stack.hpp) or
/// exactly (core/exact_sum.hpp).
class ReplicatedDecomposition {
 public:
  /// Ranges as equal as whole blocks allow, the longer ones first: for `block` 1 those of
  /// partition() (core/types.hpp). Blocks begin at the multiples of `block`, so that no block is
  /// divided between ranks; those at the ends of `items` may be cut by them. InputError unless
  /// ranks >= 1 and block >= 1.
  ReplicatedDecomposition(IndexRange items, int ranks, Index block = 1);
  /// Ranges in proportion to the ranks' speeds, in any unit that all share: each within one block
  /// of its exact share (of fewer than 2^50 blocks); equal speeds divide as none do. To be made
  /// from the same speeds on all ranks. InputError unless every speed is positive and finite.
  ReplicatedDecomposition(IndexRange items, std::span<const double> speeds, Index block = 1);

  int ranks() const { return static_cast<int>(cuts_.size()) - 1; }
  IndexRange items() const { return {cuts_.front(), cuts_.back()}; }
  IndexRange range(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return {cuts_[r], cuts_[r + 1]};
  }
  /// The rank whose range holds `item`. Error for one that is none of items().
  int owner(Index item) const;

 private:
  std::vector<Index> cuts_;  // rank r's range is [cuts_[r], cuts_[r + 1])
};

}  // namespace gsim
