// Weight windows: splitting and roulette, generation from a flux, and comparison with closed forms
// and with runs without windows.

#include "src/modules/transport/variance_reduction/weight_windows.hpp"

#include <cmath>
#include <string>

#include "gsim/io/result_file.hpp"
#include "gsim/transport/history_random.hpp"
#include "kernels/transport/variance_reduction/population.hpp"
#include "src/modules/transport/transport_module.hpp"
#include "support/messages.hpp"
#include "support/module_runs.hpp"
#include "support/scratch_folder.hpp"
#include "support/test_executor.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

/// Configuration of a slab of `layers` cells, each 1 cm and one mean free path thick, which a beam
/// enters at x = 0. A dense sphere beside the beam makes delta tracking have virtual collisions.
/// `run_keys` are keys of [transport], `tables` further tables.
std::string slab_config(int layers, double scatter, const std::string& run_keys,
                        const std::string& tables = {}) {
  const std::string end = std::to_string(layers);
  std::string text =
      "[transport]\nmode = \"fixed_source\"\nparticles = 1000\nbatches = 20\n" + run_keys +
      "[[material]]\nname = \"wall\"\ntotal = [1.0]\nscatter = [[" + std::to_string(scatter) +
      "]]\n[[box]]\nname = \"b\"\nlower = [0.0, -1.0, -1.0]\nupper = [" + end +
      ".0, 1.0, 1.0]\nboundaries = [\"vacuum\", \"vacuum\", \"reflective\", \"reflective\", "
      "\"reflective\", \"reflective\"]\n"
      "[[source]]\nspace = {kind = \"point\", position = [1e-6, 0.0, 0.0]}\n"
      "angle = {kind = \"beam\", axis = [1.0, 0.0, 0.0]}\n"
      "[[tally]]\nname = \"out\"\nscores = [\"current\"]\nsurfaces = [\"b.x_max\"]\n";
  for (int i = 1; i < layers; ++i)
    text += "[[surface]]\nname = \"p" + std::to_string(i) +
            "\"\nkind = \"x_plane\"\nx = " + std::to_string(i) + ".0\n";
  for (int i = 0; i < layers; ++i) {
    std::string region = "-b +ball";
    if (i > 0) region += " +p" + std::to_string(i);
    if (i < layers - 1) region += " -p" + std::to_string(i + 1);
    text += "[[cell]]\nname = \"c" + std::to_string(i) + "\"\nregion = \"" + region +
            "\"\nfill = \"wall\"\n";
  }
  return text + "[[material]]\nname = \"lead\"\ntotal = [4.0]\nscatter = [[" +
         std::to_string(4 * scatter) +
         "]]\n[[surface]]\nname = \"ball\"\nkind = \"sphere\"\ncenter = [1.5, 0.6, 0.6]\n"
         "radius = 0.3\n[[cell]]\nname = \"ball\"\nregion = \"-ball\"\nfill = \"lead\"\n" +
         tables;
}

/// Planes between the layers, and lower bounds that decrease by exp(-`slope`) from layer to layer,
/// of 0.3 exp(-slope x) in the middle x of a layer.
std::string given_windows(int layers, double slope) {
  std::string planes, bounds;
  for (int i = 0; i <= layers; ++i) planes += (i > 0 ? ", " : "") + std::to_string(i) + ".0";
  for (int i = 0; i < layers; ++i)
    bounds += (i > 0 ? ", [" : "[") + std::to_string(0.3 * std::exp(-slope * (i + 0.5))) + "]";
  return "[weight_windows]\nx = [" + planes + "]\nlower = [" + bounds + "]\n";
}
std::string generated_windows(int layers, const std::string& generator) {
  return "[[mesh]]\nname = \"layers\"\nlower_left = [0.0]\nupper_right = [" +
         std::to_string(layers) + ".0]\nshape = [" + std::to_string(layers) +
         "]\n[weight_windows]\nmesh = \"layers\"\ngenerator = {" + generator + "}\n";
}

