// Tracks through meshes: compared with intersections that are found one by one in higher precision;
// the sums are equal to the last bit wherever else a track is divided.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <doctest/doctest.h>

#include "tests/unit/transport/tallies/tallies_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

using Wide = long double;

struct Flight {
  Vector3 origin, direction;
  double from = 0, to = 0;
};

/// Random flights: from random positions, along axes, from the corners of bins, and through the
/// axis.
Flight random_flight(TestRandom& random) {
  Flight f{random.point(6), random.direction(), 0, 0};
  const int kind = random.below(8);
  if (kind == 1) f.direction = {0, random.uniform() < 0.5 ? -1.0 : 1.0, 0};
  if (kind == 2) f.direction = {0, 0, -1};
  if (kind == 3)
    f.origin = {std::floor(f.origin.x), std::floor(f.origin.y), std::floor(f.origin.z)};
  if (kind == 4) f.origin = {0, 0, f.origin.z};
  if (kind == 5) f.direction = {0.6, 0.8, 0};
  f.from = random.uniform() < 0.5 ? 0.0 : random.between(0, 5);
  f.to = f.from + random.between(0, 15);
  return f;
}

Wide along(const Flight& f, int axis, Wide path) {
  const double o[] = {f.origin.x, f.origin.y, f.origin.z};
  const double d[] = {f.direction.x, f.direction.y, f.direction.z};
  return static_cast<Wide>(o[axis]) + path * static_cast<Wide>(d[axis]);
}

Index bin_in(const std::vector<double>& bounds, Wide x) {
  if (bounds.empty()) return 0;
  if (!(x >= static_cast<Wide>(bounds.front()) && x < static_cast<Wide>(bounds.back()))) return -1;
  Index bin = 0;
  while (x >= static_cast<Wide>(bounds[static_cast<std::size_t>(bin) + 1])) ++bin;
  return bin;
}

/// Path lengths by bin, from the cuts that `add_cuts` appends and the bin at the middle of each
/// piece.
std::vector<double> lengths(const Flight& f, Index bins,
                            const std::function<void(std::vector<Wide>&)>& add_cuts,
                            const std::function<Index(Wide path)>& bin) {
  std::vector<Wide> cuts{f.from, f.to};
  add_cuts(cuts);
  std::sort(cuts.begin(), cuts.end());
  std::vector<Wide> found(static_cast<std::size_t>(bins), 0);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const Wide a = std::max(cuts[i], static_cast<Wide>(f.from));
    const Wide b = std::min(cuts[i + 1], static_cast<Wide>(f.to));
    if (!(a < b)) continue;
    const Index at = bin((a + b) / 2);
    if (at >= 0) found[static_cast<std::size_t>(at)] += b - a;
  }
  return {found.begin(), found.end()};
}

void check_flights(const TallySystem& system, std::uint64_t stream, int flights, double tolerance,
                   const std::function<std::vector<double>(const Flight&)>& expected) {
  TallySet set = system.set();
  TestRandom random(stream);
  double worst = 0, longest = 0;
  for (int i = 0; i < flights; ++i) {
    const Flight f = random_flight(random);
    TallyState state;
    state.origin = f.origin;
    state.direction = f.direction;
    state.inverse_speed = 0.5;
    state.time = 1;
    set.drop_batch();
    probe::score_track(set.view(), set.sinks()[0], state, f.from, f.to);
    const std::vector<double> lengths = expected(f);
    for (std::size_t b = 0; b < lengths.size(); ++b) {
      const double found = probe::sum_at(set.sinks()[0], static_cast<Index>(b));
      worst = std::max(worst, std::abs(found - lengths[b]));
      longest = std::max(longest, found);
    }
  }
  CHECK(worst < tolerance);
  CHECK(longest > 0.5);
}

