// Forced collisions and the exponential transform: results are compared with closed forms and with
// runs without them, variances must be smaller than without them, and results must have the same
// bits on any ranks and threads.

#include <cmath>

#include <fmt/format.h>

#include "src/modules/transport/transport_module.hpp"
#include "support/module_runs.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

/// A slab from x = 0 to `depth` between reflective planes, of one mean free path per cm, with a
/// layer from 2 to 3 cm that is `thin` mean free paths thick; a fraction `scatter` of all
/// collisions is scattering.
std::string slab_config(int depth, double thin, double scatter, const std::string& run_keys,
                        const std::string& tables) {
  const auto material = [&](const char* name, double total) {
    return "[[material]]\nname = \"" + std::string(name) + "\"\ntotal = [" + std::to_string(total) +
           "]\nscatter = [[" + std::to_string(scatter * total) + "]]\nspeed = [1e3]\n";
  };
  return "[transport]\nmode = \"fixed_source\"\nparticles = 1000\nbatches = 20\n" + run_keys +
         material("wall", 1) + material("thin", thin) +
         "[[box]]\nname = \"b\"\nlower = [0.0, -1.0, -1.0]\nupper = [" + std::to_string(depth) +
         ".0, 1.0, 1.0]\nboundaries = [\"vacuum\", \"vacuum\", \"reflective\", \"reflective\", "
         "\"reflective\", \"reflective\"]\n"
         "[[surface]]\nname = \"p\"\nkind = \"x_plane\"\nx = 2.0\n"
         "[[surface]]\nname = \"q\"\nkind = \"x_plane\"\nx = 3.0\n"
         "[[cell]]\nname = \"front\"\nregion = \"-b -p\"\nfill = \"wall\"\n"
         "[[cell]]\nname = \"layer\"\nregion = \"-b +p -q\"\nfill = \"thin\"\n"
         "[[cell]]\nname = \"back\"\nregion = \"-b +q\"\nfill = \"wall\"\n"
         "[[tally]]\nname = \"out\"\nscores = [\"current\"]\nsurfaces = [\"b.x_max\"]\n"
         "[[mesh]]\nname = \"layers\"\nlower_left = [0.0]\nupper_right = [" +
         std::to_string(depth) + ".0]\nshape = [" + std::to_string(2 * depth) +
         "]\n"
         "[[tally]]\nname = \"tracks\"\nscores = [\"flux\"]\nmesh = \"layers\"\n"
         "[[tally]]\nname = \"several\"\nscores = [\"flux\", \"absorption\"]\nmesh = \"layers\"\n"
         "[[tally]]\nname = \"cells\"\nscores = [\"flux\"]\ncells = [\"front\", \"layer\", "
         "\"back\"]\n"
         "[[tally]]\nname = \"collisions\"\nscores = [\"flux\"]\nmesh = \"layers\"\n"
         "estimator = \"collision\"\n"
         "[[tally]]\nname = \"absorbed\"\nscores = [\"absorption\"]\ncells = [\"layer\"]\n"
         "estimator = \"analog\"\n" +
         tables;
}
/// A source at `x` on the x axis whose particles move along the axis.
std::string beam_from(const std::string& x) {
  return "[[source]]\nspace = {kind = \"point\", position = [" + x +
         ", 0.0, 0.0]}\nangle = {kind = \"beam\", axis = [1.0, 0.0, 0.0]}\n";
}
const std::string point_source =
    "[[source]]\nspace = {kind = \"point\", position = [1.0, 0.0, 0.0]}\n";
