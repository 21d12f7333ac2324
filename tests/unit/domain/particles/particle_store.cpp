// ParticleStore: the columns of a particle stay together when the store grows, shrinks and is
// permuted.

#include "gsim/domain/particle_store.hpp"

#include <numeric>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/exec/array.hpp"
#include "particles.hpp"
#include "support/test_executor.hpp"

using namespace gsim;

TEST_CASE(
    "particle store: growing, shrinking and permuting keep the columns of particles together") {
  const Box box({0, 0, 0}, {1, 1, 1});
  const auto positions = test::random_positions(box, 5000, 1);
  ParticleStore store(test::test_executor(2));
  const test::Columns columns = test::add_columns(store);
  std::vector<Index> ids(1000);
  std::iota(ids.begin(), ids.end(), 0);
  test::fill(store, columns, positions, ids);
  for (int round = 0; round < 4; ++round) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(store.locals()));
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = static_cast<std::int32_t>(i * 7 % order.size());
    const auto ids_before = store.to_host<std::int64_t>(store.id());
    const Array<std::int32_t> device_order(store.executor(), order);
    store.permute(device_order.view());
    const auto ids_after = store.to_host<std::int64_t>(store.id());
    for (std::size_t i = 0; i < order.size(); ++i)
      CHECK(ids_after[i] == ids_before[static_cast<std::size_t>(order[i])]);
    CHECK(test::count_mixed_particles(store, columns, positions) == 0);
    store.resize_ghosts(2000 * (round + 1));
    CHECK(store.rows(store.position()) == store.locals() + 2000 * (round + 1));
    CHECK(store.rows(columns.velocity) == store.locals());
    CHECK(test::count_mixed_particles(store, columns, positions) == 0);
    const Index locals = store.locals();
    store.resize_locals(locals + 500);
    CHECK(store.ghosts() == 0);
    CHECK(store.to_host<std::array<double, 3>>(columns.velocity).back()[0] == 0);
    store.resize_locals(locals - 1);
    CHECK(test::count_mixed_particles(store, columns, positions) == 0);
  }
}

TEST_CASE("particle store: invalid columns and element types are refused") {
  ParticleStore store(test::test_executor());
  CHECK_THROWS_AS(store.add_column("id", ElementType::int32, 1, Ghosts::none), InputError);
  CHECK_THROWS_AS(store.add_column("x", ElementType::int32, 0, Ghosts::none), InputError);
  CHECK_THROWS_AS(store.view<double>(store.position()), Error);
  CHECK_THROWS_AS(store.elements<float>(store.position()), Error);
  CHECK(store.elements<std::uint64_t>(store.position()).size == 0);
}