std::vector<double> box_lengths(const Flight& f, const std::vector<double>* bounds) {
  Index bins = 1;
  for (int k = 0; k < 3; ++k)
    if (!bounds[k].empty()) bins *= static_cast<Index>(bounds[k].size()) - 1;
  return lengths(
      f, bins,
      [&](std::vector<Wide>& cuts) {
        for (int k = 0; k < 3; ++k)
          for (const double b : bounds[k]) {
            const Wide slope = along(f, k, 1) - along(f, k, 0);
            if (slope != 0) cuts.push_back((static_cast<Wide>(b) - along(f, k, 0)) / slope);
          }
      },
      [&](Wide path) {
        Index at = 0, stride = 1;
        for (int k = 0; k < 3; ++k) {
          const Index bin = bin_in(bounds[k], along(f, k, path));
          if (bin < 0) return Index{-1};
          at += bin * stride;
          stride *= bounds[k].empty() ? 1 : static_cast<Index>(bounds[k].size()) - 1;
        }
        return at;
      });
}

const std::string flux = "[[tally]]\nname = \"t\"\nscores = [\"flux\"]\nmesh = \"m\"\n";

}  // namespace

TEST_CASE("tallies meshes: tracks through a regular mesh") {
  const TallySystem system(
      "[[mesh]]\nname = \"m\"\nlower_left = [-4.0, -3.0, -5.0]\n"
      "upper_right = [4.0, 3.0, 4.0]\nshape = [8, 5, 3]\n" +
      flux);
  const auto& mesh = system.plan.meshes[0].bounds;
  check_flights(system, 1, 4000, 1e-13,
                [&](const Flight& f) { return box_lengths(f, mesh.data()); });
}

TEST_CASE("tallies meshes: a mesh of two dimensions is unbounded in the third") {
  const TallySystem system(
      "[[mesh]]\nname = \"m\"\nlower_left = [-4.0, -3.0]\n"
      "upper_right = [4.0, 3.0]\nshape = [7, 5]\n" +
      flux);
  const auto& mesh = system.plan.meshes[0].bounds;
  check_flights(system, 2, 2000, 1e-13,
                [&](const Flight& f) { return box_lengths(f, mesh.data()); });
}

TEST_CASE("tallies meshes: tracks through a rectilinear mesh") {
  const TallySystem system(
      "[[mesh]]\nname = \"m\"\nkind = \"rectilinear\"\n"
      "x = [-5.0, -1.0, 0.0, 0.5, 3.0]\ny = [-2.0, 2.5]\n"
      "z = [-4.0, -3.75, 0.0, 6.0]\n" +
      flux);
  const auto& mesh = system.plan.meshes[0].bounds;
  check_flights(system, 3, 4000, 1e-13,
                [&](const Flight& f) { return box_lengths(f, mesh.data()); });
}