const std::string forced = "[forced_collisions]\ncells = [\"layer\"]\n";
/// The table [[exponential_transform]] for all cells.
std::string transform(const std::string& parameter,
                      const std::string& direction = "direction = [1.0, 0.0, 0.0]") {
  return "[[exponential_transform]]\ncells = [\"front\", \"layer\", \"back\"]\nparameter = " +
         parameter + "\n" + direction + "\n";
}
/// The table [weight_windows] along x for weights that decrease as exp(-slope x), with lower bounds
/// of 0.3 times these weights.
std::string window_table(int depth, double slope) {
  std::string planes = "0.0", bounds;
  for (int i = 0; i < depth; ++i) {
    planes += ", " + std::to_string(i + 1) + ".0";
    bounds += (i > 0 ? ", [" : "[") + fmt::format("{}]", 0.3 * std::exp(-slope * (i + 0.5)));
  }
  return "[weight_windows]\nx = [" + planes + "]\nlower = [" + bounds + "]\n";
}

struct Column {
  std::vector<double> mean, error;
};
Column column(const test::Outcome& o, const std::string& tally, const std::string& score) {
  const std::string path = "tallies/" + tally + "/" + score;
  return {o.numbers(path), o.numbers(path + "_standard_error")};
}
test::Outcome run(const std::string& text, Index batches = 20) {
  return test::run<TransportModule>(text, 1, 0, batches, batches);
}
void check_near(double mean, double error, double expected) {
  CAPTURE(mean);
  CAPTURE(error);
  CAPTURE(expected);
  CHECK(std::abs(mean - expected) <= 4 * error + 1e-12 * expected);
}
/// Checks that two runs agree within their errors.
void check_agreement(const test::Outcome& a, const test::Outcome& b) {
  const std::pair<const char*, const char*> all[] = {
      {"out", "current"},        {"tracks", "flux"}, {"several", "flux"},
      {"several", "absorption"}, {"cells", "flux"},  {"collisions", "flux"},
      {"absorbed", "absorption"}};
  for (const auto& [tally, score] : all) {
    const Column first = column(a, tally, score), second = column(b, tally, score);
    for (std::size_t i = 0; i < first.mean.size(); ++i) {
      CAPTURE(tally);
      CAPTURE(score);
      CAPTURE(i);
      check_near(first.mean[i], std::hypot(first.error[i], second.error[i]), second.mean[i]);
    }
  }
}
double variance(const Column& c) { return c.error[0] * c.error[0]; }

}  // namespace

TEST_CASE("forced collisions: the colliding and the uncollided part have their exact weights") {
  // Of a beam that starts at the centre of cell `front`, the fraction exp(-1) enters the layer, and
  // the fraction 1 - exp(-0.05) of this collides there. All particles enter with the weight 1, so
  // the variance of both parts is only that of the number of particles that enter.
  const auto run_with = [](const std::string& tables) {
    std::string text = slab_config(4, 0.05, 0, "", beam_from("1.0") + tables);
    text.replace(text.find("b.x_max"), 7, "q");
    return run(text);
  };
  const test::Outcome o = run_with(forced);
  const Column absorbed = column(o, "absorbed", "absorption"), out = column(o, "out", "current");
  check_near(absorbed.mean[0], absorbed.error[0], std::exp(-1.0) * -std::expm1(-0.05));
  check_near(out.mean[0], out.error[0], std::exp(-1.05));
  CHECK(absorbed.mean[0] / out.mean[0] == doctest::Approx(std::expm1(0.05)).epsilon(1e-12));
  // Without forced collisions, 18 of the 368 particles that enter per batch collide.
  const Column without_biasing = column(run_with(""), "absorbed", "absorption");
  CHECK(variance(absorbed) < 0.1 * variance(without_biasing));
}

TEST_CASE("forced collisions: runs with and without them agree") {
  for (const char* run_keys : {"", "capture = \"analog\"\n", "time_cutoff = 8e-3\n"}) {
    CAPTURE(run_keys);
    check_agreement(run(slab_config(4, 0.2, 0.7, run_keys, point_source + forced)),
                    run(slab_config(4, 0.2, 0.7, run_keys, point_source)));
  }
  // A layer of 3 mean free paths, with weight windows.
  check_agreement(run(slab_config(4, 3, 0.7, "", point_source + forced + window_table(4, 0.8))),
                  run(slab_config(4, 3, 0.7, "", point_source)));
  check_agreement(run(slab_config(4, 0.3, 0.7, "",
                                  point_source + forced + window_table(4, 0.5) + transform("0.4"))),
                  run(slab_config(4, 0.3, 0.7, "", point_source)));
}

