// Event-based tracking: the same scores, lost particles and fission sites as tracking of one
// history after the other, bit by bit.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/transport/tracking/run_histories.hpp"
#include "src/modules/transport/tracking/growing_lists.hpp"
#include "tests/unit/transport/eigenvalue/eigenvalue_fixture.hpp"
#include "tests/unit/transport/geometry/geometry_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;
using gsim::transport_kernels::can_run_by_events;
using gsim::transport_kernels::run_by_events;

namespace {

/// Two fuels, one of them with delayed neutrons; isotropic, linear and nonlinear scattering; a
/// void.
const std::string materials =
    "[[material]]\nname = \"fuel\"\nfission = [0.01, 0.3]\ncapture = [0.02, 0.1]\n"
    "nu = [2.5, 2.4]\nchi = [0.9, 0.1]\nscatter = [[0.25, 0.02], [0.0, 0.4]]\n"
    "[[material]]\nname = \"mox\"\nfission = [0.02, 0.6]\ncapture = [0.03, 0.2]\n"
    "nu = [2.8, 2.8]\nchi = [1.0, 0.0]\nscatter = [[0.2, 0.03], [0.01, 0.4]]\n"
    "beta = [0.1, 0.2]\ndecay_constants = [0.1, 1.0]\nchi_delayed = [[1.0, 0.0], [0.5, 0.5]]\n"
    "[[material]]\nname = \"water\"\ncapture = [0.001, 0.02]\n"
    "scatter = [[0.3, 0.1], [0.0, 1.5]]\nscatter_l1 = [[0.1, 0.02], [0.0, 0.4]]\n";

/// Pins in lattices in a lattice, with a void ball and a cell beside the lattice; `boundaries`: of
/// a box; `around`: the cell around the ball and further universes.
std::string lattices(const std::string& boundaries, const std::string& around) {
  return materials +
         "[[surface]]\nname = \"pin\"\nkind = \"z_cylinder\"\nradius = 0.4\n"
         "[[surface]]\nname = \"ball\"\nkind = \"sphere\"\nradius = 0.3\n"
         "[[surface]]\nname = \"lid\"\nkind = \"z_plane\"\nz = 1.5\n"
         "[[box]]\nname = \"b\"\nlower = [-2.4, -2.4, -2.0]\nupper = [2.4, 2.4, 2.0]\n"
         "boundaries = " +
         boundaries +
         "\n[[cell]]\nname = \"core\"\nregion = \"-b -lid\"\nfill = \"assemblies\"\n"
         "[[cell]]\nname = \"top\"\nregion = \"-b +lid\"\nfill = \"water\"\n"
         "[[cell]]\nname = \"a1\"\nuniverse = \"a\"\nfill = \"pins\"\n"
         "[[cell]]\nname = \"w1\"\nuniverse = \"w\"\nfill = \"water\"\n"
         "[[cell]]\nname = \"v1\"\nuniverse = \"v\"\nregion = \"-ball\"\nfill = \"void\"\n"
         "[[cell]]\nname = \"f1\"\nuniverse = \"f\"\nregion = \"-pin\"\nfill = \"fuel\"\n"
         "[[cell]]\nname = \"f2\"\nuniverse = \"f\"\nregion = \"+pin\"\nfill = \"water\"\n"
         "[[cell]]\nname = \"m1\"\nuniverse = \"m\"\nregion = \"-pin\"\nfill = \"mox\"\n"
         "[[cell]]\nname = \"m2\"\nuniverse = \"m\"\nregion = \"+pin\"\nfill = \"water\"\n"
         "[[lattice]]\nname = \"pins\"\nkind = \"rectangular\"\npitch = [0.8, 0.8]\n"
         "center = [0.0, 0.0]\nouter = \"w\"\nuniverses = [\"f m\", \"m f\"]\n"
         "[[lattice]]\nname = \"assemblies\"\nkind = \"rectangular\"\npitch = [2.4, 2.4]\n"
         "center = [0.0, 0.0]\nuniverses = [\"a v\", \"w a\"]\n" +
         around;
}
/// A cell that contains a universe of pins of one kind beside the ball.
const std::string pins_around =
    "[[cell]]\nname = \"v2\"\nuniverse = \"v\"\nregion = \"+ball\"\nfill = \"row\"\n"
    "[[cell]]\nname = \"r1\"\nuniverse = \"row\"\nfill = \"rows\"\n"
    "[[lattice]]\nname = \"rows\"\nkind = \"rectangular\"\npitch = [1.0, 1.0]\n"
    "center = [0.1, 0.0]\nouter = \"f\"\nuniverses = [\"m m\"]\n";
/// Regions that are not intersections, surfaces other than cylinders, and a rotation.
const std::string turned_around =
    "[[surface]]\nname = \"slope\"\nkind = \"plane\"\nnormal = [1.0, 1.0, 0.5]\noffset = 0.2\n"
    "[[surface]]\nname = \"cone\"\nkind = \"z_cone\"\napex = [0.0, 0.0, 0.1]\nhalf_angle = 40\n"
    "[[cell]]\nname = \"v2\"\nuniverse = \"v\"\nregion = \"+ball\"\nfill = \"turned\"\n"
    "rotation = [0.0, 0.0, 30.0]\n"
    "[[cell]]\nname = \"t1\"\nuniverse = \"turned\"\nregion = \"-slope | -cone\"\n"
    "fill = \"fuel\"\n"
    "[[cell]]\nname = \"t2\"\nuniverse = \"turned\"\nregion = \"+slope +cone\"\n"
    "fill = \"mox\"\n";

/// What the histories of a pass leave behind.
struct Outcome {
  HistoryScores scores;
  std::vector<FissionSite> sites;
};

/// Runs one pass by `run`: run_by_events or one_after_the_other.
template <class Run>
Outcome outcome_of(HistoriesArgs args, const std::vector<FissionSite>& sources, Run&& run) {
  GrowingLists<FissionSite> sites;
  GrowingLists<CrossingRecord> crossings;
  GrowingLists<BankedParticle> secondaries;
  GrowingLists<SuspendedParticle> departures, suspended;
  Outcome outcome;
  args.count = static_cast<Index>(sources.size());
  args.sites = {sources.data(), args.count};
  args.chunk_size = 50;
  const auto chunks = static_cast<std::size_t>((args.count + 49) / 50);
  args.fission_sites = sites.cleared(chunks);
  args.crossings = crossings.cleared(chunks);
  args.secondaries = secondaries.cleared(1);
  args.departures = departures.cleared(1);
  args.suspended = suspended.cleared(1);
  args.scores = &outcome.scores;
  const Executor executor = Executor::host(1);
  run(executor, args);
  sites.append_to(outcome.sites, executor.pool());
  std::sort(outcome.sites.begin(), outcome.sites.end());
  return outcome;
}

/// With passes that are longer than any history, the compiled kernel does not work by events.
void one_after_the_other(const Executor& executor, HistoriesArgs args) {
  args.rules.flights_per_pass = std::int64_t{1} << 30;
  REQUIRE(!can_run_by_events(args));
  transport_histories(executor, args);
}

void check_equal(const Outcome& a, const Outcome& b) {
  CHECK(a.scores.k_collision == b.scores.k_collision);
  CHECK(a.scores.k_absorption == b.scores.k_absorption);
  CHECK(a.scores.k_track_length == b.scores.k_track_length);
  CHECK(a.scores.leakage == b.scores.leakage);
  CHECK(a.scores.collisions == b.scores.collisions);
  CHECK(a.scores.flights == b.scores.flights);
  CHECK(a.scores.lost == b.scores.lost);
  CHECK(a.scores.overlapping == b.scores.overlapping);
  CHECK(a.scores.first_lost.history == b.scores.first_lost.history);
  CHECK(a.scores.first_lost.stream == b.scores.first_lost.stream);
  CHECK(a.scores.first_lost.position == b.scores.first_lost.position);
  REQUIRE(a.sites.size() == b.sites.size());
  for (std::size_t i = 0; i < a.sites.size(); ++i) {
    CHECK(!(a.sites[i] < b.sites[i]));
    CHECK(!(b.sites[i] < a.sites[i]));
  }
}

/// Sites in the box, some of them on surfaces, and one outside.
std::vector<FissionSite> sources_in_box() {
  TestRandom random(3);
  std::vector<FissionSite> sites(700);
  for (FissionSite& site : sites) {
    site.position = random.point(2);
    site.group = static_cast<std::int16_t>(random.below(2));
  }
  for (std::size_t i = 0; i < sites.size(); i += 7) sites[i].position.x = 0.4;
  for (std::size_t i = 3; i < sites.size(); i += 9) sites[i].position.y = -2.4;
  sites[11].position = {5, 0, 0};
  return sites;
}

/// Compares both ways of tracking for all rules.
void check_system(const EigenvalueSystem& system, Tracking tracking) {
  const std::vector<FissionSite> sources = sources_in_box();
  for (const Capture capture : {Capture::analog, Capture::implicit})
    for (const Fission fission : {Fission::next, Fission::absorbs})
      for (const std::int64_t max_flights : {7, 20000000})
        for (const int checks_overlaps : {0, 1}) {
          HistoryRules rules;
          rules.tracking = tracking;
          rules.capture = capture;
          rules.fission = fission;
          rules.max_flights = max_flights;
          rules.checks_overlaps = checks_overlaps;
          HistoriesArgs args = system.args(rules, 9);
          args.k = 0.4;
          args.first_history = 123456789;
          args.first_parent = 1000;
          REQUIRE(can_run_by_events(args));
          const Outcome expected = outcome_of(args, sources, one_after_the_other);
          CHECK(expected.scores.collisions > 500);
          if (fission == Fission::next) CHECK(expected.sites.size() > 300);
          if (max_flights == 7) CHECK(expected.scores.lost > 10);
          check_equal(outcome_of(args, sources, run_by_events), expected);
        }
}

const char* const reflective =
    R"(["reflective", "reflective", "reflective", "vacuum", "reflective", "vacuum"])";
const char* const mixed = R"(["periodic", "periodic", "white", "reflective", "vacuum", "white"])";

}  // namespace

TEST_CASE("event-based delta tracking has the bits of one history after the other") {
  for (const char* const boundaries : {reflective, mixed})
    for (const std::string& around : {pins_around, turned_around})
      check_system(EigenvalueSystem(lattices(boundaries, around)), Tracking::delta);
}

TEST_CASE("event-based surface tracking has the bits of one history after the other") {
  for (const char* const boundaries : {reflective, mixed})
    check_system(EigenvalueSystem(lattices(boundaries, pins_around)), Tracking::surface);
}
