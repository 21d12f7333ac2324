// Histories that are followed in passes of a limited number of flights: suspended particles, and
// the same bits for any length of passes.

#include "src/modules/transport/tracking/passes.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "src/modules/transport/simulation/system.hpp"
#include "src/modules/transport/tracking/growing_lists.hpp"
#include "src/modules/transport/transport_module.hpp"
#include "support/module_runs.hpp"
#include "unit/transport/pins.hpp"

using namespace gsim;
using namespace gsim::transport;
using namespace gsim::test;

namespace {

/// Configuration of the pin lattice, without importances if there are weight windows, with which
/// they cannot be combined.
std::string pin_lattice_system(const std::string& run_keys, const std::string& tables) {
  std::string text = pin_lattice(run_keys, tables);
  if (tables.find("[weight_windows]") == std::string::npos) return text;
  for (const std::string key : {"importance = 2.0\n", "importance = 4.0\n"})
    text.erase(text.find(key), key.size());
  return text;
}

/// Compares one pass on 1 rank with several passes, replicated and decomposed.
void check_passes(const std::string& run_keys, const std::string& tables, Index batches) {
  CAPTURE(run_keys);
  const auto reference = test::run<TransportModule>(
      pin_lattice_system(run_keys + "flights_per_pass = 0\n", tables), /*ranks=*/1, /*first=*/0,
      /*last=*/batches, /*slice=*/batches);
  struct Run {
    int flights, ranks;
    const char* domain;
  };
  for (const Run& r : {Run{64, 1, ""}, Run{3, 2, ""}, Run{1, 3, "domain = \"decomposed\"\n"}}) {
    CAPTURE(r.domain);
    CAPTURE(r.flights);
    CAPTURE(r.ranks);
    test::check_outcome_is_reproduced<TransportModule>(
        pin_lattice_system(
            run_keys + r.domain + "flights_per_pass = " + std::to_string(r.flights) + "\n", tables),
        reference, r.ranks, batches, /*slice=*/3, /*restart_unit=*/batches / 2);
  }
}

/// The memory forecast of a rank, bytes.
double forecast(const std::string& run_keys, int ranks) {
  TransportModule module;
  ConfigFile file = ConfigFile::parse(
      pin_lattice("mode = \"fixed_source\"\nbatches = 4\n" + run_keys, source), "test.toml");
  configure(module, file);
  Context context{Communicator::self(), Executor::host(1)};
  context.forecast_ranks = ranks;
  return module.plan(context).bytes_per_rank;
}

}  // namespace

TEST_CASE(
    "passes: a pass starts new histories up to its largest number of particles, resumed ones "
    "included") {
  CHECK(new_histories_in_pass(0, 5, 8) == 5);
  CHECK(new_histories_in_pass(0, 20, 8) == 8);
  CHECK(new_histories_in_pass(6, 20, 8) == 2);
  CHECK(new_histories_in_pass(8, 20, 8) == 0);
  CHECK(new_histories_in_pass(30, 20, 8) == 0);
  CHECK(new_histories_in_pass(30, 0, 8) == 0);
  CHECK(new_histories_in_pass(0, 20, 1) == 1);
}

