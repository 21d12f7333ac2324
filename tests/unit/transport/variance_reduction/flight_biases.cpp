// Forced collisions and the exponential transform: closed forms, comparisons with analog runs,
// variances, and the same bits on any ranks and threads.

#include <cmath>

#include <fmt/format.h>

#include "src/modules/transport/transport_module.hpp"
#include "support/module_runs.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

/// A slab from x = 0 to `depth` between reflective planes, of one mean free path per cm, with a
/// layer from 2 to 3 cm of `thin` mean free paths; a fraction `scatter` of all collisions is
/// scattering.
std::string wall(int depth, double thin, double scatter, const std::string& run,
                 const std::string& more) {
  const auto material = [&](const char* name, double total) {
    return "[[material]]\nname = \"" + std::string(name) + "\"\ntotal = [" + std::to_string(total) +
           "]\nscatter = [[" + std::to_string(scatter * total) + "]]\nspeed = [1e3]\n";
  };
  return "[transport]\nmode = \"fixed_source\"\nparticles = 1000\nbatches = 20\n" + run +
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
         more;
}
std::string beam_from(const std::string& x) {
  return "[[source]]\nspace = {kind = \"point\", position = [" + x +
         ", 0.0, 0.0]}\nangle = {kind = \"beam\", axis = [1.0, 0.0, 0.0]}\n";
}
const std::string point = "[[source]]\nspace = {kind = \"point\", position = [1.0, 0.0, 0.0]}\n";
const std::string forced = "[forced_collisions]\ncells = [\"layer\"]\n";
std::string transform(const std::string& parameter,
                      const std::string& direction = "direction = [1.0, 0.0, 0.0]") {
  return "[[exponential_transform]]\ncells = [\"front\", \"layer\", \"back\"]\nparameter = " +
         parameter + "\n" + direction + "\n";
}
/// Windows along x for weights that decrease as exp(-slope x).
std::string windows(int depth, double slope) {
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
  const std::string at = "tallies/" + tally + "/" + score;
  return {o.numbers(at), o.numbers(at + "_standard_error")};
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
    const Column one = column(a, tally, score), other = column(b, tally, score);
    for (std::size_t i = 0; i < one.mean.size(); ++i) {
      CAPTURE(tally);
      CAPTURE(score);
      CAPTURE(i);
      check_near(one.mean[i], std::hypot(one.error[i], other.error[i]), other.mean[i]);
    }
  }
}
double variance(const Column& c) { return c.error[0] * c.error[0]; }

}  // namespace

TEST_CASE("forced collisions: weights of the colliding and the uncollided part") {
  // Of a beam at the centre of the front, exp(-1) enters the layer, and 1 - exp(-0.05) of that
  // collides there. Particles enter with the weight 1, so that both have only the variance of the
  // number of particles that enter.
  const auto found = [](const std::string& more) {
    std::string text = wall(4, 0.05, 0, "", beam_from("1.0") + more);
    text.replace(text.find("b.x_max"), 7, "q");
    return run(text);
  };
  const test::Outcome o = found(forced);
  const Column absorbed = column(o, "absorbed", "absorption"), out = column(o, "out", "current");
  check_near(absorbed.mean[0], absorbed.error[0], std::exp(-1.0) * -std::expm1(-0.05));
  check_near(out.mean[0], out.error[0], std::exp(-1.05));
  CHECK(absorbed.mean[0] / out.mean[0] == doctest::Approx(std::expm1(0.05)).epsilon(1e-12));
  // Without forced collisions, 18 of the 368 particles that enter per batch collide.
  const Column plain = column(found(""), "absorbed", "absorption");
  CHECK(variance(absorbed) < 0.1 * variance(plain));
}

TEST_CASE("forced collisions: runs with them agree with those without") {
  for (const char* more : {"", "capture = \"analog\"\n", "time_cutoff = 8e-3\n"}) {
    CAPTURE(more);
    check_agreement(run(wall(4, 0.2, 0.7, more, point + forced)),
                    run(wall(4, 0.2, 0.7, more, point)));
  }
  // A layer of 3 mean free paths, with planes of windows inside.
  check_agreement(run(wall(4, 3, 0.7, "", point + forced + windows(4, 0.8))),
                  run(wall(4, 3, 0.7, "", point)));
  check_agreement(run(wall(4, 0.3, 0.7, "", point + forced + windows(4, 0.5) + transform("0.4"))),
                  run(wall(4, 0.3, 0.7, "", point)));
}

TEST_CASE("forced collisions: scattering in a thin layer contributes to a point detector") {
  const std::string detector =
      "[[point_detector]]\nname = \"d\"\nposition = [2.5, 0.5, 0.0]\nexclusion_radius = 0.1\n"
      "[[tally]]\nname = \"d\"\nscores = [\"flux\"]\ndetectors = [\"d\"]\n"
      "parts = [\"collided\"]\n";
  const auto found = [&](const std::string& more) {
    std::string text = wall(4, 0.02, 0.5, "", beam_from("1.9") + detector + more);
    // Detectors cannot be between parallel reflective planes.
    for (std::size_t at; (at = text.find("reflective")) != std::string::npos;)
      text.replace(at, 10, "vacuum");
    // Only the layer scatters.
    text.replace(text.find("[[0.500000]]"), 12, "[[0.0]]");
    return column(run(text), "d", "flux");
  };
  const Column plain = found(""), with = found(forced);
  check_near(with.mean[0], std::hypot(with.error[0], plain.error[0]), plain.mean[0]);
  CHECK(variance(with) < 0.2 * variance(plain));
}