TEST_CASE(
    "forced collisions: they reduce the variance of a point detector near a thin scattering "
    "layer") {
  const std::string detector =
      "[[point_detector]]\nname = \"d\"\nposition = [2.5, 0.5, 0.0]\nexclusion_radius = 0.1\n"
      "[[tally]]\nname = \"d\"\nscores = [\"flux\"]\ndetectors = [\"d\"]\n"
      "parts = [\"collided\"]\n";
  const auto run_with = [&](const std::string& tables) {
    std::string text = slab_config(4, 0.02, 0.5, "", beam_from("1.9") + detector + tables);
    // Detectors cannot be between parallel reflective planes.
    for (std::size_t at; (at = text.find("reflective")) != std::string::npos;)
      text.replace(at, 10, "vacuum");
    // Only the layer scatters.
    text.replace(text.find("[[0.500000]]"), 12, "[[0.0]]");
    return column(run(text), "d", "flux");
  };
  const Column without_biasing = run_with(""), with_biasing = run_with(forced);
  check_near(with_biasing.mean[0], std::hypot(with_biasing.error[0], without_biasing.error[0]),
             without_biasing.mean[0]);
  CHECK(variance(with_biasing) < 0.2 * variance(without_biasing));
}

TEST_CASE(
    "exponential transform: a beam through 10 and 20 mean free paths is attenuated exponentially") {
  for (const int depth : {10, 20}) {
    const test::Outcome o = run(slab_config(
        depth, 1, 0, "", beam_from("1e-9") + transform("0.85") + window_table(depth, 0.85)));
    CAPTURE(depth);
    const Column out = column(o, "out", "current");
    check_near(out.mean[0], out.error[0], std::exp(-1.0 * depth));
    // With 20,000 analog particles the relative error would be sqrt(exp(10) / 20000) = 1.05, and
    // for 20 mean free paths 156.
    CHECK(out.error[0] < (depth == 10 ? 0.03 : 0.06) * std::exp(-1.0 * depth));
    // The flux along the beam, from tracks of decreasing weights.
    for (const char* tally : {"tracks", "several"}) {
      const Column flux = column(o, tally, "flux");
      for (std::size_t i = 0; i < flux.mean.size(); ++i) {
        CAPTURE(i);
        const double from = 0.5 * static_cast<double>(i);
        check_near(flux.mean[i], flux.error[i], std::exp(-from) - std::exp(-from - 0.5));
      }
    }
  }
}

TEST_CASE("exponential transform: runs with and without it agree") {
  const std::string directions[] = {"direction = [1.0, 0.0, 0.0]", "direction = [0.6, 0.8, 0.0]",
                                    "towards = [3.5, 0.2, 0.1]"};
  const test::Outcome without_biasing = run(slab_config(4, 0.4, 0.6, "", point_source));
  for (const std::string& direction : directions) {
    CAPTURE(direction);
    check_agreement(run(slab_config(4, 0.4, 0.6, "", point_source + transform("0.5", direction))),
                    without_biasing);
    check_agreement(
        run(slab_config(4, 0.4, 0.6, "",
                        point_source + transform("0.5", direction) + window_table(4, 0.8))),
        without_biasing);
  }
  check_agreement(run(slab_config(4, 0.4, 0.6, "", point_source + transform("-0.3"))),
                  without_biasing);
  const std::string late = "time_cutoff = 4e-3\n";
  check_agreement(run(slab_config(4, 0.4, 0.6, late, point_source + transform("0.5"))),
                  run(slab_config(4, 0.4, 0.6, late, point_source)));
}

