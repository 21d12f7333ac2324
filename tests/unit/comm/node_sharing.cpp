#include "src/comm/mpi/node_sharing.hpp"

#include <doctest/doctest.h>

using gsim::detail::find_oversubscription;
using gsim::detail::RankPlacement;

namespace {

/// A rank on `node` that may run on processors [first, last), of which its control group grants
/// `granted` (0: all).
RankPlacement rank_on_node(std::uint64_t node, std::size_t first, std::size_t last,
                           std::int64_t granted = 0) {
  RankPlacement p{node, granted, {}};
  for (std::size_t k = first; k < last; ++k) p.may_run_on.set(k);
  return p;
}

}  // namespace

TEST_CASE("unbound ranks are oversubscribed if there are fewer processors than ranks") {
  std::vector<RankPlacement> ranks(2, rank_on_node(7, 0, 2));
  CHECK_FALSE(find_oversubscription(ranks).oversubscribed);
  ranks.push_back(rank_on_node(7, 0, 2));
  CHECK(find_oversubscription(ranks).oversubscribed);
  CHECK(find_oversubscription(ranks).nodes == 1);
}

TEST_CASE(
    "ranks bound to different processors are not oversubscribed, ranks bound to the same one are") {
  CHECK_FALSE(
      find_oversubscription({rank_on_node(7, 0, 1), rank_on_node(7, 1, 2), rank_on_node(7, 2, 3)})
          .oversubscribed);
  CHECK(find_oversubscription({rank_on_node(7, 0, 1), rank_on_node(7, 0, 1)}).oversubscribed);
}

TEST_CASE("oversubscription is determined for each node separately") {
  const auto on_two_nodes = find_oversubscription({rank_on_node(7, 0, 1), rank_on_node(8, 0, 1)});
  CHECK(on_two_nodes.nodes == 2);
  CHECK_FALSE(on_two_nodes.oversubscribed);
  CHECK(find_oversubscription({rank_on_node(7, 0, 4), rank_on_node(8, 0, 1), rank_on_node(8, 0, 1)})
            .oversubscribed);
}

TEST_CASE(
    "the limit of a control group counts where it is below the number of processors in the mask") {
  CHECK(find_oversubscription(
            {rank_on_node(7, 0, 64, 2), rank_on_node(7, 0, 64, 2), rank_on_node(7, 0, 64, 2)})
            .oversubscribed);
  CHECK_FALSE(
      find_oversubscription({rank_on_node(7, 0, 64, 2), rank_on_node(7, 0, 64, 2)}).oversubscribed);
}

TEST_CASE("ranks with an unknown processor mask are not counted as oversubscribed") {
  CHECK_FALSE(
      find_oversubscription({RankPlacement{7, 0, {}}, RankPlacement{7, 0, {}}}).oversubscribed);
}
