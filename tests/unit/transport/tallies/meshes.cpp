// Track lengths in the bins of meshes are compared with those from intersections that are computed
// one by one in extended precision. Sums of tallies have the same bits however a track is divided.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <doctest/doctest.h>

#include "tests/unit/transport/tallies/tallies_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

using LongDouble = long double;

struct Track {
  Vector3 origin, direction;
  double from = 0, to = 0;
};

/// Returns a random track: from a random position, along an axis, from the corner of a bin, or
/// through the axis of a cylindrical mesh.
Track random_track(TestRandom& random) {
  Track f{random.point(6), random.direction(), 0, 0};
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

LongDouble coordinate_at(const Track& f, int axis, LongDouble path) {
  const double o[] = {f.origin.x, f.origin.y, f.origin.z};
  const double d[] = {f.direction.x, f.direction.y, f.direction.z};
  return static_cast<LongDouble>(o[axis]) + path * static_cast<LongDouble>(d[axis]);
}

Index bin_in(const std::vector<double>& bounds, LongDouble x) {
  if (bounds.empty()) return 0;
  if (!(x >= static_cast<LongDouble>(bounds.front()) && x < static_cast<LongDouble>(bounds.back())))
    return -1;
  Index bin = 0;
  while (x >= static_cast<LongDouble>(bounds[static_cast<std::size_t>(bin) + 1])) ++bin;
  return bin;
}

/// Returns the track length in each bin. The track is divided at the path lengths that `add_cuts`
/// appends, and `bin` gives the bin at the middle of each part.
std::vector<double> lengths_by_bin(const Track& f, Index bins,
                                   const std::function<void(std::vector<LongDouble>&)>& add_cuts,
                                   const std::function<Index(LongDouble path)>& bin) {
  std::vector<LongDouble> cuts{f.from, f.to};
  add_cuts(cuts);
  std::sort(cuts.begin(), cuts.end());
  std::vector<LongDouble> result(static_cast<std::size_t>(bins), 0);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const LongDouble a = std::max(cuts[i], static_cast<LongDouble>(f.from));
    const LongDouble b = std::min(cuts[i + 1], static_cast<LongDouble>(f.to));
    if (!(a < b)) continue;
    const Index bin_index = bin((a + b) / 2);
    if (bin_index >= 0) result[static_cast<std::size_t>(bin_index)] += b - a;
  }
  return {result.begin(), result.end()};
}

void check_tracks(const TallySystem& system, std::uint64_t stream, int tracks, double tolerance,
                  const std::function<std::vector<double>(const Track&)>& expected) {
  TallySet set = system.set();
  TestRandom random(stream);
  double largest_error = 0, longest = 0;
  for (int i = 0; i < tracks; ++i) {
    const Track f = random_track(random);
    TallyState state;
    state.origin = f.origin;
    state.direction = f.direction;
    state.inverse_speed = 0.5;
    state.time = 1;
    set.drop_batch();
    compiled_kernels::score_track(set.view(), set.sinks()[0], state, f.from, f.to);
    const std::vector<double> lengths_by_bin = expected(f);
    for (std::size_t b = 0; b < lengths_by_bin.size(); ++b) {
      const double result = compiled_kernels::sum_at(set.sinks()[0], static_cast<Index>(b));
      largest_error = std::max(largest_error, std::abs(result - lengths_by_bin[b]));
      longest = std::max(longest, result);
    }
  }
  CHECK(largest_error < tolerance);
  CHECK(longest > 0.5);
}