struct Transmission {
  double mean, error;
  double flights;  ///< in active batches
};
/// Runs a configuration and returns the result of its tally `out`.
Transmission transmission(const std::string& text, Index batches = 20) {
  const test::Outcome outcome = test::run<TransportModule>(text, 1, 0, batches, batches);
  const auto& flights = outcome.results.datasets.at("batches/flights");
  std::int64_t count = 0;
  std::memcpy(&count, flights.bytes.data(), sizeof count);
  return {outcome.numbers("tallies/out/current").front(),
          outcome.numbers("tallies/out/current_standard_error").front(),
          static_cast<double>(count)};
}
/// The figure of merit 1 / (relative error^2 x number of flights).
double figure_of_merit(const Transmission& f) {
  return f.mean * f.mean / (f.error * f.error * f.flights);
}

}  // namespace

TEST_CASE("weight windows: splitting and roulette move weights into the window without bias") {
  WindowView w;
  w.upper_ratio = 4;
  w.survival_ratio = 2;
  w.max_split = 6;
  transport_kernels::HistoryRandom random(stream_key({1, Purpose::transport_history}), 3);
  for (const double weight : {1e-3, 0.03, 0.09, 0.1, 0.2, 0.4, 0.41, 1.7, 2.4, 50.0}) {
    constexpr int trials = 40000;
    double sum = 0, sum_of_squares = 0;
    for (int i = 0; i < trials; ++i) {
      const auto p = transport_kernels::apply_window(w, 0.1, weight, random);
      if (p.count > 0) {
        CHECK(p.weight >= 0.1);
        // At larger weights the largest allowed number of copies is not sufficient.
        if (weight < 2.4) CHECK(p.weight <= 0.4);
      }
      CHECK(p.count <= 6);
      const double total_weight = p.count * p.weight;
      sum += total_weight;
      sum_of_squares += total_weight * total_weight;
    }
    const double mean = sum / trials;
    const double error = std::sqrt(std::max(0.0, sum_of_squares / trials - mean * mean) / trials);
    CAPTURE(weight);
    CHECK(std::abs(mean - weight) <= 3.5 * error + 1e-12 * weight);
  }
  // Without an upper bound (a negative lower bound) there is no splitting.
  CHECK(transport_kernels::apply_window(w, -0.1, 50.0, random).count == 1);
  CHECK(transport_kernels::apply_window(w, -0.1, 50.0, random).weight == 50.0);
}

TEST_CASE("weight windows: generated lower bounds are proportional to the flux") {
  MeshConfig mesh;
  mesh.bounds[0] = {0, 1, 3};
  mesh.bounds[2] = {0, 2, 3};
  // Boxes (x, z) of volumes 2, 4, 1, 2; two groups.
  const std::vector<double> flux{8, 1, 4, 8, 2, 0, 2, 1}, error{0.1, 0.1, 0.1, 0.1, 1, 0, 3, 0.1};
  const auto lower = magic_windows(mesh, 2, 3, 0.5, flux, error);
  const double largest_bound = 2.0 / (3 + 1);
  // Fluxes of group 1: 4, 1, 2, and one with a relative error of 150 %, which is not used; of group
  // 2: 0.5, 2, 0, 0.5.
  const std::vector<double> expected{largest_bound,
                                     largest_bound / 4,
                                     largest_bound / 4,
                                     largest_bound,
                                     largest_bound / 2,
                                     0,
                                     0,
                                     largest_bound / 4};
  REQUIRE(lower.size() == expected.size());
  for (std::size_t i = 0; i < lower.size(); ++i) CHECK(lower[i] == doctest::Approx(expected[i]));
  // Boxes without a window have the smallest lower bound, with a negative sign for no upper bound.
  WindowsConfig config;
  config.mesh = mesh;
  config.lower = lower;
  const WeightWindows windows(Executor::host(1), config, 2);
  CHECK(windows.count() == 6);
  CHECK(transport_kernels::window_at(windows.view(), {0.5, -7, 2.5}, 1) == -largest_bound / 4);
  CHECK(transport_kernels::window_at(windows.view(), {2.5, 1e9, 1.5}, 1) == largest_bound);
  CHECK(transport_kernels::window_at(windows.view(), {3.5, 0, 1}, 0) == 0);
}

