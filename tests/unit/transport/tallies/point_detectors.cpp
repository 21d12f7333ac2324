// Point detectors: the uncollided flux is compared with closed forms, the scattered flux with
// track-length estimates; the same bits on any number of ranks and threads.

#include <cmath>
#include <string>
#include <utility>

#include "kernels/transport/collisions/scattering.hpp"
#include "src/modules/transport/transport_module.hpp"
#include "support/messages.hpp"
#include "support/module_runs.hpp"
#include "tests/unit/transport/materials/materials_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

constexpr double pi = 3.14159265358979323846;

std::string detector(const std::string& name, const std::string& position,
                     const std::string& tables = {}) {
  return "[[point_detector]]\nname = \"" + name + "\"\nposition = [" + position + "]\n" + tables;
}
std::string tally(const std::string& name, const std::string& detectors,
                  const std::string& tables = {}) {
  return "[[tally]]\nname = \"" + name + "\"\nscores = [\"flux\"]\ndetectors = [" + detectors +
         "]\n" + tables;
}

/// Configuration of a sphere of radius 2 cm about the origin with the cross sections `data`,
/// surrounded by void. `run_keys` are keys of [transport], `tables` further tables.
std::string sphere_config(const std::string& run_keys, const std::string& data,
                          const std::string& tables) {
  return "[transport]\n" + run_keys + "[[material]]\nname = \"medium\"\n" + data +
         "[[surface]]\nname = \"edge\"\nkind = \"sphere\"\nradius = 2.0\n"
         "[[surface]]\nname = \"end\"\nkind = \"sphere\"\nradius = 6.0\nboundary = \"vacuum\"\n"
         "[[cell]]\nname = \"shell\"\nregion = \"+edge -end\"\nfill = \"void\"\n" +
         tables;
}
const std::string fixed_source_keys = "mode = \"fixed_source\"\nparticles = 400\nbatches = 10\n";
const std::string sphere_cell =
    "[[cell]]\nname = \"ball\"\nregion = \"-edge\"\nfill = \"medium\"\n";
const std::string absorber_data = "capture = [0.7]\nscatter = [[0.0]]\nspeed = [1e3]\n";
const std::string point_source =
    "[[source]]\nspace = {kind = \"point\", position = [0.0, 0.0, 0.0]}\n";

struct Column {
  std::vector<double> mean, error;
};
Column column(const test::Outcome& outcome, const std::string& tally) {
  const std::string path = "tallies/" + tally + "/flux";
  return {outcome.numbers(path), outcome.numbers(path + "_standard_error")};
}
test::Outcome run(const std::string& text, Index batches = 10) {
  return test::run<TransportModule>(text, 1, 0, batches, batches);
}
void check_close(double value, double expected) {
  CHECK(value == doctest::Approx(expected).epsilon(1e-12));
}

}  // namespace

TEST_CASE("point detectors: the uncollided flux of a point source agrees with the closed form") {
  const std::string detectors =
      detector("in", "0.0, 1.2, 0.0") + detector("out", "3.0, 0.0, 4.0") +
      tally("all", "\"out\", \"in\"") +
      tally("by_part", "\"in\"", "parts = [\"collided\", \"uncollided\"]\n") +
      tally("by_time", "\"out\"", "time = [0.0, 4e-3, 6e-3]\n") +
      tally("dose", "\"in\"", "response = [3.0]\n");
  for (const char* tracking : {"surface", "delta"}) {
    const test::Outcome o =
        run(sphere_config(fixed_source_keys + "tracking = \"" + tracking + "\"\n", absorber_data,
                          sphere_cell + point_source + detectors));
    const double in = std::exp(-0.7 * 1.2) / (4 * pi * 1.44);
    const double out = std::exp(-0.7 * 2) / (4 * pi * 25);
    const Column all = column(o, "all");
    check_close(all.mean[0], out);
    check_close(all.mean[1], in);
    CHECK(all.error[0] < 1e-12 * out);
    CHECK(column(o, "by_part").mean[0] == 0);
    check_close(column(o, "by_part").mean[1], in);
    // 5 cm at 1e3 cm/s take 5e-3 s.
    CHECK(column(o, "by_time").mean[0] == 0);
    check_close(column(o, "by_time").mean[1], out);
    check_close(column(o, "dose").mean[0], 3 * in);
  }
  // Nothing arrives after the time cutoff.
  const test::Outcome late =
      run(sphere_config(fixed_source_keys + "time_cutoff = 4e-3\n", absorber_data,
                        sphere_cell + point_source + detectors));
  CHECK(column(late, "all").mean[0] == 0);
  CHECK(column(late, "all").mean[1] > 0);
}

