// ParticleStore: rows are preserved under growth, permutation and removal.

#include "gsim/domain/particle_store.hpp"

#include <numeric>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "particles.hpp"

using namespace gsim;

TEST_CASE("particle store: growing, shrinking and permuting keep rows whole") {
  const Box box({0, 0, 0}, {1, 1, 1});
  const auto all = test::random_positions(box, 5000, 1);
  ParticleStore store(Executor::host(2));
  const test::Columns columns = test::add_columns(store);
  std::vector<Index> ids(1000);
  std::iota(ids.begin(), ids.end(), 0);
  test::fill(store, columns, all, ids);
  for (int round = 0; round < 4; ++round) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(store.locals()));
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = static_cast<std::int32_t>(i * 7 % order.size());
    const std::vector<std::int64_t> before(store.view<std::int64_t>(store.id()).begin(),
                                           store.view<std::int64_t>(store.id()).end());
    store.permute({order.data(), store.locals()});
    for (std::size_t i = 0; i < order.size(); ++i)
      CHECK(store.view<std::int64_t>(store.id())[static_cast<Index>(i)] ==
            before[static_cast<std::size_t>(order[i])]);
    CHECK(test::torn_locals(store, columns, all) == 0);
    store.resize_ghosts(2000 * (round + 1));
    CHECK(store.rows(store.position()) == store.locals() + 2000 * (round + 1));
    CHECK(store.rows(columns.velocity) == store.locals());
    CHECK(test::torn_locals(store, columns, all) == 0);
    const Index kept = store.locals();
    store.resize_locals(kept + 500);
    CHECK(store.ghosts() == 0);
    CHECK(store.view<std::array<double, 3>>(columns.velocity)[kept + 499][0] == 0);
    store.resize_locals(kept - 1);
    CHECK(test::torn_locals(store, columns, all) == 0);
  }
}

TEST_CASE("particle store: invalid arguments") {
  ParticleStore store(Executor::host(1));
  CHECK_THROWS_AS(store.add_column("id", ElementType::int32, 1, Ghosts::none), InputError);
  CHECK_THROWS_AS(store.add_column("x", ElementType::int32, 0, Ghosts::none), InputError);
  CHECK_THROWS_AS(store.view<double>(store.position()), Error);
  CHECK_THROWS_AS(store.elements<float>(store.position()), Error);
  CHECK(store.elements<std::uint64_t>(store.position()).size == 0);
}
