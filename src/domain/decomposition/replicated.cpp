#include "gsim/domain/replicated.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "gsim/core/error.hpp"

namespace gsim {
namespace {

Index floor_divided(Index n, Index by) { return n / by - (n % by < 0 ? 1 : 0); }

/// The first item of each rank, then the end of the items. Rank r begins at the block with index
/// first_block(blocks, r) among the `blocks` blocks of the items.
std::vector<Index> cuts_of(IndexRange items, int ranks, Index block,
                           const std::function<Index(Index blocks, int rank)>& first_block) {
  GSIM_VALIDATE(ranks >= 1, "items cannot be divided among " + std::to_string(ranks) + " ranks",
                "give 1 or more");
  GSIM_VALIDATE(block >= 1, "items cannot be divided into blocks of " + std::to_string(block),
                "give 1 or more");
  if (items.empty()) items.last = items.first;
  const Index blocks_before = floor_divided(items.first, block);
  const Index blocks = items.empty() ? 0 : floor_divided(items.last - 1, block) + 1 - blocks_before;
  std::vector<Index> cuts{items.first};
  for (int r = 1; r < ranks; ++r) {
    const Index cut = (blocks_before + first_block(blocks, r)) * block;
    cuts.push_back(std::clamp(cut, items.first, items.last));
  }
  cuts.push_back(items.last);
  return cuts;
}

}  // namespace

ReplicatedDecomposition::ReplicatedDecomposition(IndexRange items, int ranks, Index block)
    : cuts_(cuts_of(items, ranks, block, [&](Index blocks, int rank) {
        return partition({0, blocks}, ranks, rank).first;
      })) {}

ReplicatedDecomposition::ReplicatedDecomposition(IndexRange items, std::span<const double> speeds,
                                                 Index block) {
  const auto ranks = static_cast<int>(speeds.size());
  std::vector<double> sums{0};  // sums of the speeds of all previous ranks
  for (const double speed : speeds) {
    GSIM_VALIDATE(std::isfinite(speed) && speed > 0,
                  "a rank's speed of " + std::to_string(speed) + " is not possible",
                  "give positive numbers");
    sums.push_back(sums.back() + speed);
  }
  const bool all_equal =
      std::adjacent_find(speeds.begin(), speeds.end(), std::not_equal_to<>()) == speeds.end();
  if (all_equal) {
    *this = ReplicatedDecomposition(items, ranks, block);
    return;
  }
  cuts_ = cuts_of(items, ranks, block, [&](Index blocks, int rank) {
    const double share = sums[static_cast<std::size_t>(rank)] / sums.back();
    return static_cast<Index>(std::nearbyint(static_cast<double>(blocks) * share));
  });
}

int ReplicatedDecomposition::owner(Index item) const {
  if (item < cuts_.front() || item >= cuts_.back())
    throw Error("internal error: item " + std::to_string(item) + " of items " +
                std::to_string(cuts_.front()) + " to " + std::to_string(cuts_.back()) +
                " is requested; please report it");
  // The last cut that is not above the item: ranks without items share their cut with the next
  // rank.
  const auto above = std::upper_bound(cuts_.begin(), cuts_.end(), item);
  return static_cast<int>(above - cuts_.begin()) - 1;
}

}  // namespace gsim