TEST_CASE("point detectors: the uncollided flux follows the angular densities of sources") {
  const auto flux = [&](const std::string& space, const std::string& angle) {
    return column(run(sphere_config(fixed_source_keys, absorber_data,
                                    sphere_cell + "[[source]]\nspace = " + space +
                                        "\nangle = " + angle + "\n" +
                                        detector("d", "0.0, 0.0, 5.0") + tally("t", "\"d\""))),
                  "t")
        .mean[0];
  };
  // The angular density divided by the squared distance of 2 cm: mu / pi for a cosine source,
  // 1 / (2 pi (1 - cos(half_angle))) within a cone.
  const std::string above = "{kind = \"point\", position = [0.0, 0.0, 3.0]}";
  const std::string up = "axis = [0.0, 0.0, 1.0]";
  check_close(flux(above, "{kind = \"cosine\", " + up + "}"), 1 / (4 * pi));
  check_close(flux(above, "{kind = \"cosine\", axis = [0.0, 0.0, -1.0]}"), 0);
  check_close(flux(above, "{kind = \"cosine\", axis = [0.6, 0.0, 0.8]}"), 0.8 / (4 * pi));
  check_close(flux(above, "{kind = \"cone\", half_angle = 60.0, " + up + "}"), 1 / (4 * pi));
  check_close(flux(above, "{kind = \"cone\", half_angle = 30.0, axis = [0.6, 0.0, 0.8]}"), 0);
  // A beam that misses the detector.
  check_close(flux(above, "{kind = \"beam\", axis = [1.0, 0.0, 0.0]}"), 0);
  // Particles start inward from a sphere, at whose centre the flux is 4 times the inward current.
  const std::string sphere = "{kind = \"sphere_surface\", center = [0.0, 0.0, 5.0], radius = 0.5}";
  check_close(flux(sphere, "{kind = \"cosine\", normal = \"inward\"}"), 1 / (pi * 0.25));
}

TEST_CASE("point detectors: reflective planes contribute the flux of images") {
  const std::string text =
      "[transport]\n" + fixed_source_keys + "[[material]]\nname = \"medium\"\n" + absorber_data +
      "[[box]]\nname = \"b\"\nlower = [0.0, -1.0, -9.0]\nupper = [9.0, 9.0, 9.0]\n"
      "boundaries = [\"reflective\", \"vacuum\", \"reflective\", \"vacuum\", \"vacuum\", "
      "\"vacuum\"]\n"
      "[[cell]]\nname = \"c\"\nregion = \"-b\"\nfill = \"medium\"\n"
      "[[source]]\nspace = {kind = \"point\", position = [1.0, 0.0, 0.0]}\n" +
      detector("d", "2.0, 1.0, 0.0") + tally("t", "\"d\"");
  // The images of (2, 1) in x = 0 and y = -1: (-2, 1), (2, -3), (-2, -3).
  double expected = 0;
  for (const double square : {1.0 + 1, 9.0 + 1, 1.0 + 9, 9.0 + 9})
    expected += std::exp(-0.7 * std::sqrt(square)) / (4 * pi * square);
  check_close(column(run(text), "t").mean[0], expected);
}

