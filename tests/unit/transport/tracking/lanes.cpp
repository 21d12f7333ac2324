// Parts of event-based tracking against the functions for one particle, lane by lane.

#include <vector>

#include <doctest/doctest.h>

#include "kernels/transport/tallies/track_lanes.hpp"
#include "kernels/transport/tracking/events/random_lanes.hpp"
#include "tests/unit/transport/geometry/geometry_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;
using namespace gsim::transport_kernels;

namespace {

using R = packed<double>;
using W = rebind<R, std::uint64_t>;
constexpr int lanes = lanes_of<R>;
const PhiloxKey key = stream_key({7, Purpose::transport_history});

template <int blocks>
void check_random_lanes(std::uint64_t seed) {
  TestRandom choice(seed);
  std::uint64_t history[lanes], position[lanes];
  std::vector<HistoryRandom> expected;
  for (int i = 0; i < lanes; ++i) {
    history[i] = static_cast<std::uint64_t>(choice.below(1000000));
    position[i] = (seed << history_draw_bits) + static_cast<std::uint64_t>(choice.below(100));
    expected.emplace_back(key, RandomState{history[i], position[i]});
  }
  HistoryRandomLanes<R, blocks> random(key, load<W>(history), load<W>(position));
  for (int draw = 0; draw < 40; ++draw) {
    const auto bits = static_cast<unsigned>(choice.below(1 << lanes));
    const R u = random.uniform(mask_from_bits<R>(bits));
    for (int i = 0; i < lanes; ++i)
      if ((bits >> i & 1) != 0)
        CHECK(extract(u, i) == expected[static_cast<std::size_t>(i)].uniform());
    store(position, random.position());
    for (int i = 0; i < lanes; ++i)
      CHECK(position[i] == expected[static_cast<std::size_t>(i)].state().position);
    if (draw % 9 != 8) continue;
    // One lane continues from a later position.
    const int lane = choice.below(lanes);
    HistoryRandom& moved = expected[static_cast<std::size_t>(lane)];
    for (int i = choice.below(4); i >= 0; --i) moved.uniform();
    random.set_position(lane, moved.state().position);
  }
}

/// A tally of one score on a mesh of planes along x and y.
struct MeshTally {
  std::vector<double> edges, responses{1.0, 0.25, 0.0};
  Tally tally;
  TallyFilter filter;
  TallyScore score;
  TallyMesh mesh;
  TallyView view;

  MeshTally() {
    mesh.dimensions = 2;
    for (int d = 0; d < 2; ++d) {
      mesh.axis[d] = d;
      mesh.bins[d] = 5 + d;
      mesh.first_edge[d] = static_cast<Index>(edges.size());
      mesh.per_length[d] = mesh.bins[d] / 2.0;
      for (int i = 0; i <= mesh.bins[d]; ++i) edges.push_back(-1.0 + 2.0 * i / mesh.bins[d]);
    }
    filter.bins = 30;
    filter.mesh = 0;
    tally.dividing_filters = tally.scores = 1;
    tally.only_planes = 2;
    view.tallies = {&tally, 1};
    view.groups = 3;
    view.filters = {&filter, 1};
    view.scores = {&score, 1};
    view.meshes = {&mesh, 1};
    view.responses = {responses.data(), 3};
    view.edges = {edges.data(), static_cast<Index>(edges.size())};
  }
};

/// The sums of a tally.
struct Sums {
  std::vector<TallySum> values = std::vector<TallySum>(30);
  TallyFault fault;
  TallySink sink() { return {values.data(), &fault, 0}; }
};

}  // namespace

TEST_CASE("lanes: random numbers are those of each history") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    check_random_lanes<2>(seed);
    check_random_lanes<3>(seed);
  }
}

TEST_CASE("lanes: tracks through a mesh add the same integers as one track after the other") {
  const MeshTally mesh;
  TestRandom random(4);
  Sums expected, found;
  const TallySink sink = found.sink();
  int begun = 0;
  for (int n = 0; n < 2000; ++n) {
    double x[3][lanes], d[3][lanes], weight[lanes], group[lanes], from[lanes], to[lanes];
    TallyState state[lanes];
    for (int i = 0; i < lanes; ++i) {
      Vector3 origin = random.point(1.2), direction = random.direction();
      // Starts on edges, on the outer bound, and flights along them.
      if (n % 5 == 0) origin.x = mesh.edges[static_cast<std::size_t>(random.below(6))];
      if (n % 7 == 0) direction = {0, 0.6, 0.8};
      state[i].origin = origin;
      state[i].direction = direction;
      state[i].weight = weight[i] = random.between(0.5, 1.5);
      state[i].group = random.below(3);
      group[i] = state[i].group;
      from[i] = n % 3 == 0 ? 0.0 : random.between(0, 0.5);
      to[i] = from[i] + random.between(0, 2);
      for (int axis = 0; axis < 3; ++axis) {
        x[axis][i] = component(origin, axis);
        d[axis][i] = component(direction, axis);
      }
      add_track(mesh.view, 0, 1, expected.sink(), state[i], from[i], to[i]);
    }
    const TrackLanes<R> tracks{{load<R>(x[0]), load<R>(x[1]), load<R>(x[2])},
                               {load<R>(d[0]), load<R>(d[1]), load<R>(d[2])},
                               load<R>(weight),
                               load<R>(group),
                               load<R>(from),
                               load<R>(to)};
    const Index rows[lanes] = {};
    const auto all = mask_from_bits<R>((1u << lanes) - 1);
    const unsigned done = lane_bits(add_plane_tracks<2>(mesh.view, 0, sink, tracks, rows, all));
    for (int i = 0; i < lanes; ++i) {
      if ((done >> i & 1) != 0)
        ++begun;
      else
        add_track(mesh.view, 0, 1, found.sink(), state[i], from[i], to[i]);
    }
  }
  CHECK(begun > 1000);
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    CHECK(found.values[i].low == expected.values[i].low);
    CHECK(found.values[i].high == expected.values[i].high);
    CHECK(found.values[i].low != 0);
  }
}
