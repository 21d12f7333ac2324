// The replicated decomposition, which assigns ranges of items to ranks, is compared with counting
// item by item; halo exchange and migration of particles.

#include "gsim/domain/replicated.hpp"

#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/domain/migrator.hpp"
#include "support/test_executor.hpp"
#include "tests/unit/domain/particles/particles.hpp"

using namespace gsim;

namespace {

constexpr int rank_counts[] = {1, 2, 3, 4, 5, 8};

/// The number of the block that contains an item. Blocks begin at multiples of their size.
Index block_of(Index item, Index block) {
  Index begin = 0;
  while (begin > item) begin -= block;
  while (begin + block <= item) begin += block;
  return begin / block;
}

/// Counts the errors of a decomposition of `items` by checking every item.
int count_errors(const ReplicatedDecomposition& d, IndexRange items, Index block) {
  int errors = d.items() != items;
  Index next = items.first;
  for (int r = 0; r < d.ranks(); ++r) {
    const IndexRange range = d.range(r);
    errors += range.first != next || range.last < range.first;
    for (Index i = range.first; i < range.last; ++i) {
      errors += d.owner(i) != r;
      errors += i > range.first && d.owner(i - 1) > d.owner(i);
    }
    const bool divides_a_block = !range.empty() && range.first > items.first &&
                                 block_of(range.first - 1, block) == block_of(range.first, block);
    errors += divides_a_block;
    next = range.last;
  }
  return errors + (next != items.last);
}

/// Number of complete and incomplete blocks of a range.
Index blocks_in(IndexRange range, Index block) {
  return range.empty() ? 0 : block_of(range.last - 1, block) - block_of(range.first, block) + 1;
}

}  // namespace

TEST_CASE("replicated: every item has one rank, ranges are in order, and blocks are not divided") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    const int ranks = rank_counts[random() % 6];
    const Index block = random() % 3 == 0 ? 1 : 1 + static_cast<Index>(random() % 50);
    const Index first = static_cast<Index>(random() % 400) - 200;
    const IndexRange items{first, first + static_cast<Index>(random() % 600)};
    CAPTURE(ranks);
    CAPTURE(block);
    CAPTURE(items.first);
    CAPTURE(items.last);
    const Index blocks = blocks_in(items, block);

    const ReplicatedDecomposition equal_speeds(items, ranks, block);
    CHECK(count_errors(equal_speeds, items, block) == 0);
    for (int r = 0; r < ranks; ++r) {
      const Index own_blocks = blocks_in(equal_speeds.range(r), block);
      CHECK((own_blocks == blocks / ranks || own_blocks == (blocks + ranks - 1) / ranks));
      if (block == 1) CHECK(equal_speeds.range(r) == partition(items, ranks, r));
    }

    std::vector<double> speeds(static_cast<std::size_t>(ranks));
    for (double& s : speeds) s = std::ldexp(1.0 + static_cast<double>(random() % 1000), -5);
    const double total_speed = std::accumulate(speeds.begin(), speeds.end(), 0.0);
    const ReplicatedDecomposition weighted(items, speeds, block);
    CHECK(count_errors(weighted, items, block) == 0);
    for (int r = 0; r < ranks; ++r) {
      const double share =
          static_cast<double>(blocks) * speeds[static_cast<std::size_t>(r)] / total_speed;
      CHECK(std::abs(static_cast<double>(blocks_in(weighted.range(r), block)) - share) <= 1.0);
    }
  }
}

TEST_CASE("replicated: equal speeds give the same ranges as no speeds, also for very many items") {
  const IndexRange items{7, 1000};
  for (const int ranks : rank_counts) {
    const std::vector<double> speeds(static_cast<std::size_t>(ranks), 0.3);
    for (int r = 0; r < ranks; ++r)
      CHECK(ReplicatedDecomposition(items, speeds, 4).range(r) ==
            ReplicatedDecomposition(items, ranks, 4).range(r));
  }
  const Index many_items = Index{1} << 61;
  const ReplicatedDecomposition d({0, many_items}, std::vector<double>{1, 3}, 4096);
  CHECK(d.range(0).last == many_items / 4);
  CHECK(d.owner(many_items / 4 - 1) == 0);
  CHECK(d.owner(many_items / 4) == 1);
}

