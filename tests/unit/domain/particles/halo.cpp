// Tests migration and halo exchange on 1 to 8 ranks: the particles and ghosts of each rank are
// compared with those selected from the list of all particles, which every rank generates.

#include "gsim/domain/halo.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <set>

#include <doctest/doctest.h>

#include "gsim/domain/migrator.hpp"
#include "particles.hpp"
#include "src/domain/particles/records.hpp"
#include "support/connect_ipc.hpp"
#include "support/test_executor.hpp"

using namespace gsim;

namespace {

struct Case {
  Box box;
  double width;
  Index particles;
};

std::vector<Case> cases() {
  const auto open = Boundary::open, periodic = Boundary::periodic;
  return {{Box({0, 0, 0}, {10, 10, 10}), 1.5, 900},
          {Box({-1, 2, 0.5}, {8, 9, 10}, {3, -2, 4}), 2.0, 700},
          {Box({0, 0, 0}, {4, 12, 6}, {}, {periodic, open, open}), 2.0, 500},
          {Box({0, 0, 0}, {40, 2, 2}), 1.0, 600},  // all cuts on one axis
          {Box({0, 0, 0}, {10, 10, 10}), 5.0,
           60},  // halos wider than bricks: every rank sees all particles
          {Box({0, 0, 0}, {10, 10, 10}), 1.0, 3},  // empty ranks
          {Box({0, 0, 0}, {10, 10, 10}), 1.0, 0}};
}

/// Distance from x to [lo, hi) on one axis as a fraction of its range; accurate enough for random
/// points.
double axis_distance(const Box& box, int axis, double x, double lo, double hi) {
  if (x >= lo && x < hi) return 0;
  double shortest = std::min(std::abs(x - lo), std::abs(x - hi));
  if (box.boundary(axis) == Boundary::periodic)
    for (const double shift : {-1.0, 1.0})
      shortest = std::min({shortest, std::abs(x + shift - lo), std::abs(x + shift - hi)});
  return shortest;
}

/// Whether p is within `width` of the brick, computed directly from the definition.
bool is_near(const Box& box, const Brick& brick, const FixedPosition& p, double width) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const double range = 0x1p32;  // of the cuts; positions have 64 bits
    const double d = axis_distance(box, axis, static_cast<double>(p.x[a]) / (range * range),
                                   static_cast<double>(brick.lo[a]) / range,
                                   static_cast<double>(brick.hi[a]) / range);
    if (d * box.width(axis) / box.range_fraction(axis) > width) return false;
  }
  return true;
}

/// Number of errors of one rank in migration, ghosts and repeated exchanges.
int count_errors(const Communicator& comm, const Case& c, unsigned seed, BufferPath path) {
  const int own_rank = comm.rank();
  const auto positions = test::random_positions(c.box, c.particles, seed);
  ParticleStore store(test::test_executor());
  const test::Columns columns = test::add_columns(store);
  std::vector<Index> own_ids;
  for (Index i = 0; i < c.particles; ++i)
    if (i * 7 % 5 % comm.size() == own_rank) own_ids.push_back(i);  // not on the owning ranks
  test::fill(store, columns, positions, own_ids);

  const Decomposition decomposition(c.box, comm.size());
  Migrator migrator(comm, store.executor(), path);
  migrator.migrate(store, decomposition);
  int errors = test::count_mixed_particles(store, columns, positions);
  std::set<Index> owned, expected;
  for (const Index id : store.to_host<std::int64_t>(store.id())) errors += !owned.insert(id).second;
  for (Index i = 0; i < c.particles; ++i)
    if (decomposition.owner(positions[static_cast<std::size_t>(i)]) == own_rank) expected.insert(i);
  errors += owned != expected;

  HaloPlan plan(comm);
  plan.build(store, c.box, decomposition, c.width, path);
  std::set<Index> ghosts, expected_ghosts;
  const auto id = test::rows_of<std::int64_t>(store, store.id());
  auto position = test::rows_of<FixedPosition>(store, store.position());
  auto partners = test::rows_of<test::Partners>(store, columns.partners);
  const auto locals = static_cast<std::size_t>(store.locals());
  int last_owner = 0;
  for (std::size_t g = locals; g < id.size(); ++g) {
    errors += !ghosts.insert(id[g]).second;  // at most once
    errors += position[g] != positions[static_cast<std::size_t>(id[g])];
    errors += partners[g] != test::partners_of(id[g]);
    errors += decomposition.owner(position[g]) < last_owner;
    last_owner = decomposition.owner(position[g]);
  }
  for (Index i = 0; i < c.particles; ++i) {
    const FixedPosition& p = positions[static_cast<std::size_t>(i)];
    if (!expected.contains(i) && is_near(c.box, decomposition.brick(own_rank), p, c.width))
      expected_ghosts.insert(i);
  }
  errors += ghosts != expected_ghosts;

  // Later steps: changed columns are exchanged, alone and together, in two simultaneous exchanges.
  HaloExchange first_exchange(plan, store, path, 1), second_exchange(plan, store, path, 2);
  for (int step = 1; step <= 3; ++step) {
    for (std::size_t i = 0; i < locals; ++i) {
      position[i].x[1] += static_cast<std::uint64_t>(step);
      partners[i][4] = step;
    }
    const ColumnId first_columns[] = {store.position()},
                   second_columns[] = {columns.partners, store.id()};
    first_exchange.pack(first_columns);  // rows that are not sent
    test::set_rows(store, store.position(), position);
    test::set_rows(store, columns.partners, partners);
    first_exchange.pack(first_columns);
    second_exchange.post(second_columns);
    first_exchange.send();
    second_exchange.finish();
    first_exchange.finish();
    position = test::rows_of<FixedPosition>(store, store.position());
    partners = test::rows_of<test::Partners>(store, columns.partners);
    for (std::size_t g = locals; g < id.size(); ++g) {
      const auto displacement = static_cast<std::uint64_t>(step * (step + 1) / 2);
      errors += position[g].x[1] != positions[static_cast<std::size_t>(id[g])].x[1] + displacement;
      errors += partners[g][4] != step || !ghosts.contains(id[g]);
    }
  }
  // Records that the user makes, here of ids.
  const ColumnId ids[] = {store.id()};
  detail::pack_records(store, ids, plan.send_rows(), plan.sent(), first_exchange.begin_records(8));
  first_exchange.end_records();
  first_exchange.send();
  auto without_ghosts = id;
  std::fill(without_ghosts.begin() + static_cast<std::ptrdiff_t>(locals), without_ghosts.end(), -1);
  test::set_rows(store, store.id(), without_ghosts);
  detail::unpack_records(store, ids, store.locals(), nullptr, plan.ghosts(),
                         first_exchange.finish_records());
  errors += test::rows_of<std::int64_t>(store, store.id()) != id;
  return errors;
}

}  // namespace