TEST_CASE("exponential transform: a beam through 10 and 20 mean free paths") {
  for (const int depth : {10, 20}) {
    const test::Outcome o =
        run(wall(depth, 1, 0, "", beam_from("1e-9") + transform("0.85") + windows(depth, 0.85)));
    CAPTURE(depth);
    const Column out = column(o, "out", "current");
    check_near(out.mean[0], out.error[0], std::exp(-1.0 * depth));
    // Of 20,000 analog particles the relative error would be sqrt(exp(10) / 20000) = 1.05, and for
    // 20 mean free paths 156.
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

TEST_CASE("exponential transform: runs with it agree with those without") {
  const std::string directions[] = {"direction = [1.0, 0.0, 0.0]", "direction = [0.6, 0.8, 0.0]",
                                    "towards = [3.5, 0.2, 0.1]"};
  const test::Outcome plain = run(wall(4, 0.4, 0.6, "", point));
  for (const std::string& direction : directions) {
    CAPTURE(direction);
    check_agreement(run(wall(4, 0.4, 0.6, "", point + transform("0.5", direction))), plain);
    check_agreement(
        run(wall(4, 0.4, 0.6, "", point + transform("0.5", direction) + windows(4, 0.8))), plain);
  }
  check_agreement(run(wall(4, 0.4, 0.6, "", point + transform("-0.3"))), plain);
  const std::string late = "time_cutoff = 4e-3\n";
  check_agreement(run(wall(4, 0.4, 0.6, late, point + transform("0.5"))),
                  run(wall(4, 0.4, 0.6, late, point)));
}

TEST_CASE("exponential transform: it penetrates deeper with windows than without") {
  // 12 mean free paths, 0.3 of the collisions are scattering: variance times number of flights.
  const auto cost = [](const std::string& more) {
    const test::Outcome o = run(wall(12, 1, 0.3, "", point + more));
    const auto& flights = o.results.datasets.at("batches/flights");
    std::int64_t count = 0;
    std::memcpy(&count, flights.bytes.data(), sizeof count);
    const Column out = column(o, "out", "current");
    CHECK(out.mean[0] > 0);
    return variance(out) / (out.mean[0] * out.mean[0]) * static_cast<double>(count);
  };
  const double with = cost(windows(12, 0.95) + transform("0.7"));
  const double without = cost(windows(12, 0.95));
  CAPTURE(with);
  CAPTURE(without);
  CHECK(with < without);
}

TEST_CASE("forced collisions and exponential transform: the same on any ranks and threads") {
  const std::string more =
      point + forced + transform("0.4", "towards = [4.0, 0.0, 0.0]") + windows(4, 0.7);
  std::string text = wall(4, 0.3, 0.5, "", more);
  text.replace(text.find("particles = 1000\nbatches = 20"), 29, "particles = 500\nbatches = 6");
  std::string decomposed = text, passes = text;
  decomposed.insert(decomposed.find("particles"), "domain = \"decomposed\"\n");
  passes.insert(passes.find("particles"), "flights_a_pass = 2\n");
  const test::Outcome whole = test::run<TransportModule>(text, 1, 0, 6, 6);
  for (const int ranks : {1, 2, 3}) test::check_same<TransportModule>(text, whole, ranks, 6, 2, 3);
  for (const int ranks : {2, 3, 4})
    test::check_same<TransportModule>(decomposed, whole, ranks, 6, 2, 3);
  test::check_same<TransportModule>(passes, whole, 2, 6, 2, 3);
}

TEST_CASE("forced collisions and exponential transform: invalid configurations are refused") {
  const auto check = [](const std::string& more, const char* words, const std::string& run = {}) {
    const std::string message =
        test::refused<TransportModule>(wall(4, 0.3, 0.5, run, point + more));
    CAPTURE(more);
    CHECK_MESSAGE(message.find(words) != std::string::npos, message);
  };
  check("[forced_collisions]\ncells = []\n", "cells");
  check("[forced_collisions]\ncells = [\"x\"]\n", "there is no cell `x`");
  check(transform("1.0"), "parameter");
  check(transform("0.5", ""), "paths are stretched in a `direction` or `towards` a point");
  check(transform("0.5", "direction = [1.0, 0.0, 0.0]\ntowards = [1.0, 0.0, 0.0]"),
        "paths are stretched in a `direction` or `towards` a point");
  check("[[exponential_transform]]\nparameter = 0.5\ndirection = [1.0, 0.0, 0.0]\n",
        "the transform acts in `cells` or in `materials`");
  check(
      "[[exponential_transform]]\nmaterials = [\"x\"]\nparameter = 0.5\n"
      "direction = [1.0, 0.0, 0.0]\n",
      "there is no material `x`");
  check(transform("0.5") + transform("0.4"), "two transforms act in cell `front`");
  const std::string in_void =
      "[[cell]]\nname = \"out\"\nregion = \"+b\"\nfill = \"void\"\n"
      "[forced_collisions]\ncells = [\"out\"]\n";
  check(in_void, "nothing collides in cell `out` itself, which is filled with void");
  check(forced, "beside delta tracking", "tracking = \"delta\"\n");
  std::string text = wall(4, 0.3, 0.5, "", point + forced);
  text.replace(text.find("fixed_source"), 12, "k_eigenvalue");
  CHECK(test::refused<TransportModule>(text).find("it serves fixed sources") != std::string::npos);
}
