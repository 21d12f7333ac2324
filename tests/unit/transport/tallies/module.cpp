// Whole runs with tallies are compared with closed forms and balances, estimators with each other;
// and they have the same bits on any number of ranks and threads, resumed or not.

#include <cmath>

#include <fmt/format.h>

#include "src/modules/transport/transport_module.hpp"
#include "support/messages.hpp"
#include "support/module_runs.hpp"
#include "support/test_executor.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

constexpr double radius = 2, sigma = 0.7;

/// Configuration of an absorbing sphere with a point source at its centre, surrounded by void.
std::string absorber_config(const std::string& run_keys, const std::string& tallies) {
  return "[transport]\nmode = \"fixed_source\"\nparticles = 2000\nbatches = 25\n" + run_keys +
         "[[material]]\nname = \"lead\"\ncapture = [0.7]\nscatter = [[0.0]]\nspeed = [1e3]\n"
         "[[surface]]\nname = \"edge\"\nkind = \"sphere\"\nradius = 2.0\n"
         "[[surface]]\nname = \"end\"\nkind = \"sphere\"\nradius = 3.0\nboundary = \"vacuum\"\n"
         "[[cell]]\nname = \"ball\"\nregion = \"-edge\"\nfill = \"lead\"\n"
         "[[cell]]\nname = \"shell\"\nregion = \"+edge -end\"\nfill = \"void\"\n"
         "[[source]]\nspace = {kind = \"point\", position = [0.0, 0.0, 0.0]}\n" +
         tallies;
}

struct Column {
  std::vector<double> mean, error;
};
Column column(const test::Outcome& outcome, const std::string& tally, const std::string& score) {
  const std::string path = "tallies/" + tally + "/" + score;
  return {outcome.numbers(path), outcome.numbers(path + "_standard_error")};
}
void check_near(const Column& c, std::size_t row, double expected) {
  CAPTURE(row);
  CAPTURE(c.mean[row]);
  CAPTURE(c.error[row]);
  CHECK(std::abs(c.mean[row] - expected) <= 3.5 * c.error[row] + 1e-12 * std::abs(expected));
}
test::Outcome run(const std::string& text, Index batches) {
  return test::run<TransportModule>(text, 1, 0, batches, batches);
}

/// Configuration of two groups and a lattice of pins with reflective boundaries.
std::string pin_lattice_config(const std::string& run_keys, const std::string& tallies) {
  return "[transport]\nmode = \"k_eigenvalue\"\n" + run_keys +
         "[[material]]\nname = \"fuel\"\nfission = [0.01, 0.2]\ncapture = [0.02, 0.1]\n"
         "nu = [2.5, 2.4]\nchi = [1.0, 0.0]\nkappa_fission = [2e6, 4e7]\n"
         "scatter = [[0.25, 0.02], [0.0, 0.4]]\n"
         "[[material]]\nname = \"water\"\ncapture = [0.001, 0.02]\n"
         "scatter = [[0.3, 0.1], [0.0, 1.5]]\n"
         "[[surface]]\nname = \"pin\"\nkind = \"z_cylinder\"\nradius = 0.5\n"
         "[[box]]\nname = \"b\"\nlower = [-1.2, -1.2, -1.0]\nupper = [1.2, 1.2, 1.0]\n"
         "boundary = \"reflective\"\n"
         "[[cell]]\nname = \"all\"\nregion = \"-b\"\nfill = \"grid\"\n"
         "[[cell]]\nname = \"rod\"\nuniverse = \"p\"\nregion = \"-pin\"\nfill = \"fuel\"\n"
         "[[cell]]\nname = \"around\"\nuniverse = \"p\"\nregion = \"+pin\"\nfill = \"water\"\n"
         "[[lattice]]\nname = \"grid\"\nkind = \"rectangular\"\npitch = [1.2, 1.2]\n"
         "center = [0.0, 0.0]\nuniverses = [\"p p\", \"p p\"]\n" +
         tallies;
}
const std::string pin_tallies =
    "[[mesh]]\nname = \"m\"\nlower_left = [-1.2, -1.2]\nupper_right = [1.2, 1.2]\nshape = [5, 4]\n"
    "[[mesh]]\nname = \"round\"\nkind = \"cylindrical\"\nr = [0.0, 0.5, 2.0]\nphi = [0, 90, 180]\n"
    "[[tally]]\nname = \"map\"\nscores = [\"flux\", \"k\"]\nmesh = \"m\"\nenergy = \"groups\"\n"
    "[[tally]]\nname = \"cells\"\nscores = [\"nu-fission\", \"absorption\"]\ncells = [\"rod\", "
    "\"around\", \"all\"]\nestimator = \"collision\"\n"
    "[[tally]]\nname = \"events\"\nscores = [\"scatter\", \"absorption\", \"kappa-fission\"]\n"
    "materials = [\"fuel\", \"water\"]\nestimator = \"analog\"\n"
    "[[tally]]\nname = \"whole\"\nscores = [\"flux\", \"k\", \"production\"]\n"
    "[[tally]]\nname = \"cylindrical\"\nscores = [\"flux\"]\nmesh = \"round\"\n";

}  // namespace

