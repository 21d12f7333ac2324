// The forecast of the halo exchange predicts exactly the numbers of particles, ghosts and messages
// of a run with the same number of ranks.

#include "gsim/domain/halo_forecast.hpp"

#include <numeric>

#include <doctest/doctest.h>

#include "gsim/domain/halo.hpp"
#include "gsim/domain/migrator.hpp"
#include "particles.hpp"

using namespace gsim;

TEST_CASE(
    "halo forecast: numbers of particles, ghosts and messages are those of a run on as many "
    "ranks") {
  const Box box({-1, 2, 0.5}, {8, 9, 10}, {3, -2, 4});
  const double width = 1.2;
  for (const Index count : {Index{0}, Index{12}, Index{800}}) {
    const auto positions = test::random_positions(box, count, 9);
    for (int ranks : {1, 2, 5, 8}) {
      const Decomposition decomposition(box, ranks);
      const HaloForecast forecast = forecast_halo(box, decomposition, positions, width);
      CHECK(forecast.ranks == ranks);
      CHECK(forecast.particles == count);
      CHECK_NOTHROW(run_in_process(ranks, [&](Communicator comm) {
        ParticleStore store(Executor::host(1));
        const test::Columns columns = test::add_columns(store);
        std::vector<Index> ids(comm.is_root() ? static_cast<std::size_t>(count) : 0);
        std::iota(ids.begin(), ids.end(), 0);
        test::fill(store, columns, positions, ids);
        Migrator(comm, store.executor(), BufferPath::host).migrate(store, decomposition);
        HaloPlan plan(comm);
        plan.build(store, box, decomposition, width);
        Index messages = 0;
        for (const auto& peer : plan.peers()) messages += peer.sent > 0;
        const bool same = comm.sum(store.ghosts()) == forecast.ghosts &&
                          comm.max(store.ghosts()) == forecast.max_ghosts &&
                          comm.max(store.locals()) == forecast.max_particles &&
                          comm.sum(messages) == forecast.messages &&
                          comm.max(messages) == forecast.max_messages;
        if (!same) throw Error("the forecast differs from the run");
      }));
    }
  }
}

TEST_CASE("halo forecast: 512 ranks of a cube have 26 neighbours each") {
  const Box box({0, 0, 0}, {80, 80, 80});
  const auto positions = test::random_positions(box, 100000, 4);
  const HaloForecast forecast = forecast_halo(box, Decomposition(box, 512), positions, 2.8);
  CHECK(forecast.max_messages == 26);
  // Through the 6 faces and 12 edges of a brick particles are always sent; at some of its 8
  // corners, with 4 particles on average, there are none.
  CHECK(forecast.messages > 512 * 18);
  CHECK(forecast.messages <= 512 * 26);
  // Uniform density: the shell of width 2.8 around a cube of 10 is ((15.6/10)^3 - 1) of its volume.
  const double expected = 100000 * (1.56 * 1.56 * 1.56 - 1);
  CHECK(static_cast<double>(forecast.ghosts) == doctest::Approx(expected).epsilon(0.01));
  CHECK(forecast.imbalance > 1);
  CHECK(forecast.imbalance < 1.5);
  CHECK(forecast.bytes(24) == forecast.ghosts * 24);
}