namespace {

/// Path lengths in the bins of a cylindrical mesh about the axis through (ox, oy) along z.
std::vector<double> round_lengths(const Flight& f, const MeshConfig& mesh) {
  const Wide ox = mesh.origin.x, oy = mesh.origin.y, oz = mesh.origin.z;
  const Wide degree = std::numbers::pi_v<Wide> / 180;
  const Wide u = along(f, 0, 0) - ox, v = along(f, 1, 0) - oy;
  const Wide du = f.direction.x, dv = f.direction.y, dw = f.direction.z;
  const Wide a = du * du + dv * dv, b = u * du + v * dv;
  return lengths(
      f, mesh.bins(),
      [&](std::vector<Wide>& cuts) {
        if (dw != 0)
          for (const double z : mesh.bounds[2]) cuts.push_back((z - (along(f, 2, 0) - oz)) / dw);
        if (a == 0) return;
        cuts.push_back(-b / a);
        for (const double r : mesh.bounds[0]) {
          const Wide d = b * b - a * (u * u + v * v - static_cast<Wide>(r) * r);
          if (d <= 0) continue;
          cuts.push_back((-b - std::sqrt(d)) / a);
          cuts.push_back((-b + std::sqrt(d)) / a);
        }
        for (const double phi : mesh.bounds[1]) {
          const Wide c = std::cos(phi * degree), s = std::sin(phi * degree);
          const Wide turning = c * dv - s * du;
          if (turning != 0) cuts.push_back((s * u - c * v) / turning);
        }
      },
      [&](Wide path) {
        const Wide x = u + path * du, y = v + path * dv;
        const Index r = bin_in(mesh.bounds[0], std::sqrt(x * x + y * y));
        const Index z = bin_in(mesh.bounds[2], along(f, 2, path) - oz);
        Index phi = 0;
        if (!mesh.bounds[1].empty()) {
          Wide angle = std::atan2(y, x) / degree;
          while (angle < mesh.bounds[1].front()) angle += 360;
          while (angle >= static_cast<Wide>(mesh.bounds[1].front()) + 360) angle -= 360;
          phi = bin_in(mesh.bounds[1], angle);
        }
        if (r < 0 || z < 0 || phi < 0) return Index{-1};
        return r + mesh.bins(0) * (phi + mesh.bins(1) * z);
      });
}

void check_round(const std::string& mesh, std::uint64_t stream) {
  CAPTURE(std::string(mesh));
  const TallySystem system("[[mesh]]\nname = \"m\"\nkind = \"cylindrical\"\n" + mesh + flux);
  // The position where a flight nearly parallel to a half-plane crosses it depends on rounding.
  check_flights(system, stream, 4000, 1e-11,
                [&](const Flight& f) { return round_lengths(f, system.plan.meshes[0]); });
}

}  // namespace

TEST_CASE("tallies meshes: tracks through cylindrical meshes") {
  check_round("r = [0.0, 1.0, 2.0, 4.5]\n", 4);
  check_round("r = [1.0, 2.0, 4.5]\nz = [-3.0, 0.0, 1.0, 4.0]\n", 5);
  check_round("phi = [0.0, 90.0, 180.0, 270.0, 360.0]\n", 6);
  check_round("phi = [-30.0, 45.0, 60.0]\nr = [0.5, 3.0]\norigin = [0.5, -0.25, 1.0]\n", 7);
  check_round("phi = [-260.0, -170.0, 10.0]\n", 8);
  check_round("r = [0.0, 0.5, 3.0, 4.0]\nphi = [0, 30, 60, 120, 200, 360]\nz = [-2.0, 0.5, 3.0]\n",
              9);
}

TEST_CASE("tallies meshes: cylinders about other axes are rotated ones") {
  const std::string body = "r = [0.5, 1.0, 4.0]\nphi = [10.0, 80.0, 200.0]\nz = [-2.0, 0.0, 3.0]\n";
  const auto sums = [&](const std::string& axis, const Vector3& x, const Vector3& d) {
    const TallySystem system("[[mesh]]\nname = \"m\"\nkind = \"cylindrical\"\naxis = \"" + axis +
                             "\"\n" + body + flux);
    TallySet set = system.set();
    TallyState state;
    state.origin = x;
    state.direction = d;
    probe::score_track(set.view(), set.sinks()[0], state, 0, 9);
    std::vector<double> sums;
    for (Index i = 0; i < system.plan.values; ++i) sums.push_back(probe::sum_at(set.sinks()[0], i));
    return sums;
  };
  TestRandom random(10);
  for (int i = 0; i < 200; ++i) {
    const Vector3 x = random.point(4), d = random.direction();
    const auto about_z = sums("z", x, d);
    CHECK(sums("x", {x.z, x.x, x.y}, {d.z, d.x, d.y}) == about_z);
    CHECK(sums("y", {x.y, x.z, x.x}, {d.y, d.z, d.x}) == about_z);
  }
}

