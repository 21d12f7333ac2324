// Random geometries: volumes by three methods must agree, and so must transport with all kinds of
// tracking, capture and estimators.

#include <cmath>

#include "src/modules/transport/geometry/volumes/traced_volumes.hpp"
#include "src/modules/transport/transport_module.hpp"
#include "support/module_runs.hpp"
#include "tests/unit/transport/geometry/geometry_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

const StreamId stream{12, Purpose::test};

/// Configuration of a subcritical system of two groups with P1 scattering and a source in a corner
/// of a random geometry. `run_keys` are keys of [transport].
std::string system_config(std::uint64_t seed, const std::string& run_keys) {
  return "[transport]\nmode = \"fixed_source\"\nparticles = 500\nbatches = 40\n" + run_keys +
         "[[source]]\nspace = {kind = \"box\", lower = [-2.0, -2.0, -2.0], "
         "upper = [0.5, 1.0, 1.5]}\nenergy = {kind = \"group\", group = 1}\n"
         "[[material]]\nname = \"fuel\"\nfission = [0.02, 0.1]\ncapture = [0.05, 0.2]\n"
         "nu = [2.5, 2.4]\nchi = [1.0, 0.0]\nscatter = [[0.3, 0.1], [0.0, 0.5]]\n"
         "[[material]]\nname = \"water\"\ncapture = [0.01, 0.05]\n"
         "scatter = [[0.4, 0.5], [0.0, 1.2]]\nscatter_l1 = [[0.1, 0.1], [0.0, 0.3]]\n"
         "[[material]]\nname = \"steel\"\ncapture = [0.2, 0.9]\n"
         "scatter = [[0.6, 0.02], [0.0, 0.4]]\n" +
         random_geometry(seed, {"fuel", "water", "void", "steel"}) +
         "[[mesh]]\nname = \"m\"\nlower_left = [-2.0, -2.0, -2.0]\n"
         "upper_right = [2.0, 2.0, 2.0]\nshape = [2, 2, 2]\n"
         "[[tally]]\nname = \"rates\"\nscores = [\"absorption\", \"nu-fission\"]\n"
         "materials = [\"fuel\", \"water\", \"steel\"]\nenergy = \"groups\"\n"
         "estimator = \"collision\"\n"
         "[[tally]]\nname = \"map\"\nscores = [\"flux\"]\nmesh = \"m\"\n";
}
/// A tally of scores that need the materials along tracks, which only surface tracking has.
const char* const track_tally =
    "[[tally]]\nname = \"tracks\"\nscores = [\"absorption\", \"nu-fission\"]\n"
    "materials = [\"fuel\", \"water\", \"steel\"]\nenergy = \"groups\"\n"
    "estimator = \"track_length\"\n";

struct Values {
  std::vector<double> mean, error;

  void add(const test::Outcome& outcome, const std::string& mean_at, const std::string& error_at) {
    const auto m = outcome.numbers(mean_at), e = outcome.numbers(error_at);
    mean.insert(mean.end(), m.begin(), m.end());
    error.insert(error.end(), e.begin(), e.end());
  }
};
/// Leakage and fission neutrons, reaction rates of `tally`, and fluxes of the mesh.
Values values_of(const test::Outcome& outcome, const std::string& tally) {
  Values v;
  v.add(outcome, "estimates/mean", "estimates/standard_error");
  for (const std::string& path :
       {"tallies/" + tally + "/absorption", "tallies/" + tally + "/nu-fission",
        std::string("tallies/map/flux")})
    v.add(outcome, path, path + "_standard_error");
  return v;
}

/// Differences between results in units of their combined standard error.
struct Comparison {
  double sum = 0, largest = 0;
  int count = 0;

  void add(const Values& a, const Values& b) {
    REQUIRE(a.mean.size() == b.mean.size());
    for (std::size_t i = 0; i < a.mean.size(); ++i) {
      const double error = std::hypot(a.error[i], b.error[i]);
      const double difference = std::abs(a.mean[i] - b.mean[i]);
      if (error == 0) {
        CHECK(difference == 0);
        continue;
      }
      sum += difference * difference / (error * error);
      largest = std::max(largest, difference / error);
      ++count;
    }
  }
};

/// Returns seeds of random geometries without empty cells.
std::vector<std::uint64_t> valid_seeds(std::size_t count) {
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t seed = 500; seeds.size() < count; ++seed) {
    try {
      geometry_of(random_geometry(seed));
    } catch (const ConfigError&) {
      continue;
    }
    seeds.push_back(seed);
  }
  return seeds;
}

}  // namespace

