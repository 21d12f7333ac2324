// Whole runs of the module transport from configurations to results, with and without restarts, on
// several ranks.

#include "src/modules/transport/transport_module.hpp"

#include <cmath>
#include <string>

#include "support/module_runs.hpp"
#include "support/test_executor.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

/// Configuration of a sphere of one-group fuel surrounded by void. `run_keys` are keys of
/// [transport], `tables` further tables.
std::string sphere_config(const std::string& run_keys, const std::string& tables = {}) {
  return "[transport]\n" + run_keys +
         "\n[[material]]\nname = \"fuel\"\nfission = [0.0816]\ncapture = [0.019584]\n"
         "nu = [2.84]\nchi = [1.0]\nscatter = [[0.225216]]\nspeed = [2.2e5]\n"
         "[[surface]]\nname = \"edge\"\nkind = \"sphere\"\nradius = 6.082547\n"
         "[[surface]]\nname = \"end\"\nkind = \"sphere\"\nradius = 8.0\nboundary = \"vacuum\"\n"
         "[[cell]]\nname = \"ball\"\nregion = \"-edge\"\nfill = \"fuel\"\n"
         "[[cell]]\nname = \"shell\"\nregion = \"+edge -end\"\nfill = \"void\"\n" +
         tables;
}
const char* const point_source =
    "[[source]]\nspace = {kind = \"point\", position = [0.0, 0.0, 0.0]}\n";

const Estimate& find(const std::vector<Estimate>& all, const std::string& name) {
  const auto estimate =
      std::find_if(all.begin(), all.end(), [&](const Estimate& e) { return e.name == name; });
  REQUIRE(estimate != all.end());
  return *estimate;
}

std::vector<Estimate> estimates(const std::string& text, Index batches) {
  TransportModule module;
  ConfigFile file = ConfigFile::parse(text, "test.toml");
  configure(module, file);
  module.plan(Context{Communicator::self(), gsim::test::test_executor(2)});
  module.prepare();
  module.advance(0, batches);
  CHECK(module.health() == "");
  return module.estimates();
}

/// Whether an estimate is within 3.5 standard errors of `expected`.
void check_near(const Estimate& e, double expected) {
  CAPTURE(e.name);
  CAPTURE(e.mean);
  CAPTURE(e.standard_error);
  CHECK(std::abs(e.mean - expected) < 3.5 * e.standard_error);
}

}  // namespace

TEST_CASE("transport module: any slices, ranks, threads and restarts give the same results") {
  const std::string texts[] = {
      sphere_config("mode = \"k_eigenvalue\"\nparticles = 900\nbatches = 12\ninactive = 3"),
      sphere_config("mode = \"k_eigenvalue\"\nparticles = 500\nbatches = 8\ntracking = \"delta\"\n"
                    "capture = \"analog\"",
                    point_source),
      sphere_config("mode = \"fixed_source\"\nparticles = 700\nbatches = 8\ntime_cutoff = 1e-4",
                    point_source)};
  for (const std::string& text : texts) {
    CAPTURE(text);
    const Index last = text.find("batches = 12") != std::string::npos ? 12 : 8;
    const test::Outcome reference = test::run<TransportModule>(text, 1, 0, last, last);
    for (const int ranks : {1, 2, 7})
      test::check_outcome_is_reproduced<TransportModule>(text, reference, ranks, last, 3, 5);
  }
}

TEST_CASE(
    "transport module: k of Sood's critical plutonium sphere is 1, and neutrons are balanced") {
  // PUb-1-0-SP (A. Sood et al., Prog. Nucl. Energy 42 (2003) 55, problem 8): k = 1.
  for (const char* keys : {"", "tracking = \"delta\"\n", "capture = \"analog\"\n"}) {
    const auto all =
        estimates(sphere_config(std::string("mode = \"k_eigenvalue\"\nparticles = 3000\n"
                                            "batches = 120\ninactive = 20\n") +
                                keys),
                  120);
    const Estimate& k = find(all, "k_effective");
    check_near(k, 1.0);
    CHECK(k.standard_error < 0.002);
    // Neutrons leak or are absorbed: (1 - leakage) nu fission / absorption = k.
    const double leakage = find(all, "leakage").mean;
    CHECK((1 - leakage) * 2.84 * 0.0816 / (0.0816 + 0.019584) ==
          doctest::Approx(k.mean).epsilon(0.01));
  }
}

