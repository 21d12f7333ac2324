// Cell lists against all pairs, on one rank and on several; sorting of particles.

#include "gsim/domain/cell_list.hpp"

#include <atomic>
#include <bit>
#include <map>
#include <mutex>
#include <utility>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/domain/migrator.hpp"
#include "particles.hpp"

using namespace gsim;

namespace {

struct Case {
  Box box;
  double reach;
  Index particles;
};

std::vector<Case> cases() {
  const auto open = Boundary::open, periodic = Boundary::periodic;
  return {{Box({0, 0, 0}, {10, 10, 10}), 1.5, 900},
          {Box({-1, 2, 0.5}, {8, 9, 10}, {3, -2, 4}), 2.0, 700},
          {Box({0, 0, 0}, {4, 12, 6}, {}, {periodic, open, open}), 2.0, 500},
          {Box({0, 0, 0}, {200, 2, 2}), 1.0, 600},
          {Box({0, 0, 0}, {50, 50, 50}), 1.0, 3000},  // far more cells than bins
          {Box({0, 0, 0}, {10, 10, 10}), 5.0, 60},    // two cells along an axis
          {Box({0, 0, 0}, {10, 10, 10}), 1.0, 0}};
}

/// Results of one particle: the number of neighbours, and a sum that depends on their order.
struct Found {
  Index neighbours = 0;
  double sum = 0;
  friend bool operator==(const Found& a, const Found& b) {
    return a.neighbours == b.neighbours &&
           std::bit_cast<std::uint64_t>(a.sum) == std::bit_cast<std::uint64_t>(b.sum);
  }
};

std::map<Index, Found> by_cells(const Communicator& comm, const Case& c,
                                const std::vector<FixedPosition>& all, int threads) {
  ParticleStore store(Executor::host(threads));
  const test::Columns columns = test::add_columns(store);
  std::vector<Index> mine;
  for (Index i = c.particles; i-- > 0;)
    if (i % comm.size() == comm.rank()) mine.push_back(i);
  test::fill(store, columns, all, mine);
  const Decomposition bricks(c.box, comm.size());
  Migrator(comm, store.executor(), BufferPath::host).migrate(store, bricks);
  HaloPlan halo(comm);
  halo.build(store, c.box, bricks, c.reach);
  CellList cells(store.executor(), c.box, c.reach);
  cells.build(store);
  const CellListView view = cells.view();
  const auto id = store.view<std::int64_t>(store.id());
  std::map<Index, Found> found;
  for (Index i = 0; i < store.locals(); ++i) {
    Found& own = found[id[i]];
    view.for_each_neighbour(i, [&](Index j, const double* d, double r2) {
      ++own.neighbours;
      own.sum += r2 + 1e-3 * d[0] * static_cast<double>(id[j] + 1);
    });
  }
  return found;
}

Index neighbours_of(const Case& c, const std::vector<FixedPosition>& all, Index i) {
  Index count = 0;
  for (std::size_t j = 0; j < all.size(); ++j) {
    const Vector3 d = c.box.difference(all[j], all[static_cast<std::size_t>(i)]);
    count +=
        static_cast<Index>(j) != i && d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= c.reach * c.reach;
  }
  return count;
}

}  // namespace

TEST_CASE("cell list: neighbours of all pairs, in an order independent of the number of ranks") {
  unsigned seed = 1;
  for (const Case& c : cases()) {
    const auto all = test::random_positions(c.box, c.particles, ++seed);
    INFO("particles " << c.particles << ", reach " << c.reach);
    const auto alone = by_cells(Communicator::self(), c, all, 3);
    CHECK(alone.size() == all.size());
    Index wrong = 0, pairs = 0;
    for (const auto& [id, found] : alone) {
      wrong += found.neighbours != neighbours_of(c, all, id);
      pairs += found.neighbours;
    }
    CHECK(wrong == 0);
    if (c.particles > 0) CHECK(pairs > 0);
    for (const int ranks : {2, 3, 5}) {
      std::map<Index, Found> together;
      std::mutex mutex;
      run_in_process(ranks, [&](Communicator comm) {
        auto found = by_cells(comm, c, all, 1);
        const std::lock_guard lock(mutex);
        together.merge(found);
      });
      CHECK(together == alone);
    }
  }
}

TEST_CASE("cell list: sorting keeps rows consistent and orders by cell, and by id within a bin") {
  const Box box({0, 0, 0}, {10, 10, 10});
  const auto all = test::random_positions(box, 2000, 7);
  ParticleStore store(Executor::host(2));
  const test::Columns columns = test::add_columns(store);
  std::vector<Index> ids;
  for (Index i = 0; i < 2000; ++i) ids.push_back(1999 - i);
  test::fill(store, columns, all, ids);
  CellList cells(store.executor(), box, 1.0);
  cells.sort(store);
  CHECK(test::torn_locals(store, columns, all) == 0);
  const CellGrid grid = make_cell_grid(box, 1.0, 2000);
  CHECK(grid.size() == 1000);
  std::vector<std::pair<Index, Index>> keys;
  const auto position = store.view<FixedPosition>(store.position());
  for (Index i = 0; i < store.locals(); ++i) {
    std::uint32_t cell[3];
    for (int a = 0; a < 3; ++a) cell[a] = grid.cell(a, position[i].x[a]);
    keys.emplace_back(grid.bin(cell[0], cell[1], cell[2]), store.view<std::int64_t>(store.id())[i]);
  }
  CHECK(std::is_sorted(keys.begin(), keys.end()));
}

TEST_CASE("particles sorted by a key, ties by id; invalid keys") {
  ParticleStore store(Executor::host(1));
  const ColumnId kind = store.add_column("kind", ElementType::int32, 1, Ghosts::none);
  const ColumnId speed = store.add_column("speed", ElementType::float64, 1, Ghosts::none);
  store.make_locals({10, 16});
  store.assign(kind, std::vector<std::int32_t>{2, -1, 2, 0, -1, 2});
  store.assign(speed, std::vector<double>{0, 1, 2, 3, 4, 5});
  sort_by_key(store, kind);
  CHECK(store.to_host<std::int64_t>(store.id()) ==
        std::vector<std::int64_t>{11, 14, 13, 10, 12, 15});
  CHECK(store.to_host<double>(speed) == std::vector<double>{1, 4, 3, 0, 2, 5});
  sort_by_key(store, store.id());
  CHECK(store.to_host<std::int32_t>(kind) == std::vector<std::int32_t>{2, -1, 2, 0, -1, 2});
  CHECK_THROWS_WITH_AS(sort_by_key(store, speed), doctest::Contains("\"speed\""), InputError);
  CHECK_THROWS_AS(sort_by_key(store, store.position()), InputError);
  CHECK_THROWS_AS(store.assign(kind, std::vector<std::int32_t>{1, 2}), Error);
  CHECK_THROWS_AS(store.to_host<double>(kind), Error);
  CHECK_THROWS_AS(CellList(store.executor(), Box({0, 0, 0}, {4, 4, 4}), 2.1), InputError);
  CHECK_THROWS_AS(CellList(store.executor(), Box({0, 0, 0}, {4, 4, 4}), 0), InputError);
}
