// The bins of events, and the contributions to them.

#include <cmath>

#include <doctest/doctest.h>

#include "tests/unit/transport/tallies/tallies_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

constexpr std::int32_t fuel = 0, water = 1;

/// A particle in the middle of the core, with its cells.
struct Probe {
  Coordinates at;
  TallyState state;
  const TallySystem& system;

  Probe(const TallySystem& s, const Vector3& x, const Vector3& d, std::int32_t group) : system(s) {
    probe::begin_flight(at, x, d);
    REQUIRE(probe::locate(s.geometry.view(), at));
    state.origin = x;
    state.direction = d;
    state.group = group;
    state.material = s.geometry.cells[static_cast<std::size_t>(at.level[at.depth - 1].cell)].fill;
    state.at = &at;
  }
};

std::vector<double> sums_of(TallySet& set) {
  std::vector<double> sums;
  for (Index i = 0; i < set.plan().values; ++i) sums.push_back(probe::sum_at(set.sinks()[0], i));
  return sums;
}

std::string tally(const std::string& body) { return "[[tally]]\nname = \"t\"\n" + body; }

using Sums = std::vector<double>;

}  // namespace

TEST_CASE("tallies filters: reaction rates along tracks") {
  const TallySystem system(tally(
      "scores = [\"flux\", \"total\", \"absorption\", \"fission\", \"nu-fission\", \"scatter\", "
      "\"kappa-fission\", \"k\", \"production\"]\nenergy = \"groups\"\nmaterials = [\"water\", "
      "\"fuel\"]\n"));
  TallySet set = system.set();
  CHECK(system.plan.tallies[0].estimator == TallyEstimator::track_length);
  Probe p(system, {0, 0, 0}, {1, 0, 0}, 1);
  p.state.weight = 0.5;
  probe::score_track(set.view(), set.sinks()[0], p.state, 1.0, 1.5);
  set.end_batch({});
  const TallyTable table = set.table(0);
  // Rows: water group 1, 2, fuel group 1, 2.
  const Sums expected{0.25,       0.25 * 0.45, 0.25 * 0.15, 0.25 * 0.1, 0.25 * 0.24,
                      0.25 * 0.3, 0.25 * 2e7,  0.25 * 0.24, 0.25 * 0.24};
  for (std::size_t i = 0; i < 36; ++i) {
    CAPTURE(i);
    CHECK(table.mean[i] == doctest::Approx(i < 27 ? 0.0 : expected[i - 27]).epsilon(1e-15));
  }
}

TEST_CASE("tallies filters: batches are divided by the weight that started") {
  const TallySystem system(tally("scores = [\"nu-fission\", \"k\"]\n"));
  TallySet set = system.set();
  Probe p(system, {0, 0, 0}, {1, 0, 0}, 1);
  probe::score_track(set.view(), set.sinks()[0], p.state, 0, 1);
  set.end_batch({.sources = 2, .started = 3});
  CHECK(set.table(0).mean[0] == doctest::Approx(0.24 / 2).epsilon(1e-15));
  CHECK(set.table(0).mean[1] == doctest::Approx(0.24 / 3).epsilon(1e-15));
}

TEST_CASE("tallies filters: cells and universes match at any level") {
  const std::string nested =
      tally_system.substr(0, tally_system.find("[[cell]]")) +
      "[[cell]]\nname = \"core\"\nregion = \"-inner\"\nfill = \"pins\"\n"
      "[[cell]]\nname = \"pool\"\nregion = \"+inner -outer\"\nfill = \"water\"\n"
      "[[cell]]\nname = \"pin\"\nuniverse = \"pins\"\nfill = \"fuel\"\n";
  const TallySystem system(
      tally("scores = [\"flux\"]\ncells = [\"pin\", \"pool\", \"core\"]\nuniverses = [\"pins\", "
            "\"root\"]\n"),
      false, nested);
  TallySet set = system.set();
  Probe p(system, {0, 0, 0}, {1, 0, 0}, 0);
  REQUIRE(p.at.depth == 2);
  probe::score_track(set.view(), set.sinks()[0], p.state, 0, 2);
  CHECK(sums_of(set) == Sums{2, 2, 0, 0, 2, 2});
  set.drop_batch();
  Probe outside(system, {3, 0, 0}, {1, 0, 0}, 0);
  probe::score_track(set.view(), set.sinks()[0], outside.state, 0, 2);
  CHECK(sums_of(set) == Sums{0, 0, 0, 2, 0, 0});
}