TEST_CASE("transport module: the leakage from an absorbing sphere is exp(-tau)") {
  std::string text =
      sphere_config("mode = \"fixed_source\"\nparticles = 5000\nbatches = 20", point_source);
  text.replace(text.find("nu = [2.84]\nchi = [1.0]\nscatter = [[0.225216]]"), 46, "");
  text.replace(text.find("fission = [0.0816]\n"), 19, "");
  const auto all = estimates(text, 20);
  check_near(find(all, "leakage"), std::exp(-0.019584 * 6.082547));
  CHECK(find(all, "fission_neutrons").mean == 0);
}

TEST_CASE(
    "transport module: a source neutron in a subcritical infinite medium has k / (1 - k) "
    "descendants") {
  // All of space is fuel: every source neutron produces k + k^2 + … = k / (1 - k) others.
  const std::string text =
      "[transport]\nmode = \"fixed_source\"\nparticles = 2000\nbatches = 30\n"
      "[[material]]\nname = \"fuel\"\nfission = [0.05]\ncapture = [0.1]\nnu = [2.4]\n"
      "chi = [1.0]\nscatter = [[0.2]]\n"
      "[[box]]\nname = \"b\"\nlower = [-1.0, -1.0, -1.0]\nupper = [1.0, 1.0, 1.0]\n"
      "boundary = \"reflective\"\n[[cell]]\nname = \"c\"\nregion = \"-b\"\nfill = \"fuel\"\n" +
      std::string(point_source);
  const double k = 2.4 * 0.05 / 0.15;
  for (const char* capture : {"implicit", "analog"}) {
    std::string changed = text;
    changed.insert(changed.find("particles"), "capture = \"" + std::string(capture) + "\"\n");
    check_near(find(estimates(changed, 30), "fission_neutrons"), k / (1 - k));
  }
}

TEST_CASE("transport module: without absorption all particles reach the time cutoff") {
  // Without absorption and leakage all weight reaches the cutoff.
  const std::string text =
      "[transport]\nmode = \"fixed_source\"\nparticles = 100\nbatches = 2\ntime_cutoff = 1e-3\n"
      "[[material]]\nname = \"heavy\"\ncapture = [0.0]\nscatter = [[0.5]]\nspeed = [2.2e5]\n"
      "[[box]]\nname = \"b\"\nlower = [-1.0, -1.0, -1.0]\nupper = [1.0, 1.0, 1.0]\n"
      "boundary = \"reflective\"\n[[cell]]\nname = \"c\"\nregion = \"-b\"\nfill = \"heavy\"\n" +
      std::string(point_source);
  const auto all = estimates(text, 2);
  CHECK(find(all, "timed_out").mean == 1.0);
}