TEST_CASE("passes: particles that are alive after a pass continue in the next one") {
  for (const char* const tracking : {"surface", "delta"}) {
    CAPTURE(tracking);
    TransportConfig config;
    ConfigFile file = ConfigFile::parse(
        pin_lattice("mode = \"fixed_source\"\nparticles = 200\nbatches = 2\ntracking = \"" +
                        std::string(tracking) + "\"\n",
                    source),
        "test.toml");
    file.read([&](Section& top) { describe_transport(top, config); });
    validate_transport(config);
    const Executor executor = Executor::host(1);
    const transport::System system(config, executor, 5);
    GrowingLists<FissionSite> sites;
    GrowingLists<CrossingRecord> crossings;
    GrowingLists<BankedParticle> secondaries;
    GrowingLists<SuspendedParticle> departures, suspended;
    HistoryScores scores;
    HistoriesArgs args;
    args.geometry = system.geometry_view();
    args.materials = system.materials();
    args.sources = system.sources();
    args.variance_reduction = system.variance_reduction();
    args.rules = config.rules;
    args.rules.flights_per_pass = 3;
    args.key = stream_key({5, Purpose::transport_history});
    args.start = Start::sources;
    args.count = config.particles;
    args.secondaries = secondaries.cleared(1);
    args.departures = departures.cleared(1);
    args.scores = &scores;
    std::vector<SuspendedParticle> alive;
    std::int64_t passes = 0, flights_before = 0;
    do {
      const Index followed = args.resumed.size + args.count;
      const std::int64_t secondaries_before = scores.secondaries;
      args.fission_sites = sites.cleared(16);
      args.crossings = crossings.cleared(16);
      args.suspended = suspended.cleared(1);
      transport_histories(executor, args);
      std::vector<SuspendedParticle> next;
      suspended.append_to(next, executor.pool());
      const Index max_alive = followed + scores.secondaries - secondaries_before;
      CHECK(static_cast<Index>(next.size()) <= max_alive);
      CHECK(scores.flights - flights_before <= 3 * max_alive);
      flights_before = scores.flights;
      ++passes;
      for (const SuspendedParticle& m : next) {
        CHECK(m.flights % 3 == 0);
        CHECK(m.flights <= 3 * passes);
        CHECK(m.stage == SuspendedParticle::Stage::in_flight);
      }
      // Some particles have been alive since the first pass.
      if (passes <= 3) {
        CHECK(next.size() > 20);
        CHECK(std::any_of(next.begin(), next.end(),
                          [&](const SuspendedParticle& m) { return m.flights == 3 * passes; }));
      }
      alive.swap(next);
      args.resumed = {alive.data(), static_cast<Index>(alive.size())};
      args.count = 0;
    } while (!alive.empty());
    CHECK(passes > 10);
    CHECK(scores.lost == 0);
  }
}

TEST_CASE(
    "passes: eigenvalue runs with surface tracking have the same bits for any length of passes") {
  check_passes("mode = \"k_eigenvalue\"\nparticles = 200\nbatches = 4\ninactive = 2\n", tallies, 4);
}

TEST_CASE(
    "passes: eigenvalue runs with delta tracking have the same bits for any length of passes") {
  check_passes(
      "mode = \"k_eigenvalue\"\nparticles = 200\nbatches = 6\ntracking = \"delta\"\n"
      "capture = \"analog\"\n",
      mesh_tables + other_tallies + periodic_tallies +
          "[[tally]]\nname = \"tracks\"\nscores = [\"flux\"]\nmesh = \"m\"\nenergy = \"groups\"\n",
      4);
}

TEST_CASE("passes: fixed-source runs with fission, splitting and time bins have the same bits") {
  const std::string times =
      "[[tally]]\nname = \"times\"\nscores = [\"flux\"]\nmesh = \"m\"\n"
      "time = [0.0, 1e-6, 4e-6, 1e-4]\n";
  const std::string run_keys = "mode = \"fixed_source\"\nparticles = 100\nbatches = 4\n";
  check_passes(run_keys + "time_cutoff = 2e-5\n", tallies + times + source, 4);
  check_passes(run_keys + "time_cutoff = 2e-5\ntracking = \"delta\"\n",
               mesh_tables + other_tallies + times + source, 4);
}

TEST_CASE("passes: runs with weight windows have the same bits") {
  const std::string windows =
      "[weight_windows]\nx = [-1.2, 0.0, 1.2]\nlower = [[0.4, 0.3], [0.1, 0.02]]\n";
  const std::string run_keys = "mode = \"fixed_source\"\nparticles = 40\nbatches = 4\n";
  check_passes(run_keys, tallies + source + windows, 4);
  check_passes(run_keys + "tracking = \"delta\"\n", mesh_tables + other_tallies + source + windows,
               4);
}

TEST_CASE("passes: the memory forecast includes suspended particles") {
  const auto memory_of_suspended = [](const std::string& particles, int ranks) {
    return forecast("particles = " + particles + "\nflights_per_pass = 64\n", ranks) -
           forecast("particles = " + particles + "\n", ranks);
  };
  // Lists of this pass and of the previous one, which may be 1.5 times as long as needed.
  const double bytes_per_history = 3.0 * sizeof(SuspendedParticle);
  CHECK(memory_of_suspended("100000", 1) == doctest::Approx(bytes_per_history * 100000));
  CHECK(memory_of_suspended("100000", 8) == doctest::Approx(bytes_per_history * 12500));
  CHECK(memory_of_suspended("1000000000", 2) == doctest::Approx(bytes_per_history * max_in_flight));
}