TEST_CASE(
    "transport module tallies: all estimators agree with closed forms for a point source in an "
    "absorbing "
    "sphere") {
  const std::string tallies =
      "[[tally]]\nname = \"tracks\"\nscores = [\"flux\", \"absorption\"]\ncells = [\"ball\", "
      "\"shell\"]\n"
      "[[tally]]\nname = \"collisions\"\nscores = [\"total\", \"absorption\"]\nmaterials = "
      "[\"lead\"]\nestimator = \"collision\"\n"
      "[[tally]]\nname = \"events\"\nscores = [\"absorption\", \"total\"]\nestimator = "
      "\"analog\"\n"
      "[[tally]]\nname = \"surfaces\"\nscores = [\"current\", \"flux\"]\nsurfaces = [\"edge\", "
      "\"end\"]\n"
      "[[tally]]\nname = \"times\"\nscores = [\"flux\"]\ntime = [0.0, 1e-3, 2.5e-3, 1.0]\n"
      "[[mesh]]\nname = \"half\"\nlower_left = [0.0]\nupper_right = [4.0]\nshape = [1]\n"
      "[[tally]]\nname = \"half\"\nscores = [\"flux\"]\nmesh = \"half\"\n";
  const auto flux = [](double a, double b) {
    return (std::exp(-sigma * a) - std::exp(-sigma * b)) / sigma;
  };
  const double transmission = std::exp(-sigma * radius);
  for (const char* capture : {"analog", "implicit"}) {
    const auto outcome =
        run(absorber_config("capture = \"" + std::string(capture) + "\"\n", tallies), 25);
    const Column tracks = column(outcome, "tracks", "flux");
    check_near(tracks, 0, flux(0, radius));
    check_near(tracks, 1, transmission);
    check_near(column(outcome, "tracks", "absorption"), 0, 1 - transmission);
    check_near(column(outcome, "collisions", "total"), 0, 1 - transmission);
    check_near(column(outcome, "collisions", "absorption"), 0, 1 - transmission);
    check_near(column(outcome, "events", "absorption"), 0, 1 - transmission);
    check_near(column(outcome, "events", "total"), 0, 1 - transmission);
    check_near(column(outcome, "surfaces", "current"), 0, transmission);
    check_near(column(outcome, "surfaces", "current"), 1, transmission);
    check_near(column(outcome, "surfaces", "flux"), 0, transmission);  // all cross along the normal
    // At 1e3 cm/s, the time bins end at 1 cm, 2.5 cm and beyond the boundary.
    const Column times = column(outcome, "times", "flux");
    check_near(times, 0, flux(0, 1));
    check_near(times, 1, flux(1, 2) + transmission / 2);
    check_near(times, 2, transmission / 2);
    check_near(column(outcome, "half", "flux"), 0, (flux(0, radius) + transmission) / 2);
  }
}

TEST_CASE("transport module tallies: delta tracking tallies the flux in void") {
  const std::string tallies =
      "[[tally]]\nname = \"cells\"\nscores = [\"flux\", \"absorption\"]\ncells = [\"ball\", "
      "\"shell\"]\n[[tally]]\nname = \"all\"\nscores = [\"flux\"]\n"
      "[[tally]]\nname = \"out\"\nscores = [\"current\"]\nsurfaces = [\"end\"]\n";
  const auto outcome = run(absorber_config("tracking = \"delta\"\n", tallies), 25);
  const double transmission = std::exp(-sigma * radius);
  check_near(column(outcome, "cells", "flux"), 0, (1 - transmission) / sigma);
  check_near(column(outcome, "cells", "flux"), 1, transmission);
  check_near(column(outcome, "cells", "absorption"), 0, 1 - transmission);
  check_near(column(outcome, "all", "flux"), 0, (1 - transmission) / sigma + transmission);
  check_near(column(outcome, "out", "current"), 0, transmission);
}

