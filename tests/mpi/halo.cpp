// Tests migration and halo exchange through MPI: every rank has the particles in its brick and the
// ghosts near it.

#include "gsim/domain/halo.hpp"

#include <doctest/doctest.h>

#include "gsim/domain/migrator.hpp"
#include "support/connect_ipc.hpp"
#include "support/test_executor.hpp"
#include "unit/domain/particles/particles.hpp"

using namespace gsim;

namespace {

void check_particles(const Communicator& world, BufferPath path) {
  const Box box({0, 0, 0}, {8, 9, 10}, {3, -2, 4});
  const Index count = 4000;
  const double width = 1.5;
  const auto all = test::random_positions(box, count, /*seed=*/21);
  ParticleStore store(test::test_executor());
  const test::Columns columns = test::add_columns(store);
  std::vector<Index> ids;
  for (Index i = world.rank(); i < count; i += world.size()) ids.push_back(i);
  test::fill(store, columns, all, ids);
  const Decomposition bricks(box, world.size());
  Migrator migrator(world, store.executor(), path);
  migrator.migrate(store, bricks);
  CHECK(test::count_mixed_particles(store, columns, all) == 0);
  CHECK(world.sum(store.locals()) == count);

  HaloPlan plan(world);
  plan.build(store, box, bricks, width, path);
  HaloExchange exchange(plan, store, path);
  auto position = test::rows_of<FixedPosition>(store, store.position());
  const auto id = test::rows_of<std::int64_t>(store, store.id());
  const Brick& mine = bricks.brick(world.rank());
  const HaloRegion region(box, mine, width);
  Index expected_ghosts = 0;
  for (const FixedPosition& p : all) expected_ghosts += region.contains(p) && !mine.contains(p);
  CHECK(store.ghosts() == expected_ghosts);
  for (int step = 1; step <= 20; ++step) {
    for (Index i = 0; i < store.locals(); ++i) position[static_cast<std::size_t>(i)].x[0] += 3;
    test::set_rows(store, store.position(), position);
    const ColumnId columns_sent[] = {store.position()};
    exchange.post(columns_sent);
    exchange.progress();
    exchange.finish();
    position = test::rows_of<FixedPosition>(store, store.position());
  }
  int mismatches = 0;
  for (std::size_t i = 0; i < id.size(); ++i)
    mismatches += position[i].x[0] != all[static_cast<std::size_t>(id[i])].x[0] + 60;
  CHECK(mismatches == 0);
}

}  // namespace

TEST_CASE("particle migration and halo exchange through MPI") {
  check_particles(Communicator::world(), BufferPath::host);
}

TEST_CASE("particle migration and halo exchange through CUDA IPC or shared memory") {
  const Communicator world = Communicator::world();
  if (world.size() == 1) return;
  test::connect_ipc(world, test::test_executor());
  check_particles(world, BufferPath::ipc);
  release_buffer_path(world);
}