TEST_CASE("tallies meshes: time cuts tracks, alone and with a mesh") {
  const std::vector<double> times{1.5, 2.0, 4.0, 6.5};
  const TallySystem system(
      "[[mesh]]\nname = \"m\"\nkind = \"rectilinear\"\nx = [-5.0, 0.0, 3.0]\n" + flux +
      "time = [1.5, 2.0, 4.0, 6.5]\n");
  const std::vector<double> planes{-5, 0, 3};
  check_flights(system, 11, 2000, 1e-13, [&](const Flight& f) {
    return lengths(
        f, 6,
        [&](std::vector<Wide>& cuts) {
          for (const double t : times) cuts.push_back((t - Wide{1}) / Wide{0.5});
          for (const double x : planes)
            if (f.direction.x != 0)
              cuts.push_back((x - static_cast<Wide>(f.origin.x)) / f.direction.x);
        },
        [&](Wide path) {
          const Index x = bin_in(planes, along(f, 0, path)), t = bin_in(times, 1 + path / 2);
          return x < 0 || t < 0 ? Index{-1} : 3 * x + t;
        });
  });
}

TEST_CASE("tallies meshes: sums do not depend on further cuts of a track") {
  for (const char* mesh :
       {"lower_left = [-4.0, -3.0, -5.0]\nupper_right = [4.0, 3.0, 4.0]\nshape = [8, 5, 3]\n",
        "kind = \"cylindrical\"\nr = [0.5, 1.0, 4.0]\nz = [-2.0, 0.0, 3.0]\n",
        "kind = \"cylindrical\"\nr = [0.0, 1.0, 4.0]\nphi = [-180.0, -90.0, 20.0, 60.0, "
        "180.0]\n"}) {
    CAPTURE(std::string(mesh));
    const TallySystem system("[[mesh]]\nname = \"m\"\n" + std::string(mesh) + flux);
    // Tallies of two scores use a different code path.
    const TallySystem second("[[mesh]]\nname = \"m\"\n" + std::string(mesh) +
                             "[[tally]]\nname = \"t\"\nmesh = \"m\"\nscores = [\"flux\", "
                             "\"total\"]\n");
    TallySet whole = system.set(), cut = system.set(), both = second.set();
    TestRandom random(12);
    int different = 0;
    for (int i = 0; i < 3000; ++i) {
      const Flight f = random_flight(random);
      TallyState state;
      state.origin = f.origin;
      state.direction = f.direction;
      state.weight = random.uniform();
      probe::score_track(whole.view(), whole.sinks()[0], state, f.from, f.to);
      std::vector<double> ends{f.from};
      for (int k = 0; k < 5; ++k) ends.push_back(random.between(ends.back(), f.to));
      ends.push_back(f.to);
      for (std::size_t k = 0; k + 1 < ends.size(); ++k)
        probe::score_track(cut.view(), cut.sinks()[0], state, ends[k], ends[k + 1]);
      probe::score_track(both.view(), both.sinks()[0], state, f.from, f.to);
    }
    for (Index v = 0; v < system.plan.values; ++v) {
      different += probe::total(whole.sinks()[0], v, 1) != probe::total(cut.sinks()[0], v, 1);
      different += probe::total(whole.sinks()[0], v, 1) != probe::total(both.sinks()[0], 2 * v, 1);
    }
    CHECK(different == 0);
  }
}

TEST_CASE("tallies meshes: bins add up to the whole, to the last bit") {
  const TallySystem system(
      "[[mesh]]\nname = \"m\"\nlower_left = [-20.0, -20.0, -20.0]\n"
      "upper_right = [20.0, 20.0, 20.0]\nshape = [11, 13, 17]\n" +
      flux + "[[tally]]\nname = \"all\"\nscores = [\"flux\"]\n");
  TallySet set = system.set();
  TestRandom random(13);
  for (int i = 0; i < 2000; ++i) {
    const Flight f = random_flight(random);
    TallyState state;
    state.origin = f.origin;
    state.direction = f.direction;
    state.weight = random.uniform();
    probe::score_track(set.view(), set.sinks()[0], state, f.from, std::min(f.to, 12.0));
  }
  const Index bins = system.plan.tallies[0].values();
  CHECK(probe::total(set.sinks()[0], 0, bins) == probe::total(set.sinks()[0], bins, 1));
  CHECK(probe::sum_at(set.sinks()[0], bins) > 1000);
}