TEST_CASE("random systems: volumes by rays, random points and a grid of points agree") {
  const SampleBox box{{-2, -2, -2}, {2, 2, 2}};
  ThreadPool pool(2);
  int compared = 0;
  for (const std::uint64_t seed : valid_seeds(12)) {
    CAPTURE(seed);
    const Geometry geometry = geometry_of(random_geometry(seed));
    const PointCounts points = sample_points(geometry, pool, box, {0, 40000}, stream);
    CHECK(points.faults.empty());
    const ChordSums chords = trace_rays(geometry, pool, box, 2, {0, 10000}, stream);
    CHECK(chords.lost == 0);
    const std::vector<VolumeEstimate> ray_volumes = volumes_of(chords, box);
    // Cell searches at the centres of a regular grid, whose error is at most that of as many random
    // points.
    constexpr int n = 40;
    std::vector<Index> hits(geometry.cells.size());
    const GeometryView g = geometry.view();
    for (int i = 0; i < n * n * n; ++i) {
      const double h = 4.0 / n;
      const Vector3 x{-2 + h * (i % n + 0.5), -2 + h * (i / n % n + 0.5),
                      -2 + h * (i / n / n + 0.5)};
      ++hits[static_cast<std::size_t>(
          compiled_kernels::cell_at(g, x, Vector3{0.48, 0.6, 0.64}).cell)];
    }
    for (std::size_t c = 0; c < hits.size(); ++c) {
      CAPTURE(c);
      const VolumeEstimate sampled = volume_of(points.in_cell[c], points.points, box);
      const VolumeEstimate counted = volume_of(hits[c], n * n * n, box);
      CHECK(std::abs(ray_volumes[c].mean - sampled.mean) <=
            4 * std::hypot(ray_volumes[c].error, sampled.error) + 0.002);
      CHECK(std::abs(counted.mean - sampled.mean) <=
            4 * std::hypot(counted.error, sampled.error) + 0.002);
      ++compared;
    }
  }
  CHECK(compared > 30);
}

TEST_CASE(
    "random systems: kinds of capture, tracking and estimators agree, and decomposed runs have the "
    "same bits") {
  Comparison comparison;
  std::uint64_t seed = 0;
  const auto run = [&](const std::string& text, std::uint64_t run_seed) {
    // All 40 batches on one rank of two threads.
    return test::run<TransportModule>(text, 1, 0, 40, 40, nullptr, 2, {}, run_seed);
  };
  for (const std::uint64_t geometry_seed : valid_seeds(4)) {
    CAPTURE(geometry_seed);
    const std::string implicit = "capture = \"implicit\"\n", analog = "capture = \"analog\"\n",
                      delta = "tracking = \"delta\"\n";
    const std::string first = system_config(geometry_seed, implicit) + track_tally;
    const test::Outcome surface = run(first, ++seed);
    const Values reference = values_of(surface, "tracks");
    comparison.add(values_of(run(system_config(geometry_seed, analog), ++seed), "rates"),
                   reference);
    comparison.add(
        values_of(run(system_config(geometry_seed, analog) + track_tally, ++seed), "tracks"),
        reference);
    comparison.add(values_of(run(system_config(geometry_seed, delta + implicit), ++seed), "rates"),
                   reference);
    comparison.add(values_of(run(system_config(geometry_seed, delta + analog), ++seed), "rates"),
                   reference);
    const std::string decomposed = "domain = \"decomposed\"\n";
    // The same on three ranks of one thread each.
    const test::Outcome decomposed_run = test::run<TransportModule>(
        system_config(geometry_seed, decomposed + implicit) + track_tally, 3, 0, 40, 40, nullptr, 1,
        {}, seed - 4);  // the seed of `surface`, after which four runs have increased it
    CHECK(decomposed_run.digest == surface.digest);
    CHECK(decomposed_run.results == surface.results);
  }
  CAPTURE(comparison.sum / comparison.count);
  CHECK(comparison.count > 200);
  CHECK(comparison.largest < 4.5);
  // The values of a run are correlated: their effective number is about a fifth of their number.
  CHECK(comparison.sum / comparison.count < 1 + 3.5 * std::sqrt(2 * 5.0 / comparison.count));
}