TEST_CASE(
    "point detectors: the flux within a source with an exclusion sphere agrees with the closed "
    "form") {
  // A uniform source density q gives the flux q (1 - exp(-S R)) / S at the centre of a ball of
  // radius R with the cross section S.
  const Column c = column(
      run(sphere_config("mode = \"fixed_source\"\nparticles = 4000\nbatches = 10\n", absorber_data,
                        sphere_cell +
                            "[[source]]\nspace = {kind = \"sphere\", center = [0.0, 0.0, 0.0], "
                            "radius = 2.0}\n" +
                            detector("d", "0.0, 0.0, 0.0", "exclusion_radius = 0.5\n") +
                            tally("t", "\"d\""))),
      "t");
  const double q = 3 / (4 * pi * 8);
  CHECK(std::abs(c.mean[0] - q * (1 - std::exp(-1.4)) / 0.7) < 3.5 * c.error[0]);
  CHECK(c.error[0] < 0.05 * c.mean[0]);
}

TEST_CASE("point detectors: Russian roulette conserves the mean") {
  const auto value = [&](const std::string& tables) {
    return column(
        run(sphere_config(fixed_source_keys, absorber_data,
                          sphere_cell + point_source + detector("d", "0.0, 1.9, 0.0", tables) +
                              tally("t", "\"d\""))),
        "t");
  };
  const Column without_roulette = value(""), with_roulette = value("roulette = 0.1\n");
  CHECK(with_roulette.error[0] > 0);
  CHECK(std::abs(with_roulette.mean[0] - without_roulette.mean[0]) < 3.5 * with_roulette.error[0]);
}

namespace {

/// A thin shell about the centre of a spherically symmetric problem, with its track-length flux and
/// the flux at one of its points by a detector.
std::string thin_shell_config(const std::string& run_keys, const std::string& data,
                              const std::string& tables) {
  return sphere_config(
      run_keys, data,
      "[[surface]]\nname = \"inner\"\nkind = \"sphere\"\nradius = 0.95\n"
      "[[surface]]\nname = \"outer\"\nkind = \"sphere\"\nradius = 1.05\n"
      "[[cell]]\nname = \"middle\"\nregion = \"-inner\"\nfill = \"medium\"\n"
      "[[cell]]\nname = \"thin\"\nregion = \"+inner -outer\"\nfill = \"medium\"\n"
      "[[cell]]\nname = \"ball\"\nregion = \"+outer -edge\"\nfill = \"medium\"\n" +
          detector("d", "0.6, 0.8, 0.0", "exclusion_radius = 0.15\n") +
          tally("at_point", "\"d\"", "energy = \"groups\"\n") +
          "[[tally]]\nname = \"in_shell\"\nscores = [\"flux\"]\ncells = [\"thin\"]\n"
          "energy = \"groups\"\n" +
          tables);
}
/// The mean over the shell is 0.2 % above the flux in its middle, and the flux within the exclusion
/// sphere is not quite uniform: 0.6 % are allowed in addition to statistical errors.
void check_agreement(const std::string& text, Index batches) {
  const test::Outcome o = run(text, batches);
  const Column at_point = column(o, "at_point"), in_shell = column(o, "in_shell");
  const double volume = 4 * pi / 3 * (1.05 * 1.05 * 1.05 - 0.95 * 0.95 * 0.95);
  for (std::size_t g = 0; g < at_point.mean.size(); ++g) {
    const double expected = in_shell.mean[g] / volume, error = in_shell.error[g] / volume;
    CAPTURE(text.substr(0, text.find("[[surface]]")));
    CAPTURE(g);
    CAPTURE(at_point.mean[g]);
    CAPTURE(at_point.error[g]);
    CAPTURE(expected);
    CAPTURE(error);
    CHECK(std::abs(at_point.mean[g] - expected) <
          3.5 * std::hypot(at_point.error[g], error) + 0.006 * expected);
    CHECK(at_point.error[g] < 0.05 * expected);
    CHECK(error < 0.03 * expected);
  }
}

}  // namespace

