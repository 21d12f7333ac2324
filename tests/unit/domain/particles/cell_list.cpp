// Cell lists are compared with loops over all pairs, on one and several ranks; sorting of
// particles.

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
#include "support/test_executor.hpp"

using namespace gsim;

namespace {

struct Case {
  Box box;
  double cutoff;
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

/// The number of neighbours of a particle, and a sum that depends on their order.
struct NeighbourSum {
  Index neighbours = 0;
  double sum = 0;
  friend bool operator==(const NeighbourSum& a, const NeighbourSum& b) {
    return a.neighbours == b.neighbours &&
           std::bit_cast<std::uint64_t>(a.sum) == std::bit_cast<std::uint64_t>(b.sum);
  }
};

/// The sums of the particles of this rank, by id.
std::map<Index, NeighbourSum> neighbour_sums(const Communicator& comm, const Case& c,
                                             const std::vector<FixedPosition>& positions,
                                             int threads) {
  ParticleStore store(Executor::host(threads));
  const test::Columns columns = test::add_columns(store);
  std::vector<Index> own_ids;
  for (Index i = c.particles; i-- > 0;)
    if (i % comm.size() == comm.rank()) own_ids.push_back(i);
  test::fill(store, columns, positions, own_ids);
  const Decomposition decomposition(c.box, comm.size());
  Migrator(comm, store.executor(), BufferPath::host).migrate(store, decomposition);
  HaloPlan halo(comm);
  halo.build(store, c.box, decomposition, c.cutoff);
  CellList cells(store.executor(), c.box, c.cutoff);
  cells.build(store);
  const CellListView view = cells.view();
  const auto id = store.view<std::int64_t>(store.id());
  std::map<Index, NeighbourSum> sums;
  for (Index i = 0; i < store.locals(); ++i) {
    NeighbourSum& sum = sums[id[i]];
    view.for_each_neighbour(i, [&](Index j, const double* d, double r2) {
      ++sum.neighbours;
      sum.sum += r2 + 1e-3 * d[0] * static_cast<double>(id[j] + 1);
    });
  }
  return sums;
}

Index count_neighbours(const Case& c, const std::vector<FixedPosition>& positions, Index i) {
  Index count = 0;
  for (std::size_t j = 0; j < positions.size(); ++j) {
    const Vector3 d = c.box.difference(positions[j], positions[static_cast<std::size_t>(i)]);
    count += static_cast<Index>(j) != i &&
             d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= c.cutoff * c.cutoff;
  }
  return count;
}

}  // namespace

TEST_CASE(
    "cell list: neighbours are those of a loop over all pairs, in an order independent of the "
    "number of ranks") {
  unsigned seed = 1;
  for (const Case& c : cases()) {
    const auto positions = test::random_positions(c.box, c.particles, ++seed);
    INFO("particles " << c.particles << ", cutoff " << c.cutoff);
    const auto on_one_rank = neighbour_sums(Communicator::self(), c, positions, 3);
    CHECK(on_one_rank.size() == positions.size());
    Index errors = 0, pairs = 0;
    for (const auto& [id, sums] : on_one_rank) {
      errors += sums.neighbours != count_neighbours(c, positions, id);
      pairs += sums.neighbours;
    }
    CHECK(errors == 0);
    if (c.particles > 0) CHECK(pairs > 0);
    for (const int ranks : {2, 3, 5}) {
      std::map<Index, NeighbourSum> on_all_ranks;
      std::mutex mutex;
      run_in_process(ranks, [&](Communicator comm) {
        auto sums = neighbour_sums(comm, c, positions, 1);
        const std::lock_guard lock(mutex);
        on_all_ranks.merge(sums);
      });
      CHECK(on_all_ranks == on_one_rank);
    }
  }
}

TEST_CASE(
    "cell list: sorting keeps the columns of particles together and orders by cell, and by id "
    "within a bin") {
  const Box box({0, 0, 0}, {10, 10, 10});
  const auto positions = test::random_positions(box, 2000, 7);
  ParticleStore store(test::test_executor(2));
  const test::Columns columns = test::add_columns(store);
  std::vector<Index> ids;
  for (Index i = 0; i < 2000; ++i) ids.push_back(1999 - i);
  test::fill(store, columns, positions, ids);
  CellList cells(store.executor(), box, 1.0);
  cells.sort(store);
  CHECK(test::count_mixed_particles(store, columns, positions) == 0);
  const CellGrid grid = make_cell_grid(box, 1.0, 2000);
  CHECK(grid.size() == 1000);
  std::vector<std::pair<Index, Index>> keys;
  const auto position = store.to_host<FixedPosition>(store.position());
  const auto id = store.to_host<std::int64_t>(store.id());
  for (std::size_t i = 0; i < position.size(); ++i) {
    std::uint32_t cell[3];
    for (int a = 0; a < 3; ++a) cell[a] = grid.cell(a, position[i].x[a]);
    keys.emplace_back(grid.bin(cell[0], cell[1], cell[2]), id[i]);
  }
  CHECK(std::is_sorted(keys.begin(), keys.end()));
}

TEST_CASE("particles: sorted by a key and by id for equal keys; invalid keys are refused") {
  ParticleStore store(test::test_executor());
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