TEST_CASE("tallies filters: energies in bins of whole groups") {
  const TallySystem system(tally("scores = [\"flux\"]\nenergy_bounds = [1e-5, 0.625]\n"));
  TallySet set = system.set();
  for (const std::int32_t group : {0, 1}) {
    Probe p(system, {0, 0, 0}, {1, 0, 0}, group);
    probe::score_track(set.view(), set.sinks()[0], p.state, 0, 1 + group);
  }
  CHECK(sums_of(set) == Sums{2});
}

TEST_CASE("tallies filters: directions") {
  const TallySystem system(tally(
      "scores = [\"flux\"]\ncosine = [-1.0, 0.0, 0.5, 1.0]\naxis = [0, 0, 2]\nazimuth = [-180, 0, "
      "90, 180]\n"));
  TallySet set = system.set();
  const auto bin = [&](const Vector3& d) {
    set.drop_batch();
    Probe p(system, {0, 0, 0}, d, 0);
    probe::score_track(set.view(), set.sinks()[0], p.state, 0, 1);
    const Sums sums = sums_of(set);
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (sums[i] > 0) return static_cast<int>(i);
    return -1;
  };
  CHECK(bin({0.6, 0, -0.8}) == 1);
  CHECK(bin({0.6, -0.8, 0}) == 3);
  CHECK(bin({0, 1, 0}) == 3 + 2);
  CHECK(bin({-0.6, 0.0, 0.8}) == 6 + 2);
  CHECK(bin({0, 0, 1.0000000000000002}) == 6 + 1);
}

TEST_CASE("tallies filters: collisions, real and virtual") {
  const TallySystem system(tally("scores = [\"flux\", \"nu-fission\"]\nestimator = \"collision\"\n"
                                 "mesh = \"m\"\n") +
                           "[[mesh]]\nname = \"m\"\nlower_left = [-1.0]\nupper_right = [1.0]\n"
                           "shape = [2]\n");
  TallySet set = system.set();
  Probe p(system, {-0.5, 0, 0}, {1, 0, 0}, 1);
  p.state.weight = 0.9;
  probe::score_collision(set.view(), set.sinks()[0], p.state, 0.25, 0.45);
  probe::score_collision(set.view(), set.sinks()[0], p.state, 1.25, 0.5);
  probe::score_collision(set.view(), set.sinks()[0], p.state, 1.75, 0.5);  // outside of the mesh
  const Sums sums = sums_of(set);
  CHECK(sums[0] == doctest::Approx(2.0).epsilon(1e-15));
  CHECK(sums[1] == doctest::Approx(2.0 * 0.24).epsilon(1e-15));
  CHECK(sums[2] == doctest::Approx(1.8).epsilon(1e-15));
  CHECK(sums[3] == doctest::Approx(1.8 * 0.24).epsilon(1e-15));
}

TEST_CASE("tallies filters: analog events") {
  const TallySystem system(
      tally("scores = [\"total\", \"absorption\", \"fission\", \"nu-fission\", \"scatter\", "
            "\"production\", \"flux\", \"kappa-fission\"]\nestimator = \"analog\"\n"));
  TallySet set = system.set();
  const MaterialTables tables = test::host_tables(system.materials);
  Probe p(system, {0, 0, 0}, {1, 0, 0}, 1);
  p.state.weight = 2;
  const MaterialView materials = tables.view();
  p.state.data = &materials.data[fuel * 2 + 1];
  probe::score_analog(set.view(), set.sinks()[0], p.state, 0.5, 0.6, 1.4, 1.5);
  set.end_batch({});
  const double part = 0.6 / 0.15;
  const Sums expected{2,        0.6,       part * 0.1, part * 0.24, 1.4, part * 0.24 + 0.1,
                      2 / 0.45, part * 2e7};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(set.table(0).mean[i] == doctest::Approx(expected[i]).epsilon(1e-14));
  }
}