TEST_CASE(
    "point detectors: the scattered flux agrees with tracks through a thin shell for all angular "
    "distributions") {
  const std::string delta = "tracking = \"delta\"\n", analog = "capture = \"analog\"\n";
  const std::string source =
      "[[source]]\nenergy = {kind = \"group\", group = 1}\n"
      "space = {kind = \"point\", position = [0.0, 0.0, 0.0]}\n";
  // Isotropic and linear scattering of two groups; a polynomial of third order; fission.
  const std::string data[] = {
      "capture = [0.2, 0.4]\nscatter = [[0.5, 0.3], [0.0, 0.8]]\n"
      "scatter_l1 = [[0.15, -0.05], [0.0, 0.2]]\n",
      "capture = [0.3]\nscatter = [[0.9]]\nscatter_l1 = [[0.4]]\n"
      "scatter_l2 = [[0.2]]\nscatter_l3 = [[0.05]]\n",
      "fission = [0.1]\ncapture = [0.3]\nnu = [2.0]\nchi = [1.0]\nscatter = [[0.6]]\n"};
  const std::pair<std::string, std::string> runs[] = {
      {"", data[0]}, {delta, data[0]}, {delta, data[1]}, {analog, data[1]}, {analog, data[2]}};
  for (const auto& [run_keys, d] : runs)
    check_agreement(
        thin_shell_config("mode = \"fixed_source\"\nparticles = 4000\nbatches = 20\n" + run_keys, d,
                          source),
        20);
}

TEST_CASE(
    "point detectors: the flux of an eigenvalue problem agrees with tracks through a thin shell") {
  // Many neutrons per generation: descendants of one neutron are close together for some
  // generations, and those near a detector contribute much.
  check_agreement(thin_shell_config("mode = \"k_eigenvalue\"\nparticles = 10000\nbatches = 50\n"
                                    "inactive = 20\n",
                                    "fission = [0.4]\ncapture = [0.1]\nnu = [2.5]\nchi = [1.0]\n"
                                    "scatter = [[0.5]]\n",
                                    ""),
                  50);
}

TEST_CASE(
    "point detectors: the same results on any ranks and threads, with domains, and after a "
    "restart") {
  const std::string base_config = thin_shell_config(
      "mode = \"fixed_source\"\nparticles = 600\nbatches = 6\n",
      "fission = [0.1]\ncapture = [0.3]\nnu = [2.0]\nchi = [1.0]\nscatter = [[0.6]]\n"
      "speed = [1e3]\n",
      point_source +
          "[weight_windows]\nx = [-2.0, 0.0, 1.0, 2.0]\nlower = [[0.2], [0.1], [0.2]]\n");
  std::string decomposed = base_config, delta = base_config, in_passes = base_config;
  const auto add = [](std::string& text, const char* line) {
    text.insert(text.find("particles"), line);
  };
  add(decomposed, "domain = \"decomposed\"\n");
  add(delta, "tracking = \"delta\"\n");
  add(in_passes, "flights_per_pass = 3\n");
  const test::Outcome reference = test::run<TransportModule>(base_config, 1, 0, 6, 6);
  for (const int ranks : {2, 3})
    test::check_outcome_is_reproduced<TransportModule>(base_config, reference, ranks, 6, 2, 3);
  for (const int ranks : {2, 3})
    test::check_outcome_is_reproduced<TransportModule>(decomposed, reference, ranks, 6, 2, 3);
  test::check_outcome_is_reproduced<TransportModule>(in_passes, reference, 2, 6, 2, 3);
  const test::Outcome delta_reference = test::run<TransportModule>(delta, 1, 0, 6, 6);
  test::check_outcome_is_reproduced<TransportModule>(delta, delta_reference, /*ranks=*/3, 6, 2, 3);
  // Histories are the same without detectors.
  std::string without_detectors = base_config;
  const std::size_t first = without_detectors.find("[[point_detector]]");
  without_detectors.erase(first, without_detectors.find("[[tally]]\nname = \"in_shell\"") - first);
  const test::Outcome without_detector_run =
      test::run<TransportModule>(without_detectors, 1, 0, 6, 6);
  CHECK(without_detector_run.numbers("batches/leakage") == reference.numbers("batches/leakage"));
  CHECK(column(without_detector_run, "in_shell").mean == column(reference, "in_shell").mean);
}