TEST_CASE("transport module tallies: bins add up to totals, and estimators agree") {
  const auto outcome =
      run(pin_lattice_config("particles = 1000\nbatches = 60\ninactive = 20\n", pin_tallies), 60);
  double flux = 0, k = 0;
  const Column map = column(outcome, "map", "flux"), map_k = column(outcome, "map", "k");
  for (const double x : map.mean) flux += x;
  for (const double x : map_k.mean) k += x;
  CHECK(map.mean.size() == 40);
  CHECK(flux == doctest::Approx(column(outcome, "whole", "flux").mean[0]).epsilon(1e-12));
  CHECK(k == doctest::Approx(column(outcome, "whole", "k").mean[0]).epsilon(1e-12));
  const auto means = outcome.numbers("estimates/mean"),
             errors = outcome.numbers("estimates/standard_error");
  check_near(column(outcome, "whole", "k"), 0, means[3]);  // k_track_length
  CHECK(column(outcome, "whole", "k").mean[0] == doctest::Approx(means[3]).epsilon(1e-12));
  CHECK(column(outcome, "whole", "production").mean[0] == doctest::Approx(means[3]).epsilon(1e-12));
  const Column cells = column(outcome, "cells", "absorption");
  CHECK(cells.mean[2] == doctest::Approx(cells.mean[0] + cells.mean[1]).epsilon(1e-12));
  // Nothing leaks: all source particles are absorbed.
  const Column absorbed = column(outcome, "events", "absorption");
  const double error = std::hypot(absorbed.error[0], absorbed.error[1]);
  CHECK(std::abs(absorbed.mean[0] + absorbed.mean[1] - 1) < 4 * error + 0.02);
  CHECK(std::abs(cells.mean[0] - absorbed.mean[0]) < 1e-9);  // implicit capture: the same sum
  const Column cylindrical = column(outcome, "cylindrical", "flux");
  CHECK(cylindrical.mean.size() == 4);
  CHECK(std::abs(cylindrical.mean[0] + cylindrical.mean[1] + cylindrical.mean[2] +
                 cylindrical.mean[3] - flux / 2) < 0.05 * flux);
}

TEST_CASE(
    "transport module tallies: threads that share the sums of a large mesh give the same results") {
  // 300,000 values of 16 bytes: above the limit for separate sums of each thread.
  const std::string text = pin_lattice_config(
      "particles = 2000\nbatches = 3\ninactive = 1\n",
      "[[mesh]]\nname = \"m\"\nlower_left = [-1.2, -1.2, -1.0]\nupper_right = [1.2, 1.2, 1.0]\n"
      "shape = [50, 60, 50]\n[[tally]]\nname = \"fine\"\nscores = [\"flux\"]\nmesh = \"m\"\n"
      "energy = \"groups\"\n");
  const auto run_on_threads = [&](int threads) {
    return test::run<TransportModule>(text, 1, 0, 3, 3, nullptr, threads);
  };
  const test::Outcome one_thread = run_on_threads(1), four_threads = run_on_threads(4);
  CHECK(four_threads.digest == one_thread.digest);
  CHECK(four_threads.results == one_thread.results);
}

TEST_CASE(
    "transport module tallies: any slices, ranks, threads and restarts give the same tallies") {
  const std::string text =
      pin_lattice_config("particles = 300\nbatches = 9\ninactive = 2\n", pin_tallies);
  const test::Outcome reference = test::run<TransportModule>(text, 1, 0, 9, 9);
  for (const int ranks : {1, 2, 3, 5})
    test::check_outcome_is_reproduced<TransportModule>(text, reference, ranks, 9, 2, 5);
}

TEST_CASE("transport module tallies: a trigger is met once the relative error is small enough") {
  const std::string text = absorber_config("",
                                           "[[tally]]\nname = \"t\"\nscores = [\"flux\"]\n"
                                           "trigger = {relative_error = 0.003}\n");
  TransportModule module;
  ConfigFile file = ConfigFile::parse(text, "test.toml");
  configure(module, file);
  module.plan(Context{Communicator::self(), gsim::test::test_executor(1)});
  module.prepare();
  module.advance(0, 3);
  CHECK(!module.evaluate(3).all_converged);
  module.advance(3, 22);
  CHECK(module.evaluate(25).all_converged);
  CHECK(test::contains(module.report().footer.back(), "tally `t`: 1 value, relative errors"));
}