TEST_CASE(
    "transport module: splitting by importance agrees with the analog leakage through a slab") {
  // A slab of 12 mean free paths in four layers: each layer has three times the importance of
  // the one before.
  std::string text =
      "[transport]\nmode = \"fixed_source\"\nparticles = 4000\nbatches = 20\n"
      "[[material]]\nname = \"wall\"\ncapture = [0.8]\nscatter = [[0.2]]\n"
      "[[box]]\nname = \"b\"\nlower = [0.0, -1.0, -1.0]\nupper = [12.0, 1.0, 1.0]\n"
      "boundaries = [\"vacuum\", \"vacuum\", \"reflective\", \"reflective\", \"reflective\", "
      "\"reflective\"]\n";
  for (int i = 1; i < 4; ++i)
    text += "[[surface]]\nname = \"p" + std::to_string(i) +
            "\"\nkind = \"x_plane\"\nx = " + std::to_string(3 * i) + ".0\n";
  const char* const regions[] = {"-b -p1", "-b +p1 -p2", "-b +p2 -p3", "-b +p3"};
  for (int i = 0; i < 4; ++i)
    text += "[[cell]]\nname = \"c" + std::to_string(i) + "\"\nregion = \"" + regions[i] +
            "\"\nfill = \"wall\"\nimportance = 1.0 # " + std::to_string(i) + "\n";
  text +=
      "[[source]]\nspace = {kind = \"point\", position = [1e-6, 0.0, 0.0]}\n"
      "angle = {kind = \"beam\", axis = [1.0, 0.0, 0.0]}\n";
  const auto without_importances = estimates(text, 20);
  for (const char* tracking : {"surface", "delta"}) {
    CAPTURE(tracking);
    std::string changed = text;
    int importance = 1;
    for (int i = 0; i < 4; ++i, importance *= 3) {
      const std::string unit_importance = "importance = 1.0 # " + std::to_string(i);
      changed.replace(changed.find(unit_importance), unit_importance.size(),
                      "importance = " + std::to_string(importance) + ".0");
    }
    changed.insert(changed.find("particles"), "tracking = \"" + std::string(tracking) + "\"\n");
    const auto with_importances = estimates(changed, 20);
    const Estimate &a = find(without_importances, "leakage"),
                   &b = find(with_importances, "leakage");
    CAPTURE(a.mean);
    CAPTURE(b.mean);
    CHECK(std::abs(a.mean - b.mean) < 3.5 * std::hypot(a.standard_error, b.standard_error));
    const test::Outcome reference = test::run<TransportModule>(changed, 1, 0, 6, 6);
    for (const int ranks : {2, 3, 7})
      test::check_outcome_is_reproduced<TransportModule>(changed, reference, ranks, 6, 4, 3);
  }
}

TEST_CASE(
    "transport module: transmission through 12 mean free paths with importances is exp(-12)") {
  // Absorbers in four layers of three mean free paths each; the last one is dense, so that delta
  // tracking has virtual collisions in the others. The transmission is exp(-12).
  std::string text =
      "[transport]\nmode = \"fixed_source\"\nparticles = 20000\nbatches = 20\ncapture = "
      "\"analog\"\n"
      "[[material]]\nname = \"thin\"\ncapture = [0.5]\nscatter = [[0.0]]\n"
      "[[material]]\nname = \"dense\"\ncapture = [2.0]\nscatter = [[0.0]]\n"
      "[[box]]\nname = \"b\"\nlower = [0.0, -1.0, -1.0]\nupper = [19.5, 1.0, 1.0]\n"
      "boundary = \"vacuum\"\n";
  const char* const regions[] = {"-b -p1", "-b +p1 -p2", "-b +p2 -p3", "-b +p3"};
  for (int i = 1; i < 4; ++i)
    text += "[[surface]]\nname = \"p" + std::to_string(i) +
            "\"\nkind = \"x_plane\"\nx = " + std::to_string(6 * i) + ".0\n";
  int importance = 1;
  for (int i = 0; i < 4; ++i, importance *= 12)
    text += "[[cell]]\nname = \"c" + std::to_string(i) + "\"\nregion = \"" + regions[i] +
            "\"\nfill = \"" + (i < 3 ? "thin" : "dense") +
            "\"\nimportance = " + std::to_string(importance) + ".0\n";
  text +=
      "[[source]]\nspace = {kind = \"point\", position = [1e-6, 0.0, 0.0]}\n"
      "angle = {kind = \"beam\", axis = [1.0, 0.0, 0.0]}\n";
  for (const char* tracking : {"surface", "delta"}) {
    CAPTURE(tracking);
    std::string changed = text;
    changed.insert(changed.find("particles"), "tracking = \"" + std::string(tracking) + "\"\n");
    const auto all = estimates(changed, 20);
    const Estimate& leakage = find(all, "leakage");
    check_near(leakage, std::exp(-12.0));
    CHECK(leakage.standard_error < 0.1 * leakage.mean);
  }
}

