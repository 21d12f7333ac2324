// Filters and scores: the bins to which tracks, collisions, analog events and crossings contribute,
// and the values of the contributions.

#include <cmath>

#include <doctest/doctest.h>

#include "tests/unit/transport/tallies/tallies_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

constexpr std::int32_t fuel = 0, water = 1;

/// A particle at `x` with direction `d`, its coordinates on all levels, and its state for tallies.
struct TallyParticle {
  Coordinates coordinates;
  TallyState state;
  const TallySystem& system;

  TallyParticle(const TallySystem& s, const Vector3& x, const Vector3& d, std::int32_t group)
      : system(s) {
    compiled_kernels::begin_flight(coordinates, x, d);
    REQUIRE(compiled_kernels::locate(s.geometry.view(), coordinates));
    state.origin = x;
    state.direction = d;
    state.group = group;
    state.material =
        s.geometry.cells[static_cast<std::size_t>(coordinates.level[coordinates.depth - 1].cell)]
            .fill;
    state.at = &coordinates;
  }
};

std::vector<double> all_sums(TallySet& set) {
  std::vector<double> sums;
  for (Index i = 0; i < set.plan().values; ++i)
    sums.push_back(compiled_kernels::sum_at(set.sinks()[0], i));
  return sums;
}

std::string tally(const std::string& body) { return "[[tally]]\nname = \"t\"\n" + body; }

using Sums = std::vector<double>;

}  // namespace