TEST_CASE("weight windows: transmission of a beam through 12 mean free paths is exp(-12)") {
  // One of 160000 particles passes. Delta tracking applies windows at possible collisions, surface
  // tracking at entries into cells and at planes.
  const double expected = std::exp(-12.0);
  for (const char* tracking : {"surface", "delta"}) {
    const std::string run_keys = "tracking = \"" + std::string(tracking) + "\"\n";
    const Transmission result = transmission(slab_config(12, 0, run_keys, given_windows(12, 1)));
    CAPTURE(tracking);
    CAPTURE(result.mean / expected);
    CAPTURE(result.error / expected);
    CHECK(std::abs(result.mean - expected) < 3.5 * result.error);
    CHECK(result.error < 0.05 * expected);
  }
}

TEST_CASE(
    "weight windows: a path has the window that it enters, and the distance to its next plane") {
  MeshConfig mesh;
  mesh.bounds[0] = {0, 1, 3};
  mesh.bounds[2] = {-1, 0, 0.5};
  WindowsConfig config;
  config.mesh = mesh;
  config.lower = {1, 2, 3, 4};
  const WeightWindows windows(Executor::host(1), config, 1);
  const WindowView w = windows.view();
  using transport_kernels::window_ahead;
  const auto check_window = [&](const Vector3& x, const Vector3& d, double lower, double distance) {
    CAPTURE(x.x);
    CAPTURE(d.x);
    const auto ahead = window_ahead(w, x, d, 0);
    CHECK(ahead.lower == lower);
    if (std::isfinite(distance))
      CHECK(ahead.distance == doctest::Approx(distance).epsilon(1e-12));
    else
      CHECK(ahead.distance == distance);
  };
  const double infinity = HUGE_VAL;
  check_window({0.25, 9, -0.5}, {1, 0, 0}, 1, 0.75);
  check_window({0.25, 9, -0.5}, {0.6, 0, 0.8}, 1, 0.625);
  check_window({0.25, 9, -0.5}, {0, 1, 0}, 1, infinity);
  // On a plane, up to rounding, the window is the one that the path enters.
  for (const double rounding : {-1e-15, 0.0, 1e-15}) {
    check_window({1 + rounding, 0, -0.5}, {1, 0, 0}, 2, 2);
    check_window({1 + rounding, 0, -0.5}, {-1, 0, 0}, 1, 1);
    check_window({3 + rounding, 0, -0.5}, {1, 0, 0}, 0, infinity);
    check_window({3 + rounding, 0, -0.5}, {-1, 0, 0}, 2, 2);
    check_window({0 + rounding, 0, 0.25}, {1, 0, 0}, 3, 1);
  }
  // From outside, towards the mesh or away from it.
  check_window({-2, 0, 0.25}, {1, 0, 0}, 0, 2);
  check_window({-2, 0, 0.25}, {-1, 0, 0}, 0, infinity);
}

TEST_CASE(
    "weight windows: a beam and a point source in a single absorbing cell agree with closed "
    "forms") {
  // The transmission of a beam is exp(-12), and the transmission of a plane source is E2 / 2 with
  // the exponential integral E2, since half of its particles start backwards: E2(8) = 3.4137645e-05
  // (M. Abramowitz and I. Stegun, table 5.4).
  const auto absorber_slab = [](int depth, const std::string& tables) {
    return "[transport]\nmode = \"fixed_source\"\nparticles = 2000\nbatches = 20\n"
           "[[material]]\nname = \"wall\"\ntotal = [1.0]\nscatter = [[0.0]]\n"
           "[[box]]\nname = \"b\"\nlower = [0.0, -1.0, -1.0]\nupper = [" +
           std::to_string(depth) +
           ".0, 1.0, 1.0]\nboundaries = [\"vacuum\", \"vacuum\", \"reflective\", "
           "\"reflective\", \"reflective\", \"reflective\"]\n"
           "[[cell]]\nname = \"c\"\nregion = \"-b\"\nfill = \"wall\"\n"
           "[[source]]\nspace = {kind = \"point\", position = [1e-9, 0.0, 0.0]}\n"
           "[[tally]]\nname = \"out\"\nscores = [\"current\"]\nsurfaces = [\"b.x_max\"]\n" +
           tables;
  };
  const Transmission beam =
      transmission(absorber_slab(12, given_windows(12, 1))
                       .replace(absorber_slab(12, "").find("[[tally]]"), 0,
                                "angle = {kind = \"beam\", axis = [1.0, 0.0, 0.0]}\n"));
  CHECK(std::abs(beam.mean - std::exp(-12.0)) < 3.5 * beam.error);
  CHECK(beam.error < 0.05 * std::exp(-12.0));
  const Transmission point = transmission(absorber_slab(8, given_windows(8, 1.1)));
  const double expected = 3.4137645e-05 / 2;
  CAPTURE(point.mean / expected);
  CAPTURE(point.error / expected);
  CHECK(std::abs(point.mean - expected) < 3.5 * point.error);
  CHECK(point.error < 0.1 * expected);
}