TEST_CASE("transport module: a supercritical system ends with a message") {
  std::string text = sphere_config(
      "mode = \"fixed_source\"\nparticles = 10\nbatches = 1\nmax_lost = 0\n"
      "max_secondaries = 2000",
      point_source);
  text.replace(text.find("radius = 6.08"), 13, "radius = 7.58");
  TransportModule module;
  ConfigFile file = ConfigFile::parse(text, "test.toml");
  configure(module, file);
  module.plan(Context{Communicator::self(), gsim::test::test_executor(1)});
  module.prepare();
  module.advance(0, 1);
  CHECK(module.health().find("more neutrons than max_secondaries") != std::string::npos);
}

TEST_CASE("transport module: the plan of a run lists volumes of materials and cells") {
  TransportModule module;
  ConfigFile file = ConfigFile::parse(
      sphere_config("mode = \"k_eigenvalue\"\nparticles = 10\nbatches = 4"), "test.toml");
  configure(module, file);
  const WorkPlan plan = module.plan(Context{Communicator::self(), Executor::host(1)});
  REQUIRE(plan.notes.size() == 3);
  const auto volume = [&](std::size_t line, const std::string& name) {
    const std::size_t offset = plan.notes[line].find(" " + name + " ");
    REQUIRE(offset != std::string::npos);
    return std::stod(plan.notes[line].substr(offset + name.size() + 2));
  };
  // Spheres of radius 6.082547 and 8: the ball, and the shell around it.
  CHECK(volume(0, "fuel") == doctest::Approx(942.65).epsilon(0.02));
  CHECK(volume(0, "void") == doctest::Approx(2144.66 - 942.65).epsilon(0.02));
  CHECK(volume(1, "ball") == volume(0, "fuel"));
  CHECK(volume(1, "shell") == volume(0, "void"));
}

TEST_CASE("transport module: invalid systems are refused when a run is planned") {
  const auto check_refused = [](const std::string& text, const char* expected) {
    const std::string message = test::config_error_message<TransportModule>(text);
    CAPTURE(text);
    CHECK_MESSAGE(message.find(expected) != std::string::npos, message);
  };
  const std::string eigenvalue = "mode = \"k_eigenvalue\"\nparticles = 10\nbatches = 10\n";
  const std::string fixed_source = "mode = \"fixed_source\"\nparticles = 10\nbatches = 10\n";
  CHECK(test::config_error_message<TransportModule>(sphere_config(eigenvalue)) == "");
  CHECK(test::config_error_message<TransportModule>(sphere_config(fixed_source, point_source)) ==
        "");
  check_refused(sphere_config(fixed_source), "a fixed-source run has no [[source]]");
  std::string zero_importance =
      sphere_config(fixed_source + "tracking = \"delta\"\n", point_source);
  zero_importance.insert(zero_importance.find("fill = \"void\""), "importance = 0.0\n");
  check_refused(zero_importance,
                "delta tracking flies through cell `shell`, whose importance is 0");
  std::string small_importance = sphere_config(fixed_source, point_source);
  small_importance.insert(small_importance.find("fill = \"void\""), "importance = 1e-10\n");
  check_refused(small_importance, "importances reach from 1e-10 to 1");
  check_refused(sphere_config(fixed_source + "inactive = 3\n", point_source),
                "`inactive` belongs to mode = \"k_eigenvalue\"");
  check_refused(sphere_config(eigenvalue + "inactive = 9\n"), "9 of 10 generations are inactive");
  check_refused(sphere_config(eigenvalue + "roulette = {cutoff = 0.5, survival = 0.3}\n"),
                "survival 0.3 is less than");
  std::string gap =
      sphere_config(eigenvalue, "[[surface]]\nname = \"mid\"\nkind = \"sphere\"\nradius = 7.0\n");
  gap.replace(gap.find("+edge -end"), 10, "+mid -end");
  check_refused(gap, "is undefined at");
  std::string overlap = sphere_config(eigenvalue);
  overlap.replace(overlap.find("+edge -end"), 10, "-end");
  check_refused(overlap, "cells `ball` and `shell` of universe `root` overlap at");
  std::string without_speeds = sphere_config(fixed_source + "time_cutoff = 1.0\n", point_source);
  without_speeds.replace(without_speeds.find("speed = [2.2e5]\n"), 16, "");
  check_refused(without_speeds, "time_cutoff without speeds");
  check_refused(sphere_config(eigenvalue + "time_cutoff = 1.0\n"),
                "time_cutoff is given, and mode = \"k_eigenvalue\" does not track time");
}