TEST_CASE("halo: every rank gets its own particles, and as ghosts exactly those near its brick") {
  unsigned seed = 100;
  for (const Case& c : cases())
    for (int ranks : {1, 2, 3, 4, 5, 7, 8}) {
      std::atomic<int> errors{0};
      run_in_process(ranks, [&](Communicator comm) {
        errors += count_errors(comm, c, seed, BufferPath::host);
        if (comm.size() == 1) return;
        test::connect_ipc(comm, test::test_executor());
        errors += count_errors(comm, c, seed, BufferPath::ipc);
        release_buffer_path(comm);
      });
      INFO("ranks " << ranks << ", particles " << c.particles << ", width " << c.width);
      CHECK(errors == 0);
      ++seed;
    }
}

TEST_CASE("halo: invalid widths and tags are refused") {
  CHECK_THROWS_WITH_AS(check_halo_width(Box({}, {10, 10, 10}), 5.1),
                       doctest::Contains("less than twice"), InputError);
  CHECK_THROWS_AS(check_halo_width(Box({}, {10, 10, 10}), std::nan("")), InputError);
  const Box open({}, {1, 1, 1}, {}, {Boundary::open, Boundary::open, Boundary::open});
  CHECK_NOTHROW(check_halo_width(open, 5.1));

  // The last tags are reserved for planning and migration.
  ParticleStore store(Executor::host(1));
  const HaloPlan plan(Communicator::self());
  for (const int tag : {-1, HaloExchange::tags, Messages::tags - 1})
    CHECK_THROWS_WITH_AS(HaloExchange(plan, store, BufferPath::host, tag),
                         doctest::Contains("cannot have tag"), Error);
  CHECK_NOTHROW(HaloExchange(plan, store, BufferPath::host, HaloExchange::tags - 1));
}

TEST_CASE("rows by id: rows do not depend on the distribution of particles") {
  for (int ranks : {1, 2, 3, 5, 8})
    for (Index total : {Index{0}, Index{3}, Index{101}}) {
      std::atomic<int> errors{0};
      run_in_process(ranks, [&](Communicator comm) {
        const Box box({0, 0, 0}, {10, 10, 10});
        const auto positions = test::random_positions(box, total, 5);
        const Decomposition decomposition(box, comm.size());
        ParticleStore store(test::test_executor());
        const test::Columns columns = test::add_columns(store);
        std::vector<Index> own_ids;
        for (Index i = total; i-- > 0;)
          if (decomposition.owner(positions[static_cast<std::size_t>(i)]) == comm.rank())
            own_ids.push_back(i);
        test::fill(store, columns, positions, own_ids);
        const auto rows = rows_by_id(comm, store, columns.partners, total);
        const IndexRange range = partition({0, total}, comm.size(), comm.rank());
        errors += rows.size() != static_cast<std::size_t>(range.size()) * sizeof(test::Partners);
        for (Index i = 0; i < range.size(); ++i) {
          const auto expected = test::partners_of(range.first + i);
          errors += std::memcmp(rows.data() + i * Index{sizeof expected}, expected.data(),
                                sizeof expected) != 0;
        }
      });
      CHECK(errors == 0);
    }
  CHECK_THROWS_WITH_AS(run_in_process(2,
                                      [](Communicator comm) {
                                        ParticleStore store(test::test_executor());
                                        store.resize_locals(1);  // both have id 0
                                        rows_by_id(comm, store, store.id(), 2);
                                      }),
                       doctest::Contains("exists twice"), NumericalError);
}