TEST_CASE("weight windows: runs with and without them agree") {
  for (const char* tracking : {"surface", "delta"})
    for (const char* capture : {"implicit", "analog"}) {
      const std::string run_keys = "tracking = \"" + std::string(tracking) + "\"\ncapture = \"" +
                                   std::string(capture) + "\"\n";
      const Transmission without_windows = transmission(slab_config(4, 0.7, run_keys));
      const Transmission with_given_windows =
          transmission(slab_config(4, 0.7, run_keys, given_windows(4, 0.6)));
      const Transmission with_generated_windows = transmission(
          slab_config(4, 0.7, run_keys, generated_windows(4, "iterations = 2, batches = 3")), 26);
      CAPTURE(tracking);
      CAPTURE(capture);
      for (const Transmission& result : {with_given_windows, with_generated_windows}) {
        CAPTURE(without_windows.mean);
        CAPTURE(result.mean);
        CAPTURE(std::hypot(without_windows.error, result.error));
        CHECK(std::abs(without_windows.mean - result.mean) <
              3.5 * std::hypot(without_windows.error, result.error));
      }
    }
}

TEST_CASE("weight windows: generated windows increase the figure of merit of deep penetration") {
  // 10 mean free paths, half of the collisions are scattering.
  for (const char* tracking : {"surface", "delta"}) {
    const std::string run_keys = "tracking = \"" + std::string(tracking) + "\"\n";
    const Transmission without_windows = transmission(slab_config(10, 0.5, run_keys));
    const Transmission with_generated_windows = transmission(
        slab_config(10, 0.5, run_keys, generated_windows(10, "iterations = 6, batches = 4")), 44);
    CAPTURE(tracking);
    CAPTURE(without_windows.mean);
    CAPTURE(with_generated_windows.mean);
    CHECK(std::abs(without_windows.mean - with_generated_windows.mean) <
          3.5 * std::hypot(without_windows.error, with_generated_windows.error));
    CAPTURE(figure_of_merit(without_windows));
    CAPTURE(figure_of_merit(with_generated_windows));
    CHECK(figure_of_merit(with_generated_windows) > 5 * figure_of_merit(without_windows));
  }
}

TEST_CASE(
    "weight windows: the same bits on any ranks and threads, also restarted during generation") {
  for (const char* tracking : {"surface", "delta"}) {
    std::string text =
        slab_config(6, 0.5, "tracking = \"" + std::string(tracking) + "\"\n",
                    generated_windows(6, "iterations = 3, batches = 2, particles = 500"));
    text.replace(text.find("batches = 20"), 12, "batches = 4");
    const test::Outcome reference = test::run<TransportModule>(text, 1, 0, 10, 10);
    for (const int ranks : {2, 3, 7})
      test::check_outcome_is_reproduced<TransportModule>(text, reference, ranks, 10, 4,
                                                         ranks % 2 == 0 ? 3 : 8);
    // With domain decomposition.
    text.insert(text.find("particles"), "domain = \"decomposed\"\n");
    test::check_outcome_is_reproduced<TransportModule>(text, reference, /*ranks=*/4, 10, 4, 3);
  }
}

