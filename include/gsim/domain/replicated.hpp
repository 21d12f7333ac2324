#pragma once
// Distribution of work for a replicated domain, where every rank holds the complete model: paths of
// a portfolio, histories of a transport run. Items are numbered globally, and each rank has one
// contiguous range of them.

#include <span>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim {

/// The ranges of all ranks: in rank order, disjoint, and together all items. Results do not depend
/// on them if they are summed in the order of items (engine/merge_stack.hpp) or exactly
/// (core/exact_sum.hpp).
class ReplicatedDecomposition {
 public:
  /// Ranges as equal as whole blocks allow, longer ones first; for `block` 1 they are those of
  /// partition() (core/types.hpp). Blocks begin at multiples of `block`, so that no block is
  /// divided between ranks; the blocks at the ends of `items` may be incomplete. InputError unless
  /// ranks >= 1 and block >= 1.
  ReplicatedDecomposition(IndexRange items, int ranks, Index block = 1);
  /// Ranges in proportion to the speeds of the ranks, in any common unit: each differs from its
  /// exact share by at most one block if there are fewer than 2^50 blocks. Equal speeds give the
  /// ranges of the other constructor. All ranks must pass the same speeds. InputError unless every
  /// speed is positive and finite.
  ReplicatedDecomposition(IndexRange items, std::span<const double> speeds, Index block = 1);

  int ranks() const { return static_cast<int>(cuts_.size()) - 1; }
  IndexRange items() const { return {cuts_.front(), cuts_.back()}; }
  IndexRange range(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return {cuts_[r], cuts_[r + 1]};
  }
  /// The rank whose range contains `item`. Error for an item outside items().
  int owner(Index item) const;

 private:
  std::vector<Index> cuts_;  // rank r's range is [cuts_[r], cuts_[r + 1])
};

}  // namespace gsim
