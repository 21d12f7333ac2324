// Domain decomposition: ranks that own positions, tally bins of a rank, and runs that have the same
// bits as with replicated geometry.

#include "src/modules/transport/tracking/domains.hpp"

#include <cmath>
#include <numeric>
#include <random>

#include "kernels/transport/tracking/domains.hpp"
#include "src/modules/transport/tallies/filters/energy_filter.hpp"
#include "src/modules/transport/tallies/filters/mesh_filter.hpp"
#include "src/modules/transport/tallies/tally_part.hpp"
#include "src/modules/transport/transport_module.hpp"
#include "support/module_runs.hpp"
#include "unit/transport/pins.hpp"

using namespace gsim;
using namespace gsim::transport;
using namespace gsim::test;

namespace {

const std::string fine_mesh_tally =
    "[[mesh]]\nname = \"f\"\nlower_left = [-1.2, -1.2, -3.0]\nupper_right = [1.2, 1.2, 3.0]\n"
    "shape = [60, 60, 160]\n[[tally]]\nname = \"map\"\nscores = [\"flux\"]\nmesh = \"f\"\n";
/// Compares a replicated run on 1 rank with decomposed runs on several ranks.
void check_decomposed(const std::string& run_keys, const std::string& tables, Index batches) {
  CAPTURE(run_keys);
  const test::Outcome reference = test::run<TransportModule>(
      pin_lattice(run_keys, tables), /*ranks=*/1, /*first=*/0, /*last=*/batches, /*slice=*/batches);
  const std::string text = pin_lattice(run_keys + "domain = \"decomposed\"\n", tables);
  for (const int ranks : {2, 4, 7})
    test::check_outcome_is_reproduced<TransportModule>(text, reference, ranks, batches, /*slice=*/3,
                                                       /*restart_unit=*/batches / 2);
}

}  // namespace

TEST_CASE(
    "domains: paths are divided at the borders of domains, and visit each domain at most once") {
  const Box box = divided_box({{-3, -1, 0}, {5, 4, 2}});
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const int ranks : {1, 2, 3, 5, 7, 8}) {
    CAPTURE(ranks);
    const Domains domains(box, Decomposition(box, ranks), Executor::host(1));
    REQUIRE(domains.ranks() == ranks);
    Index border_crossings = 0;
    for (int i = 0; i < 2000; ++i) {
      // Some paths start on a border between domains, and some are parallel to one.
      Vector3 x{1 + 5 * uniform(engine), 1.5 + 3 * uniform(engine), 1 + uniform(engine)};
      Vector3 d{uniform(engine), uniform(engine), uniform(engine)};
      if (i % 10 == 1 && ranks > 1) x.x = domains.brick(0).upper[0];
      if (i % 10 == 2 && ranks > 1) x.x = domains.brick(0).upper[0], d.x = 0;
      if (i % 10 == 3) d = {1, 0, 0};
      d = unit(d);
      const double end = 6 * std::abs(uniform(engine));
      int owner = transport_kernels::domain_owner(domains.view(0), x, d);
      std::vector<bool> visited(static_cast<std::size_t>(ranks));
      for (;;) {
        REQUIRE(owner >= 0);
        REQUIRE(owner < ranks);
        REQUIRE(!visited[static_cast<std::size_t>(owner)]);
        visited[static_cast<std::size_t>(owner)] = true;
        const auto view = domains.view(owner);
        const auto exit = transport_kernels::domain_exit(view, x, d);
        const double to = std::min(exit.path, end);
        const auto position = along(x, to, d);
        for (std::int32_t a = 0; a < 3; ++a) {
          const double coordinate = component(position, a);
          CHECK(coordinate >= view.lower[a] - 1e-12);
          CHECK(coordinate <= view.upper[a] + 1e-12);
        }
        if (!(exit.path < end)) break;
        owner = transport_kernels::owner_behind(view, exit, x, d);
        ++border_crossings;
      }
    }
    CHECK((border_crossings > 200) == (ranks > 1));
  }
}

TEST_CASE("domains: unbounded axes are not divided, and the bricks hold equal numbers of sites") {
  const double inf = HUGE_VAL;
  const Box box = divided_box({{0, -inf, -inf}, {10, inf, 3}});
  // More sites at small x; uniform in y.
  std::vector<Vector3> sites;
  for (int i = 0; i < 1000; ++i) sites.push_back({i * i * 1e-5, 100.0 * i, 2.0});
  const Domains domains(box, decompose_evenly(box, sites, /*ranks=*/5), Executor::host(1));
  for (int rank = 0; rank < 5; ++rank) {
    const SampleBox brick = domains.brick(rank);
    CHECK(brick.lower[1] == -inf);
    CHECK(brick.upper[1] == inf);
    CHECK(brick.lower[2] == -inf);
    CHECK(brick.upper[2] == inf);
    Index sites_in_brick = 0;
    for (int i = 0; i < 1000; ++i)
      sites_in_brick += i * i * 1e-5 >= brick.lower[0] && i * i * 1e-5 < brick.upper[0];
    CHECK(std::abs(sites_in_brick - 200) <= 2);
  }
}