std::vector<double> box_lengths_by_bin(const Track& f, const std::vector<double>* bounds) {
  Index bins = 1;
  for (int k = 0; k < 3; ++k)
    if (!bounds[k].empty()) bins *= static_cast<Index>(bounds[k].size()) - 1;
  return lengths_by_bin(
      f, bins,
      [&](std::vector<LongDouble>& cuts) {
        for (int k = 0; k < 3; ++k)
          for (const double b : bounds[k]) {
            const LongDouble slope = coordinate_at(f, k, 1) - coordinate_at(f, k, 0);
            if (slope != 0)
              cuts.push_back((static_cast<LongDouble>(b) - coordinate_at(f, k, 0)) / slope);
          }
      },
      [&](LongDouble path) {
        Index bin_index = 0, stride = 1;
        for (int k = 0; k < 3; ++k) {
          const Index bin = bin_in(bounds[k], coordinate_at(f, k, path));
          if (bin < 0) return Index{-1};
          bin_index += bin * stride;
          stride *= bounds[k].empty() ? 1 : static_cast<Index>(bounds[k].size()) - 1;
        }
        return bin_index;
      });
}

const std::string flux = "[[tally]]\nname = \"t\"\nscores = [\"flux\"]\nmesh = \"m\"\n";

}  // namespace

TEST_CASE("tally meshes: track lengths in a regular mesh are exact") {
  const TallySystem system(
      "[[mesh]]\nname = \"m\"\nlower_left = [-4.0, -3.0, -5.0]\n"
      "upper_right = [4.0, 3.0, 4.0]\nshape = [8, 5, 3]\n" +
      flux);
  const auto& mesh = system.plan.meshes[0].bounds;
  check_tracks(system, 1, 4000, 1e-13,
               [&](const Track& f) { return box_lengths_by_bin(f, mesh.data()); });
}

TEST_CASE("tally meshes: a mesh of two dimensions is unbounded along the third") {
  const TallySystem system(
      "[[mesh]]\nname = \"m\"\nlower_left = [-4.0, -3.0]\n"
      "upper_right = [4.0, 3.0]\nshape = [7, 5]\n" +
      flux);
  const auto& mesh = system.plan.meshes[0].bounds;
  check_tracks(system, 2, 2000, 1e-13,
               [&](const Track& f) { return box_lengths_by_bin(f, mesh.data()); });
}

TEST_CASE("tally meshes: track lengths in a rectilinear mesh are exact") {
  const TallySystem system(
      "[[mesh]]\nname = \"m\"\nkind = \"rectilinear\"\n"
      "x = [-5.0, -1.0, 0.0, 0.5, 3.0]\ny = [-2.0, 2.5]\n"
      "z = [-4.0, -3.75, 0.0, 6.0]\n" +
      flux);
  const auto& mesh = system.plan.meshes[0].bounds;
  check_tracks(system, 3, 4000, 1e-13,
               [&](const Track& f) { return box_lengths_by_bin(f, mesh.data()); });
}

namespace {

/// Track lengths in the bins of a cylindrical mesh about an axis along z.
std::vector<double> cylindrical_lengths_by_bin(const Track& f, const MeshConfig& mesh) {
  const LongDouble ox = mesh.origin.x, oy = mesh.origin.y, oz = mesh.origin.z;
  const LongDouble degree = std::numbers::pi_v<LongDouble> / 180;
  const LongDouble u = coordinate_at(f, 0, 0) - ox, v = coordinate_at(f, 1, 0) - oy;
  const LongDouble du = f.direction.x, dv = f.direction.y, dw = f.direction.z;
  const LongDouble a = du * du + dv * dv, b = u * du + v * dv;
  return lengths_by_bin(
      f, mesh.bins(),
      [&](std::vector<LongDouble>& cuts) {
        if (dw != 0)
          for (const double z : mesh.bounds[2])
            cuts.push_back((z - (coordinate_at(f, 2, 0) - oz)) / dw);
        if (a == 0) return;
        cuts.push_back(-b / a);
        for (const double r : mesh.bounds[0]) {
          const LongDouble d = b * b - a * (u * u + v * v - static_cast<LongDouble>(r) * r);
          if (d <= 0) continue;
          cuts.push_back((-b - std::sqrt(d)) / a);
          cuts.push_back((-b + std::sqrt(d)) / a);
        }
        for (const double phi : mesh.bounds[1]) {
          const LongDouble c = std::cos(phi * degree), s = std::sin(phi * degree);
          const LongDouble angular_rate = c * dv - s * du;
          if (angular_rate != 0) cuts.push_back((s * u - c * v) / angular_rate);
        }
      },
      [&](LongDouble path) {
        const LongDouble x = u + path * du, y = v + path * dv;
        const Index r = bin_in(mesh.bounds[0], std::sqrt(x * x + y * y));
        const Index z = bin_in(mesh.bounds[2], coordinate_at(f, 2, path) - oz);
        Index phi = 0;
        if (!mesh.bounds[1].empty()) {
          LongDouble angle = std::atan2(y, x) / degree;
          while (angle < mesh.bounds[1].front()) angle += 360;
          while (angle >= static_cast<LongDouble>(mesh.bounds[1].front()) + 360) angle -= 360;
          phi = bin_in(mesh.bounds[1], angle);
        }
        if (r < 0 || z < 0 || phi < 0) return Index{-1};
        return r + mesh.bins(0) * (phi + mesh.bins(1) * z);
      });
}

void check_cylindrical_mesh(const std::string& mesh, std::uint64_t stream) {
  CAPTURE(std::string(mesh));
  const TallySystem system("[[mesh]]\nname = \"m\"\nkind = \"cylindrical\"\n" + mesh + flux);
  // The intersection of a half-plane with a track nearly parallel to it is sensitive to rounding.
  check_tracks(system, stream, 4000, 1e-11, [&](const Track& f) {
    return cylindrical_lengths_by_bin(f, system.plan.meshes[0]);
  });
}

}  // namespace