TEST_CASE("exponential transform: with weight windows it reduces the cost of deep penetration") {
  // The cost is the relative variance times the number of flights, for 12 mean free paths of a
  // material in which 0.3 of the collisions are scattering.
  const auto cost = [](const std::string& tables) {
    const test::Outcome o = run(slab_config(12, 1, 0.3, "", point_source + tables));
    const auto& flights = o.results.datasets.at("batches/flights");
    std::int64_t count = 0;
    std::memcpy(&count, flights.bytes.data(), sizeof count);
    const Column out = column(o, "out", "current");
    CHECK(out.mean[0] > 0);
    return variance(out) / (out.mean[0] * out.mean[0]) * static_cast<double>(count);
  };
  const double with_transform = cost(window_table(12, 0.95) + transform("0.7"));
  const double without_transform = cost(window_table(12, 0.95));
  CAPTURE(with_transform);
  CAPTURE(without_transform);
  CHECK(with_transform < without_transform);
}

TEST_CASE("forced collisions and exponential transform: the same bits on any ranks and threads") {
  const std::string tables =
      point_source + forced + transform("0.4", "towards = [4.0, 0.0, 0.0]") + window_table(4, 0.7);
  std::string text = slab_config(4, 0.3, 0.5, "", tables);
  text.replace(text.find("particles = 1000\nbatches = 20"), 29, "particles = 500\nbatches = 6");
  std::string decomposed = text, in_passes = text;
  decomposed.insert(decomposed.find("particles"), "domain = \"decomposed\"\n");
  in_passes.insert(in_passes.find("particles"), "flights_per_pass = 2\n");
  const test::Outcome reference = test::run<TransportModule>(text, 1, 0, 6, 6);
  for (const int ranks : {1, 2, 3})
    test::check_outcome_is_reproduced<TransportModule>(text, reference, ranks, 6, 2, 3);
  for (const int ranks : {2, 3, 4})
    test::check_outcome_is_reproduced<TransportModule>(decomposed, reference, ranks, 6, 2, 3);
  test::check_outcome_is_reproduced<TransportModule>(in_passes, reference, 2, 6, 2, 3);
}

TEST_CASE("forced collisions and exponential transform: invalid configurations are refused") {
  const auto check_refused = [](const std::string& tables, const char* expected,
                                const std::string& run_keys = {}) {
    const std::string message = test::config_error_message<TransportModule>(
        slab_config(4, 0.3, 0.5, run_keys, point_source + tables));
    CAPTURE(tables);
    CHECK_MESSAGE(message.find(expected) != std::string::npos, message);
  };
  check_refused("[forced_collisions]\ncells = []\n", "cells");
  check_refused("[forced_collisions]\ncells = [\"x\"]\n", "there is no cell `x`");
  check_refused(transform("1.0"), "parameter");
  check_refused(transform("0.5", ""), "paths are stretched in a `direction` or `towards` a point");
  check_refused(transform("0.5", "direction = [1.0, 0.0, 0.0]\ntowards = [1.0, 0.0, 0.0]"),
                "paths are stretched in a `direction` or `towards` a point");
  check_refused("[[exponential_transform]]\nparameter = 0.5\ndirection = [1.0, 0.0, 0.0]\n",
                "the transform acts in `cells` or in `materials`");
  check_refused(
      "[[exponential_transform]]\nmaterials = [\"x\"]\nparameter = 0.5\n"
      "direction = [1.0, 0.0, 0.0]\n",
      "there is no material `x`");
  check_refused(transform("0.5") + transform("0.4"), "two transforms act in cell `front`");
  const std::string in_void =
      "[[cell]]\nname = \"out\"\nregion = \"+b\"\nfill = \"void\"\n"
      "[forced_collisions]\ncells = [\"out\"]\n";
  check_refused(in_void, "nothing collides in cell `out` itself, which is filled with void");
  check_refused(forced, "cannot be given with delta tracking", "tracking = \"delta\"\n");
  std::string text = slab_config(4, 0.3, 0.5, "", point_source + forced);
  text.replace(text.find("fixed_source"), 12, "k_eigenvalue");
  CHECK(test::config_error_message<TransportModule>(text).find("cannot be given with mode") !=
        std::string::npos);
}