namespace {

/// A beam through an absorber of `thickness` mean free paths; the fraction exp(-thickness) is
/// transmitted.
std::string slab_config(double thickness, const std::string& trigger) {
  return fmt::format(
      "[transport]\nmode = \"fixed_source\"\nparticles = 1000\nbatches = 30\n"
      "capture = \"analog\"\n"
      "[[material]]\nname = \"lead\"\ncapture = [1.0]\nscatter = [[0.0]]\n"
      "[[surface]]\nname = \"near\"\nkind = \"x_plane\"\nx = -1.0\nboundary = \"vacuum\"\n"
      "[[surface]]\nname = \"far\"\nkind = \"x_plane\"\nx = {}\nboundary = \"vacuum\"\n"
      "[[cell]]\nname = \"slab\"\nregion = \"+near -far\"\nfill = \"lead\"\n"
      "[[source]]\nspace = {{kind = \"point\", position = [0.0, 0.0, 0.0]}}\n"
      "angle = {{kind = \"beam\", axis = [1.0, 0.0, 0.0]}}\n"
      "[[tally]]\nname = \"out\"\nscores = [\"current\"]\nsurfaces = [\"far\"]\n{}",
      thickness, trigger);
}

}  // namespace

TEST_CASE("transport module tallies: confidence intervals of a rare score cover the exact value") {
  // 30,000 histories, of which 6.0 are transmitted on average.
  constexpr double thickness = 8.52;
  const std::string text = slab_config(thickness, "");
  int outside_interval = 0, with_score = 0, with_remark = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto outcome = test::run<TransportModule>(text, 1, 0, 30, 30, nullptr, 1, {}, seed);
    const Column transmission = column(outcome, "out", "current");
    const double scoring =
        static_cast<double>(outcome.integers("tallies/out/current_scoring_batches")[0]);
    const double vov = outcome.numbers("tallies/out/current_vov")[0];
    if (transmission.mean[0] == 0) continue;
    ++with_score;
    // 2.045: the 97.5 % quantile of Student's t for 29 degrees of freedom.
    outside_interval +=
        std::abs(transmission.mean[0] - std::exp(-thickness)) > 2.045 * transmission.error[0] ? 1
                                                                                              : 0;
    CHECK(scoring <= 30000 * transmission.mean[0] + 0.5);
    CHECK(vov > 0.02);
    const bool has_remark = test::contains(outcome.report.footer.back(),
                                           "it is estimated from fewer than 10 contributing");
    with_remark += has_remark ? 1 : 0;
  }
  CHECK(with_score >= 58);
  CHECK(outside_interval <= 7);  // 3 of 60 are expected, with a standard deviation of 1.7
  // The remark appears with at most nine transmitted particles, which has the probability 92 %.
  CHECK(with_remark >= 45);
}

TEST_CASE("transport module tallies: a trigger is not met by scores from few batches") {
  // An absolute error that even a single particle would satisfy.
  TransportModule module;
  ConfigFile file =
      ConfigFile::parse(slab_config(9.0, "trigger = {absolute_error = 0.1}\n"), "test.toml");
  configure(module, file);
  module.plan(Context{Communicator::self(), gsim::test::test_executor(1)});
  module.prepare();
  module.advance(0, 10);
  CHECK(!module.evaluate(10).all_converged);
  module.advance(10, 20);
  CHECK(!module.evaluate(30).all_converged);
  // The leakage is equally rare.
  const Estimate leakage = module.estimates().front();
  CHECK(leakage.name == "leakage");
  CHECK(leakage.contributing_samples < 10);
  CHECK(test::contains(leakage.remark, "of 30 samples contribute: the error is widened"));
  // With many transmitted particles, the same trigger is met by the first ten batches.
  TransportModule frequent_module;
  ConfigFile frequent_file =
      ConfigFile::parse(slab_config(1.0, "trigger = {absolute_error = 0.1}\n"), "test.toml");
  configure(frequent_module, frequent_file);
  frequent_module.plan(Context{Communicator::self(), gsim::test::test_executor(1)});
  frequent_module.prepare();
  frequent_module.advance(0, 10);
  CHECK(frequent_module.evaluate(10).all_converged);
  CHECK(frequent_module.estimates().front().remark.empty());
}

TEST_CASE(
    "transport module tallies: tallies that a statepoint cannot hold are reported before the run") {
  const auto warnings = [](const std::string& files) {
    TransportModule module;
    ConfigFile file = ConfigFile::parse(
        absorber_config("", files + "[[tally]]\nname = \"plain\"\nscores = [\"flux\"]\n"
                                    "[[tally]]\nname = \"up\"\nscores = [\"flux\"]\n"
                                    "cosine = [0.0, 1.0]\naxis = [0.0, 0.0, 1.0]\n"),
        "test.toml");
    configure(module, file);
    Context context{Communicator::self(), Executor::host(1)};
    std::string all;
    context.warn = [&](const std::string& line) { all += line + "\n"; };
    module.plan(context);
    return all;
  };
  CHECK(warnings("") == "");
  const std::string text = warnings("[tallies]\nstatepoint = true\n");
  CHECK(test::contains(text, "tally `up` will not be in the statepoint"));
  CHECK(!test::contains(text, "plain"));
}