TEST_CASE("tallies filters: crossings of surfaces") {
  const TallySystem system(
      tally("scores = [\"current\", \"flux\"]\nsurfaces = [\"outer\", \"inner\"]\ncosine = [-1.0, "
            "0.0, 1.0]\n"));
  TallySet set = system.set();
  const Geometry& g = system.geometry;
  TestRandom random(1);
  Probe p(system, {0, 1, 0}, {1, 0, 0}, 0);
  p.state.weight = 0.5;
  for (;;) {
    const Boundary ahead = probe::next_boundary(g.view(), p.at);
    const Crossing crossing = probe::cross(g.view(), p.at, ahead, random);
    probe::score_crossing(set.view(), set.sinks()[0], g.view(), p.state, ahead.path, crossing,
                          p.at);
    if (crossing.kind == CrossingKind::leaked) break;
  }
  const double inner = std::sqrt(3.0) / 2, outer = std::sqrt(99.0) / 10;
  const Sums sums = sums_of(set);
  const Sums expected{0, 0, 0.5, 0.5 / outer, 0, 0, 0.5, 0.5 / inner};
  for (std::size_t i = 0; i < sums.size(); ++i)
    CHECK(sums[i] == doctest::Approx(expected[i]).epsilon(1e-14));
}

TEST_CASE("tallies filters: reflective surfaces reverse currents") {
  const std::string mirrored = tally_system.substr(0, tally_system.find("boundary = \"vacuum\"")) +
                               "boundary = \"reflective\"\n" +
                               tally_system.substr(tally_system.find("[[cell]]"));
  const TallySystem system(tally("scores = [\"current\"]\nsurfaces = [\"outer\"]\n") +
                               "[[tally]]\nname = \"u\"\nscores = [\"current\"]\nsurfaces = "
                               "[\"outer\"]\ncosine = [-1.0, 0.0, 1.0]\ncells = [\"pool\"]\n",
                           false, mirrored);
  TallySet set = system.set();
  const GeometryView g = system.geometry.view();
  TestRandom random(1);
  Probe p(system, {5, 1, 0}, {1, 0, 0}, 0);
  const Boundary ahead = probe::next_boundary(g, p.at);
  const Crossing crossing = probe::cross(g, p.at, ahead, random);
  REQUIRE(crossing.kind == CrossingKind::reflected);
  probe::score_crossing(set.view(), set.sinks()[0], g, p.state, ahead.path, crossing, p.at);
  CHECK(sums_of(set) == Sums{0, -1, 1});
}

TEST_CASE("tallies filters: contributions that are too large are reported") {
  const TallySystem system(tally("scores = [\"flux\"]\n"));
  TallySet set = system.set();
  Probe p(system, {0, 0, 0}, {1, 0, 0}, 0);
  p.state.weight = 1e12;
  probe::score_track(set.view(), set.sinks()[0], p.state, 0, 1);
  CHECK(test::message_of<NumericalError>([&] { set.end_batch({}); }) == "no error");
  for (const double weight : {1e13, -1e13, std::nan(""), HUGE_VAL}) {
    CAPTURE(weight);
    p.state.weight = weight;
    probe::score_track(set.view(), set.sinks()[0], p.state, 0, 1);
    const std::string message = test::message_of<NumericalError>([&] { set.end_batch({}); });
    CHECK(test::contains(message, "tally `t`"));
    set.drop_batch();
  }
  p.state.weight = 1e12;  // sums that grow too large, step by step
  for (int i = 0; i < 3; ++i) probe::score_track(set.view(), set.sinks()[0], p.state, 0, 1);
  CHECK(test::contains(test::message_of<NumericalError>([&] { set.end_batch({}); }), "tally `t`"));
}