TEST_CASE("replicated: a rank that is too slow for one block gets no items") {
  const ReplicatedDecomposition d({0, 10}, std::vector<double>{1, 1e-9, 1});
  CHECK(d.range(0) == IndexRange{0, 5});
  CHECK(d.range(1).empty());
  CHECK(d.owner(5) == 2);
  const ReplicatedDecomposition no_items({3, 3}, 4, 8);
  for (int r = 0; r < 4; ++r) CHECK(no_items.range(r) == IndexRange{3, 3});
}

TEST_CASE("replicated: invalid arguments are refused") {
  CHECK_THROWS_AS(ReplicatedDecomposition({0, 10}, 0), InputError);
  CHECK_THROWS_AS(ReplicatedDecomposition({0, 10}, 2, 0), InputError);
  CHECK_THROWS_AS(ReplicatedDecomposition({0, 10}, std::vector<double>{}), InputError);
  for (const double invalid : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_WITH_AS(ReplicatedDecomposition({0, 10}, std::vector<double>{1, invalid}),
                         doctest::Contains("is not possible"), InputError);
  const ReplicatedDecomposition d({2, 10}, 3);
  CHECK_THROWS_AS(d.owner(1), Error);
  CHECK_THROWS_AS(d.owner(10), Error);
}

TEST_CASE("replicated: particles migrate to the ranks of their ids, and there are no ghosts") {
  for (const int ranks : rank_counts) {
    std::atomic<int> errors{0};
    run_in_process(ranks, [&](Communicator comm) {
      const Index count = 200;
      const Box box({0, 0, 0}, {5, 5, 5});
      const auto positions = test::random_positions(box, count, 3);
      ParticleStore store(test::test_executor());
      const test::Columns columns = test::add_columns(store);
      const ReplicatedDecomposition equal_speeds({0, count}, comm.size());
      const IndexRange own_range = equal_speeds.range(comm.rank());
      std::vector<Index> ids(static_cast<std::size_t>(own_range.size()));
      std::iota(ids.begin(), ids.end(), own_range.first);
      test::fill(store, columns, positions, ids);

      Migrator migrator(comm, store.executor(), BufferPath::host);
      errors += migrator.migrate(store, equal_speeds) != 0;
      errors += store.to_host<std::int64_t>(store.id()) != ids;

      std::vector<double> speeds(static_cast<std::size_t>(ranks));
      for (int r = 0; r < ranks; ++r) speeds[static_cast<std::size_t>(r)] = 1 + r % 3;
      const ReplicatedDecomposition unequal_speeds({0, count}, speeds);
      migrator.migrate(store, unequal_speeds);
      errors += store.locals() != unequal_speeds.range(comm.rank()).size();
      for (const Index k : store.to_host<std::int64_t>(store.id()))
        errors += unequal_speeds.owner(k) != comm.rank();
      errors += test::count_mixed_particles(store, columns, positions);

      HaloPlan plan(comm);
      plan.build(store, unequal_speeds);
      HaloExchange exchange(plan, store, BufferPath::host);
      const ColumnId position[] = {store.position()};
      exchange.post(position);
      exchange.finish();
      errors += static_cast<int>(plan.peers().size()) + static_cast<int>(store.ghosts());
    });
    CHECK(errors == 0);
  }
}

TEST_CASE("replicated: an invalid id is an error on every rank") {
  CHECK_THROWS_WITH_AS(
      run_in_process(3,
                     [](Communicator comm) {
                       ParticleStore store(test::test_executor());
                       store.resize_locals(1);
                       store.assign(store.id(),
                                    std::vector<std::int64_t>{comm.rank() == 1 ? 12 : comm.rank()});
                       Migrator(comm, store.executor(), BufferPath::host)
                           .migrate(store, ReplicatedDecomposition({0, 3}, comm.size()));
                     }),
      doctest::Contains("item 12 of items 0 to 3"), Error);
}