TEST_CASE("point detectors: scattering densities have the moments of their distributions") {
  // The last two densities are negative at some cosines, so that discrete angles are sampled.
  const std::vector<std::vector<double>> expansions = {
      {1, 0.2}, {1, 0.5, 0.25}, {1, 0.4, 0.2, 0.05}, {1, 0.6}, {1, 0.5, 0.5}};
  for (const auto& moments : expansions) {
    AngleTables tables;
    std::string problem;
    const auto chosen =
        make_angular_distribution(moments, NegativeScattering::discrete, tables, problem);
    REQUIRE(chosen.has_value());
    MaterialView m;
    m.angles = {tables.laws.data(), static_cast<Index>(tables.laws.size())};
    m.coefficients = {tables.coefficients.data(), static_cast<Index>(tables.coefficients.size())};
    Transfer transfer;
    transfer.slope = chosen->slope;
    transfer.angle = chosen->index;
    constexpr int steps = 2000;
    double sum = 0, first = 0, second = 0;
    for (int i = 0; i < steps; ++i) {
      const double mu = -1 + 2 * (i + 0.5) / steps;
      const double density = transport_kernels::scattering_density(m, transfer, mu) * 2 / steps;
      sum += density;
      first += density * mu;
      second += density * (1.5 * mu * mu - 0.5);
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-6));
    CHECK(first == doctest::Approx(moments[1]).epsilon(1e-5));
    CHECK(second == doctest::Approx(moments.size() > 2 ? moments[2] : 0.0).epsilon(1e-5));
  }
}

TEST_CASE("point detectors: invalid detectors and tallies are refused") {
  const auto check = [](const std::string& tables, const char* expected,
                        const std::string& data = absorber_data,
                        const std::string& source = point_source) {
    const std::string message = test::config_error_message<TransportModule>(
        sphere_config(fixed_source_keys, data, sphere_cell + source + tables));
    CAPTURE(tables);
    CHECK_MESSAGE(message.find(expected) != std::string::npos, message);
  };
  const std::string d = detector("d", "0.0, 1.0, 0.0");
  check(d + d + tally("t", "\"d\""), "two detectors have the name `d`");
  check(d + tally("t", "\"e\""), "there is no detector `e`");
  check(detector("d", "0.0, 1.0") + tally("t", "\"d\""), "position");
  check(detector("d", "0.0, 7.0, 0.0") + tally("t", "\"d\""), "point detector `d` is in no cell");
  check(detector("d", "0.0, 1.0, 0.0", "exclusion_radius = -1.0\n") + tally("t", "\"d\""),
        "exclusion_radius");
  check(detector("d", "0.0, 1.0, 0.0", "roulette = 0.0\n") + tally("t", "\"d\""), "roulette");
  check(d + tally("t", "\"d\""), "give it an exclusion_radius",
        "capture = [0.7]\nscatter = [[0.2]]\n");
  check(d + tally("t", "\"d\"", "cells = [\"ball\"]\n"), "cells cannot be given with detectors");
  check(d + tally("t", "\"d\"", "estimator = \"collision\"\n"), "the next-event one");
  check(d + tally("t", "\"d\"", "parts = [\"direct\"]\n"), "there is no part `direct`");
  check("[[tally]]\nname = \"t\"\nscores = [\"flux\"]\nparts = [\"collided\"]\n",
        "the tally has no detectors");
  std::string current = d + tally("t", "\"d\"");
  current.replace(current.find("flux"), 4, "current");
  check(current, "current is not defined at a point");
  check(d + tally("t", "\"d\""), "is, or may be, in the beam", absorber_data,
        point_source + "angle = {kind = \"beam\", axis = [0.0, 1.0, 0.0]}\n");
  std::string reflective_config = sphere_config(
      fixed_source_keys, absorber_data, sphere_cell + point_source + d + tally("t", "\"d\""));
  reflective_config.replace(reflective_config.find("vacuum"), 6, "reflective");
  CHECK(test::config_error_message<TransportModule>(reflective_config)
            .find("surface `end` is reflective") != std::string::npos);
  reflective_config.replace(reflective_config.find("reflective"), 10, "white");
  CHECK(test::config_error_message<TransportModule>(reflective_config)
            .find("surface `end` is white") != std::string::npos);
}