TEST_CASE(
    "tally filters: a track contributes flux and reaction rates to the bin of its material and "
    "group") {
  const TallySystem system(tally(
      "scores = [\"flux\", \"total\", \"absorption\", \"fission\", \"nu-fission\", \"scatter\", "
      "\"kappa-fission\", \"k\", \"production\"]\nenergy = \"groups\"\nmaterials = [\"water\", "
      "\"fuel\"]\n"));
  TallySet set = system.set();
  CHECK(system.plan.tallies[0].estimator == TallyEstimator::track_length);
  TallyParticle particle(system, {0, 0, 0}, {1, 0, 0}, 1);
  particle.state.weight = 0.5;
  compiled_kernels::score_track(set.view(), set.sinks()[0], particle.state, 1.0, 1.5);
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

TEST_CASE(
    "tally filters: results are divided by the source weight, those of k by the starting "
    "weight") {
  const TallySystem system(tally("scores = [\"nu-fission\", \"k\"]\n"));
  TallySet set = system.set();
  TallyParticle particle(system, {0, 0, 0}, {1, 0, 0}, 1);
  compiled_kernels::score_track(set.view(), set.sinks()[0], particle.state, 0, 1);
  set.end_batch({.sources = 2, .started = 3});
  CHECK(set.table(0).mean[0] == doctest::Approx(0.24 / 2).epsilon(1e-15));
  CHECK(set.table(0).mean[1] == doctest::Approx(0.24 / 3).epsilon(1e-15));
}

TEST_CASE("tally filters: cells and universes match at every level of the geometry") {
  const std::string nested_system =
      tally_system.substr(0, tally_system.find("[[cell]]")) +
      "[[cell]]\nname = \"core\"\nregion = \"-inner\"\nfill = \"pins\"\n"
      "[[cell]]\nname = \"pool\"\nregion = \"+inner -outer\"\nfill = \"water\"\n"
      "[[cell]]\nname = \"pin\"\nuniverse = \"pins\"\nfill = \"fuel\"\n";
  const TallySystem system(
      tally("scores = [\"flux\"]\ncells = [\"pin\", \"pool\", \"core\"]\nuniverses = [\"pins\", "
            "\"root\"]\n"),
      false, nested_system);
  TallySet set = system.set();
  TallyParticle particle(system, {0, 0, 0}, {1, 0, 0}, 0);
  REQUIRE(particle.coordinates.depth == 2);
  compiled_kernels::score_track(set.view(), set.sinks()[0], particle.state, 0, 2);
  CHECK(all_sums(set) == Sums{2, 2, 0, 0, 2, 2});
  set.drop_batch();
  TallyParticle outside(system, {3, 0, 0}, {1, 0, 0}, 0);
  compiled_kernels::score_track(set.view(), set.sinks()[0], outside.state, 0, 2);
  CHECK(all_sums(set) == Sums{0, 0, 0, 2, 0, 0});
}

TEST_CASE("tally filters: an energy bin contains whole groups") {
  const TallySystem system(tally("scores = [\"flux\"]\nenergy_bounds = [1e-5, 0.625]\n"));
  TallySet set = system.set();
  for (const std::int32_t group : {0, 1}) {
    TallyParticle particle(system, {0, 0, 0}, {1, 0, 0}, group);
    compiled_kernels::score_track(set.view(), set.sinks()[0], particle.state, 0, 1 + group);
  }
  CHECK(all_sums(set) == Sums{2});
}

TEST_CASE("tally filters: the bins of cosine and azimuth") {
  const TallySystem system(tally(
      "scores = [\"flux\"]\ncosine = [-1.0, 0.0, 0.5, 1.0]\naxis = [0, 0, 2]\nazimuth = [-180, 0, "
      "90, 180]\n"));
  TallySet set = system.set();
  const auto bin = [&](const Vector3& d) {
    set.drop_batch();
    TallyParticle particle(system, {0, 0, 0}, d, 0);
    compiled_kernels::score_track(set.view(), set.sinks()[0], particle.state, 0, 1);
    const Sums sums = all_sums(set);
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

TEST_CASE("tally filters: the collision estimator scores real and virtual collisions") {
  const TallySystem system(tally("scores = [\"flux\", \"nu-fission\"]\nestimator = \"collision\"\n"
                                 "mesh = \"m\"\n") +
                           "[[mesh]]\nname = \"m\"\nlower_left = [-1.0]\nupper_right = [1.0]\n"
                           "shape = [2]\n");
  TallySet set = system.set();
  TallyParticle particle(system, {-0.5, 0, 0}, {1, 0, 0}, 1);
  particle.state.weight = 0.9;
  compiled_kernels::score_collision(set.view(), set.sinks()[0], particle.state, 0.25, 0.45);
  compiled_kernels::score_collision(set.view(), set.sinks()[0], particle.state, 1.25, 0.5);
  compiled_kernels::score_collision(set.view(), set.sinks()[0], particle.state, 1.75,
                                    0.5);  // outside of the mesh
  const Sums sums = all_sums(set);
  CHECK(sums[0] == doctest::Approx(2.0).epsilon(1e-15));
  CHECK(sums[1] == doctest::Approx(2.0 * 0.24).epsilon(1e-15));
  CHECK(sums[2] == doctest::Approx(1.8).epsilon(1e-15));
  CHECK(sums[3] == doctest::Approx(1.8 * 0.24).epsilon(1e-15));
}

TEST_CASE("tally filters: scores of the analog estimator") {
  const TallySystem system(
      tally("scores = [\"total\", \"absorption\", \"fission\", \"nu-fission\", \"scatter\", "
            "\"production\", \"flux\", \"kappa-fission\"]\nestimator = \"analog\"\n"));
  TallySet set = system.set();
  const MaterialTables tables = test::host_tables(system.materials);
  TallyParticle particle(system, {0, 0, 0}, {1, 0, 0}, 1);
  particle.state.weight = 2;
  const MaterialView materials = tables.view();
  particle.state.data = &materials.data[fuel * 2 + 1];
  // At path length 0.5 the weights 0.6 and 1.4 are absorbed and scattered; 1.5 leaves, since
  // scattering multiplies neutrons.
  compiled_kernels::score_analog(set.view(), set.sinks()[0], particle.state, 0.5, 0.6, 1.4, 1.5);
  set.end_batch({});
  const double weight_per_absorption = 0.6 / 0.15;
  const Sums expected{2,
                      0.6,
                      weight_per_absorption * 0.1,
                      weight_per_absorption * 0.24,
                      1.4,
                      weight_per_absorption * 0.24 + 0.1,
                      2 / 0.45,
                      weight_per_absorption * 2e7};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(set.table(0).mean[i] == doctest::Approx(expected[i]).epsilon(1e-14));
  }
}

TEST_CASE("tally filters: currents and fluxes of surface crossings") {
  const TallySystem system(
      tally("scores = [\"current\", \"flux\"]\nsurfaces = [\"outer\", \"inner\"]\ncosine = [-1.0, "
            "0.0, 1.0]\n"));
  TallySet set = system.set();
  const Geometry& g = system.geometry;
  TestRandom random(1);
  TallyParticle particle(system, {0, 1, 0}, {1, 0, 0}, 0);
  particle.state.weight = 0.5;
  for (;;) {
    const Boundary boundary = compiled_kernels::next_boundary(g.view(), particle.coordinates);
    const Crossing crossing =
        compiled_kernels::cross(g.view(), particle.coordinates, boundary, random);
    compiled_kernels::score_crossing(set.view(), set.sinks()[0], g.view(), particle.state,
                                     boundary.path, crossing, particle.coordinates);
    if (crossing.kind == CrossingKind::leaked) break;
  }
  const double inner = std::sqrt(3.0) / 2, outer = std::sqrt(99.0) / 10;
  const Sums sums = all_sums(set);
  const Sums expected{0, 0, 0.5, 0.5 / outer, 0, 0, 0.5, 0.5 / inner};
  for (std::size_t i = 0; i < sums.size(); ++i)
    CHECK(sums[i] == doctest::Approx(expected[i]).epsilon(1e-14));
}

TEST_CASE("tally filters: a reflection contributes the incoming and the outgoing current") {
  const std::string reflective_system =
      tally_system.substr(0, tally_system.find("boundary = \"vacuum\"")) +
      "boundary = \"reflective\"\n" + tally_system.substr(tally_system.find("[[cell]]"));
  const TallySystem system(tally("scores = [\"current\"]\nsurfaces = [\"outer\"]\n") +
                               "[[tally]]\nname = \"u\"\nscores = [\"current\"]\nsurfaces = "
                               "[\"outer\"]\ncosine = [-1.0, 0.0, 1.0]\ncells = [\"pool\"]\n",
                           false, reflective_system);
  TallySet set = system.set();
  const GeometryView g = system.geometry.view();
  TestRandom random(1);
  TallyParticle particle(system, {5, 1, 0}, {1, 0, 0}, 0);
  const Boundary boundary = compiled_kernels::next_boundary(g, particle.coordinates);
  const Crossing crossing = compiled_kernels::cross(g, particle.coordinates, boundary, random);
  REQUIRE(crossing.kind == CrossingKind::reflected);
  compiled_kernels::score_crossing(set.view(), set.sinks()[0], g, particle.state, boundary.path,
                                   crossing, particle.coordinates);
  CHECK(all_sums(set) == Sums{0, -1, 1});
}

TEST_CASE("tally filters: contributions that are too large are reported") {
  const TallySystem system(tally("scores = [\"flux\"]\n"));
  TallySet set = system.set();
  TallyParticle particle(system, {0, 0, 0}, {1, 0, 0}, 0);
  particle.state.weight = 1e12;
  compiled_kernels::score_track(set.view(), set.sinks()[0], particle.state, 0, 1);
  CHECK(test::message_of<NumericalError>([&] { set.end_batch({}); }) == "no error");
  for (const double weight : {1e13, -1e13, std::nan(""), HUGE_VAL}) {
    CAPTURE(weight);
    particle.state.weight = weight;
    compiled_kernels::score_track(set.view(), set.sinks()[0], particle.state, 0, 1);
    const std::string message = test::message_of<NumericalError>([&] { set.end_batch({}); });
    CHECK(test::contains(message, "tally `t`"));
    set.drop_batch();
  }
  particle.state.weight = 1e12;  // sums that grow too large, step by step
  for (int i = 0; i < 3; ++i)
    compiled_kernels::score_track(set.view(), set.sinks()[0], particle.state, 0, 1);
  CHECK(test::contains(test::message_of<NumericalError>([&] { set.end_batch({}); }), "tally `t`"));
}