TEST_CASE(
    "transport module: an error target must be met by all estimates, also by those without "
    "events") {
  const auto evaluation_for = [](const std::string& text, double relative_error) {
    TransportModule module;
    ConfigFile file = ConfigFile::parse(text, "test.toml");
    configure(module, file);
    Context context{Communicator::self(), gsim::test::test_executor(1)};
    context.stop.relative_error = relative_error;
    module.plan(context);
    module.prepare();
    module.advance(0, 20);
    return module.evaluate(20);
  };
  const std::string run_keys =
      "mode = \"fixed_source\"\nparticles = 200\nbatches = 40\nfission_neutrons = false";
  const std::string with_leakage = sphere_config(run_keys, point_source);
  std::string without_leakage = with_leakage;  // nothing leaks: no sample contributes
  without_leakage.replace(without_leakage.find("boundary = \"vacuum\""), 19,
                          "boundary = \"white\"");
  CHECK(evaluation_for(with_leakage, 0.5).all_converged);
  const Module::Evaluation unconverged = evaluation_for(with_leakage, 1e-6);
  CHECK(!unconverged.all_converged);
  CHECK(unconverged.worst_relative_error > 1e-6);
  CHECK(!evaluation_for(without_leakage, 1e-6).all_converged);
}

TEST_CASE("transport module: estimates before the first active batch have infinite errors") {
  // The engine does not write estimates without an error when a run ends by its time limit.
  const std::string windows =
      "[weight_windows]\nx = [-8.0, 0.0, 8.0]\ngenerator = {iterations = 1, batches = 3}\n";
  const std::string text[] = {
      sphere_config("mode = \"k_eigenvalue\"\nparticles = 50\nbatches = 9\ninactive = 3"),
      sphere_config(
          "mode = \"fixed_source\"\nparticles = 50\nbatches = 6\nfission_neutrons = false",
          point_source + windows)};
  for (const std::string& config_text : text) {
    TransportModule module;
    ConfigFile file = ConfigFile::parse(config_text, "test.toml");
    configure(module, file);
    module.plan(Context{Communicator::self(), gsim::test::test_executor(1)});
    module.prepare();
    module.advance(0, 3);
    REQUIRE(!module.estimates().empty());
    CHECK(module.estimates().front().count == 0);
    CHECK(std::isinf(module.estimates().front().standard_error));
    CHECK(!module.evaluate(3).all_converged);
    module.advance(3, 3);
    CHECK(module.estimates().front().count == 3);
    CHECK(std::isfinite(module.estimates().front().standard_error));
  }
}

TEST_CASE("transport module: an error target is not met by too few generations") {
  const std::string tally = "[[tally]]\nname = \"t\"\nscores = [\"flux\"]\n";
  const auto early_and_late = [](const std::string& tables, double relative_error) {
    TransportModule module;
    ConfigFile file = ConfigFile::parse(
        sphere_config("mode = \"k_eigenvalue\"\nparticles = 200\nbatches = 100\ninactive = 5",
                      tables),
        "test.toml");
    configure(module, file);
    Context context{Communicator::self(), gsim::test::test_executor(1)};
    context.stop.relative_error = relative_error;
    module.plan(context);
    module.prepare();
    module.advance(0, 15);
    const bool converged_early = module.evaluate(15).all_converged;
    module.advance(15, 70);
    return std::pair(converged_early, module.evaluate(85).all_converged);
  };
  CHECK(early_and_late("", 0.5) == std::pair(false, true));
  CHECK(early_and_late("", 1e-6) == std::pair(false, false));
  CHECK(early_and_late(tally + "trigger = {relative_error = 0.5}\n", 0) == std::pair(false, true));
}