TEST_CASE("weight windows: the work plan includes the batches that generate them") {
  std::string text =
      slab_config(6, 0.5, "", generated_windows(6, "iterations = 3, batches = 2, particles = 500"));
  ConfigFile file = ConfigFile::parse(text, "test.toml");
  TransportModule module;
  configure(module, file);
  const WorkPlan plan = module.plan(Context{Communicator::self(), Executor::host(1)});
  CHECK(plan.total_units == 26);
  CHECK(26 * plan.items_per_unit == doctest::Approx(20 * 1000 + 6 * 500));
  CHECK(plan.notes.back().find("3 times, in 2 batches of 500 particles") != std::string::npos);
}

TEST_CASE("weight windows: windows are read from the results of another run") {
  const test::ScratchFolder folder;
  const std::string path = folder / "run.h5";
  const std::string run_keys = "tracking = \"delta\"\n";
  std::string with_generated_windows =
      slab_config(6, 0.5, run_keys, generated_windows(6, "iterations = 2, batches = 3"));
  with_generated_windows.insert(with_generated_windows.find("[weight_windows]\n") + 17,
                                "upper_ratio = 8.0\nsurvival_ratio = 2.0\n");
  const Transmission first = transmission(with_generated_windows, 26);
  {
    TransportModule module;
    ConfigFile file = ConfigFile::parse(with_generated_windows, "test.toml");
    configure(module, file);
    Context context{Communicator::self(), gsim::test::test_executor(1)};
    context.seed = 7;
    module.plan(context);
    module.prepare();
    module.advance(0, 26);
    module.evaluate(26);
    ResultFile results(Communicator::self(), path);
    module.write_results(results);
    results.commit();
  }
  // The active batches have the same bits.
  const Transmission second =
      transmission(slab_config(6, 0.5, run_keys, "[weight_windows]\nfile = \"" + path + "\"\n"));
  CHECK(second.mean == first.mean);
  CHECK(second.error == first.error);
}

TEST_CASE("weight windows: invalid configurations are refused") {
  const auto check_refused = [](const std::string& tables, const char* expected) {
    const std::string message =
        test::config_error_message<TransportModule>(slab_config(3, 0.5, "", tables));
    CAPTURE(tables);
    CHECK_MESSAGE(message.find(expected) != std::string::npos, message);
  };
  const std::string table = "[weight_windows]\n", mesh = "x = [0.0, 1.0, 3.0]\n";
  check_refused(table, "windows come from one of `lower`, `file` and `generator`");
  check_refused(table + mesh, "windows come from one of `lower`, `file` and `generator`");
  check_refused(table + "generator = {}\n", "boxes come from one of `mesh`");
  check_refused(table + "mesh = \"m\"\ngenerator = {}\n", "there is no mesh `m`");
  check_refused("[[mesh]]\nname = \"m\"\nkind = \"cylindrical\"\nr = [0.0, 1.0]\n" + table +
                    "mesh = \"m\"\ngenerator = {}\n",
                "mesh `m` is cylindrical");
  check_refused(table + mesh + "lower = [[0.1]]\n",
                "there are bounds for 1 boxes, but the mesh has 2");
  check_refused(table + mesh + "lower = [[0.1, 0.1], [0.1, 0.1]]\n",
                "bounds for 2 groups, but the materials have 1");
  check_refused(table + mesh + "lower = [[0.1], [-0.1]]\n", "-0.1 is not a bound of a weight");
  check_refused(table + "x = [1.0, 0.0]\nlower = [[0.1]]\n", "planes must ascend");
  check_refused(table + mesh + "survival_ratio = 6\ngenerator = {}\n", "survival_ratio 6 is above");
  check_refused(table + "file = \"none.h5\"\n", "none.h5");
  std::string text = slab_config(3, 0.5, "", table + mesh + "generator = {}\n");
  text.insert(text.find("fill = \"wall\""), "importance = 2.0\n");
  CHECK(test::config_error_message<TransportModule>(text).find("with the importance of cell") !=
        std::string::npos);
  text = slab_config(3, 0.5, "", table + mesh + "generator = {}\n");
  text.replace(text.find("fixed_source"), 12, "k_eigenvalue");
  CHECK(test::config_error_message<TransportModule>(text).find("cannot be given with mode") !=
        std::string::npos);
}