TEST_CASE(
    "domains: the tally values of a brick are those of the mesh bins that overlap it, in order") {
  TransportModule module;
  MaterialSet materials;
  materials.groups = 2;
  TalliesConfig config;
  MeshConfig mesh;
  mesh.name = "m";
  mesh.is_regular = true;
  for (std::size_t k = 0; k < 3; ++k)
    for (int i = 0; i <= 4 + static_cast<int>(k); ++i) mesh.bounds[k].push_back(i);
  MeshConfig two_dimensional = mesh;
  two_dimensional.name = "two_dimensional";
  two_dimensional.bounds[1].clear();
  config.meshes = {mesh, two_dimensional};
  TallyConfig tally;
  tally.name = "a";
  for (const ScoreKind* kind : Extensions::builtin().scores)
    if (kind->name == "flux" || kind->name == "total" || kind->name == "k")
      tally.scores.push_back({std::string(kind->name), kind});
  const FilterConfig mesh_bins{.kind = &mesh_filter, .names = {"m"}};
  const FilterConfig flat_bins{.kind = &mesh_filter, .names = {"two_dimensional"}};
  const FilterConfig groups{.kind = &energy_filter, .names = {std::string(by_groups)}};
  tally.filters = {mesh_bins, groups};
  TallyConfig second = tally;
  second.name = "b";
  second.filters = {flat_bins};
  TallyConfig third = second;
  third.name = "c";
  third.filters.clear();
  config.tallies = {tally, second, third};
  const TallyPlan plan = plan_tallies(config, Geometry{}, materials, {});
  const SampleBox brick{{1.5, 2, -HUGE_VAL}, {3, 3.5, 2.5}};
  const TallyPart part = part_in(plan, brick, 1e-9);
  CHECK(part.values == values_in(plan, brick, 1e-9));
  // Columns 1 to 3, rows 1 (whose upper bound is the brick's lower one) to 3, layers 0 to 2.
  std::vector<Index> expected;
  const auto add = [&](Index first, Index row, Index columns) {
    for (Index s = 0; s < columns; ++s) expected.push_back(first + row * columns + s);
  };
  for (Index z = 0; z < 3; ++z)
    for (Index y = 1; y < 4; ++y)
      for (Index x = 1; x < 4; ++x)
        for (Index g = 0; g < 2; ++g) add(0, ((z * 5 + y) * 4 + x) * 2 + g, 3);
  const Index b = plan.tallies[1].first_value, c = plan.tallies[2].first_value;
  for (Index z = 0; z < 3; ++z)
    for (Index x = 1; x < 4; ++x) add(b, z * 4 + x, 3);
  add(c, 0, 3);
  std::vector<Index> held_values;
  for (const ValueRun& run : part.runs) {
    CHECK(run.in_part == static_cast<Index>(held_values.size()));
    for (Index i = 0; i < run.count; ++i) held_values.push_back(run.in_all + i);
  }
  CHECK(held_values == expected);
  CHECK(part.values == static_cast<Index>(held_values.size()));
  const SampleBox everywhere{{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
  CHECK(values_in(plan, everywhere, 0) == plan.values);
}

TEST_CASE("domains: eigenvalue runs have the same bits as on one rank") {
  check_decomposed("mode = \"k_eigenvalue\"\nparticles = 400\nbatches = 8\ninactive = 2\n", tallies,
                   8);
}

TEST_CASE("domains: delta tracking and analog capture have the same bits as on one rank") {
  check_decomposed(
      "mode = \"k_eigenvalue\"\nparticles = 400\nbatches = 6\ntracking = \"delta\"\n"
      "capture = \"analog\"\n",
      mesh_tables + other_tallies + periodic_tallies +
          "[[tally]]\nname = \"tracks\"\nscores = [\"flux\"]\nmesh = \"m\"\nenergy = \"groups\"\n",
      6);
}

TEST_CASE(
    "domains: fixed-source runs with fission and time bins have the same bits as on one rank") {
  check_decomposed("mode = \"fixed_source\"\nparticles = 500\nbatches = 6\ntime_cutoff = 2e-5\n",
                   tallies +
                       "[[tally]]\nname = \"times\"\nscores = [\"flux\"]\nmesh = \"m\"\n"
                       "time = [0.0, 1e-6, 4e-6, 1e-4]\n" +
                       source,
                   6);
}

TEST_CASE("domains: each rank holds a part of a mesh tally") {
  const std::string run_keys = "mode = \"fixed_source\"\nparticles = 100\nbatches = 4\n";
  const auto bytes = [&](const std::string& text, int ranks) {
    TransportModule module;
    ConfigFile file = ConfigFile::parse(text, "test.toml");
    configure(module, file);
    Context context{Communicator::self(), Executor::host(1)};
    context.forecast_ranks = ranks;
    return module.plan(context).bytes_per_rank;
  };
  const double reference = bytes(pin_lattice(run_keys, fine_mesh_tally + source), 8);
  const double part =
      bytes(pin_lattice(run_keys + "domain = \"decomposed\"\n", fine_mesh_tally + source), 8);
  // Each of the 576,000 sums takes 16 bytes. They are divided among 8 bricks; bins at the borders
  // of bricks are held by several ranks.
  CHECK(reference - part > 0.8 * 16 * 576000);
}

TEST_CASE("domains: the forecast number of tally values of a rank is exact") {
  TransportConfig config;
  ConfigFile file = ConfigFile::parse(
      pin_lattice(
          "mode = \"k_eigenvalue\"\nparticles = 100\nbatches = 4\ndomain = \"decomposed\"\n",
          fine_mesh_tally),
      "test.toml");
  file.read([&](Section& top) { describe_transport(top, config); });
  validate_transport(config);
  for (const int ranks : {1, 2, 3, 7}) {
    CAPTURE(ranks);
    Index largest = 0, forecast = 0;
    run_in_process(ranks, [&](Communicator comm) {
      const Context context{comm, Executor::host(1), Arithmetic::strict, 5};
      System system(config, context.executor, /*seed=*/1);
      const auto run = make_eigenvalue(config, context, system);
      const Index held_values = comm.max(run->tallies().local_values());
      const Index expected = tally_values_of_rank(config, context, system, ranks);
      if (comm.is_root()) largest = held_values, forecast = expected;
    });
    CHECK(forecast == largest);
    // The upper sixth of the box has no fissile material and belongs to the bricks below it, which
    // are therefore larger than the average brick.
    if (ranks > 1) CHECK(largest > 1.05 * 576000 / ranks);
  }
}

TEST_CASE(
    "domains: every decomposition reports the same one of several lost particles of a history") {
  // Particles are split at the entry to `near`, and scatter towards a gap without a cell.
  const auto text = [](const std::string& run_keys) {
    return "[transport]\nmode = \"fixed_source\"\nparticles = 1\nbatches = 2\nmax_lost = 1000\n" +
           run_keys +
           "[[material]]\nname = \"m\"\ncapture = [0.02]\nscatter = [[2.0]]\n"
           "[[box]]\nname = \"b\"\nlower = [-2.0, -2.0, -2.0]\nupper = [2.0, 2.0, 2.0]\n"
           "boundary = \"vacuum\"\n"
           "[[surface]]\nname = \"p\"\nkind = \"x_plane\"\nx = 0.0\n"
           "[[surface]]\nname = \"q\"\nkind = \"x_plane\"\nx = 1.5\n"
           "[[surface]]\nname = \"r\"\nkind = \"x_plane\"\nx = 1.500001\n"
           "[[cell]]\nname = \"left\"\nregion = \"-b -p\"\nfill = \"m\"\n"
           "[[cell]]\nname = \"near\"\nregion = \"-b +p -q\"\nfill = \"m\"\nimportance = 40.0\n"
           "[[cell]]\nname = \"far\"\nregion = \"-b +r\"\nfill = \"m\"\n"
           "[[source]]\nspace = {kind = \"point\", position = [-0.01, 0.0, 0.0]}\n"
           "angle = {kind = \"beam\", axis = [1.0, 0.0, 0.0]}\n";
  };
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto run = [&](const std::string& run_keys, int ranks, int threads) {
      return test::run<TransportModule>(text(run_keys), ranks, /*first=*/0, /*last=*/2, /*slice=*/2,
                                        nullptr, threads, {}, seed);
    };
    const test::Outcome reference = run("", /*ranks=*/1, /*threads=*/1);
    const std::string message = reference.report.footer.back();
    CAPTURE(message);
    REQUIRE(message.find("particles were lost; the first one, history 0") != std::string::npos);
    REQUIRE(std::stoi(message) > 10);
    for (const int ranks : {2, 4, 7}) {
      CAPTURE(ranks);
      CHECK(run("", ranks, 2).report.footer.back() == message);
      CHECK(run("domain = \"decomposed\"\n", ranks, 2).report.footer.back() == message);
      CHECK(run("flights_per_pass = 1\n", ranks, 2).report.footer.back() == message);
    }
    // The particle is also reported if the run continues.
    const test::Outcome first_batch = test::run<TransportModule>(
        text(""), /*ranks=*/2, /*first=*/0, /*last=*/1, /*slice=*/1, nullptr, 1, {}, seed);
    const test::Outcome resumed =
        test::run<TransportModule>(text(""), /*ranks=*/3, /*first=*/1, /*last=*/2, /*slice=*/2,
                                   &first_batch.state, 1, {}, seed);
    CHECK(resumed.report.footer.back() == message);
  }
}