TEST_CASE("tally meshes: track lengths in cylindrical meshes are exact") {
  check_cylindrical_mesh("r = [0.0, 1.0, 2.0, 4.5]\n", 4);
  check_cylindrical_mesh("r = [1.0, 2.0, 4.5]\nz = [-3.0, 0.0, 1.0, 4.0]\n", 5);
  check_cylindrical_mesh("phi = [0.0, 90.0, 180.0, 270.0, 360.0]\n", 6);
  check_cylindrical_mesh("phi = [-30.0, 45.0, 60.0]\nr = [0.5, 3.0]\norigin = [0.5, -0.25, 1.0]\n",
                         7);
  check_cylindrical_mesh("phi = [-260.0, -170.0, 10.0]\n", 8);
  check_cylindrical_mesh(
      "r = [0.0, 0.5, 3.0, 4.0]\nphi = [0, 30, 60, 120, 200, 360]\nz = [-2.0, 0.5, 3.0]\n", 9);
}

TEST_CASE("tally meshes: a cylindrical mesh about x or y is that about z, rotated") {
  const std::string body = "r = [0.5, 1.0, 4.0]\nphi = [10.0, 80.0, 200.0]\nz = [-2.0, 0.0, 3.0]\n";
  const auto sums = [&](const std::string& axis, const Vector3& x, const Vector3& d) {
    const TallySystem system("[[mesh]]\nname = \"m\"\nkind = \"cylindrical\"\naxis = \"" + axis +
                             "\"\n" + body + flux);
    TallySet set = system.set();
    TallyState state;
    state.origin = x;
    state.direction = d;
    compiled_kernels::score_track(set.view(), set.sinks()[0], state, 0, 9);
    std::vector<double> sums;
    for (Index i = 0; i < system.plan.values; ++i)
      sums.push_back(compiled_kernels::sum_at(set.sinks()[0], i));
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

TEST_CASE("tally meshes: bins of time divide tracks, also together with a mesh") {
  const std::vector<double> times{1.5, 2.0, 4.0, 6.5};
  const TallySystem system(
      "[[mesh]]\nname = \"m\"\nkind = \"rectilinear\"\nx = [-5.0, 0.0, 3.0]\n" + flux +
      "time = [1.5, 2.0, 4.0, 6.5]\n");
  const std::vector<double> planes{-5, 0, 3};
  check_tracks(system, 11, 2000, 1e-13, [&](const Track& f) {
    return lengths_by_bin(
        f, 6,
        [&](std::vector<LongDouble>& cuts) {
          for (const double t : times) cuts.push_back((t - LongDouble{1}) / LongDouble{0.5});
          for (const double x : planes)
            if (f.direction.x != 0)
              cuts.push_back((x - static_cast<LongDouble>(f.origin.x)) / f.direction.x);
        },
        [&](LongDouble path) {
          const Index x = bin_in(planes, coordinate_at(f, 0, path)),
                      t = bin_in(times, 1 + path / 2);
          return x < 0 || t < 0 ? Index{-1} : 3 * x + t;
        });
  });
}

TEST_CASE("tally meshes: sums do not depend on further divisions of a track") {
  for (const char* mesh :
       {"lower_left = [-4.0, -3.0, -5.0]\nupper_right = [4.0, 3.0, 4.0]\nshape = [8, 5, 3]\n",
        "kind = \"cylindrical\"\nr = [0.5, 1.0, 4.0]\nz = [-2.0, 0.0, 3.0]\n",
        "kind = \"cylindrical\"\nr = [0.0, 1.0, 4.0]\nphi = [-180.0, -90.0, 20.0, 60.0, "
        "180.0]\n"}) {
    CAPTURE(std::string(mesh));
    const TallySystem system("[[mesh]]\nname = \"m\"\n" + std::string(mesh) + flux);
    // Tallies of two scores use a different code path.
    const TallySystem two_score_system("[[mesh]]\nname = \"m\"\n" + std::string(mesh) +
                                       "[[tally]]\nname = \"t\"\nmesh = \"m\"\nscores = [\"flux\", "
                                       "\"total\"]\n");
    TallySet undivided = system.set(), divided = system.set(), two_scores = two_score_system.set();
    TestRandom random(12);
    int different = 0;
    for (int i = 0; i < 3000; ++i) {
      const Track f = random_track(random);
      TallyState state;
      state.origin = f.origin;
      state.direction = f.direction;
      state.weight = random.uniform();
      compiled_kernels::score_track(undivided.view(), undivided.sinks()[0], state, f.from, f.to);
      std::vector<double> division_points{f.from};
      for (int k = 0; k < 5; ++k)
        division_points.push_back(random.between(division_points.back(), f.to));
      division_points.push_back(f.to);
      for (std::size_t k = 0; k + 1 < division_points.size(); ++k)
        compiled_kernels::score_track(divided.view(), divided.sinks()[0], state, division_points[k],
                                      division_points[k + 1]);
      compiled_kernels::score_track(two_scores.view(), two_scores.sinks()[0], state, f.from, f.to);
    }
    for (Index v = 0; v < system.plan.values; ++v) {
      different += compiled_kernels::total(undivided.sinks()[0], v, 1) !=
                   compiled_kernels::total(divided.sinks()[0], v, 1);
      different += compiled_kernels::total(undivided.sinks()[0], v, 1) !=
                   compiled_kernels::total(two_scores.sinks()[0], 2 * v, 1);
    }
    CHECK(different == 0);
  }
}

TEST_CASE("tally meshes: the bins of a mesh add up to the total to the last bit") {
  const TallySystem system(
      "[[mesh]]\nname = \"m\"\nlower_left = [-20.0, -20.0, -20.0]\n"
      "upper_right = [20.0, 20.0, 20.0]\nshape = [11, 13, 17]\n" +
      flux + "[[tally]]\nname = \"all\"\nscores = [\"flux\"]\n");
  TallySet set = system.set();
  TestRandom random(13);
  for (int i = 0; i < 2000; ++i) {
    const Track f = random_track(random);
    TallyState state;
    state.origin = f.origin;
    state.direction = f.direction;
    state.weight = random.uniform();
    compiled_kernels::score_track(set.view(), set.sinks()[0], state, f.from, std::min(f.to, 12.0));
  }
  const Index bins = system.plan.tallies[0].values();
  CHECK(compiled_kernels::total(set.sinks()[0], 0, bins) ==
        compiled_kernels::total(set.sinks()[0], bins, 1));
  CHECK(compiled_kernels::sum_at(set.sinks()[0], bins) > 1000);
}
