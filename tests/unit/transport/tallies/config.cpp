// Error messages of the tables of tallies and meshes, and the choice of estimators.

#include <doctest/doctest.h>

#include "tests/unit/transport/tallies/tallies_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

std::string error_message(const std::string& text, bool is_delta_tracking = false,
                          const std::string& system = tally_system) {
  return test::message_of<InputError>([&] { TallySystem(text, is_delta_tracking, system); });
}
void check_refused(const std::string& text, const std::vector<std::string>& expected,
                   bool is_delta_tracking = false, const std::string& system = tally_system) {
  const std::string message = error_message(text, is_delta_tracking, system);
  CAPTURE(text);
  CAPTURE(message);
  for (const std::string& expected_part : expected) CHECK(test::contains(message, expected_part));
}
std::string tally(const std::string& body) { return "[[tally]]\nname = \"t\"\n" + body + "\n"; }
const std::string flux = "scores = [\"flux\"]\n";
TallyEstimator chosen_estimator(const std::string& body, bool is_delta_tracking) {
  return TallySystem(tally(body), is_delta_tracking).plan.tallies[0].estimator;
}

}  // namespace

TEST_CASE("tally config: unknown names are reported with location and the nearest name") {
  check_refused(tally(flux + "cells = [\"cor\"]"),
                {"test.toml:", "there is no cell `cor`", "`core`"});
  check_refused(tally(flux + "universes = [\"rot\"]"), {"there is no universe `rot`", "`root`"});
  check_refused(tally(flux + "materials = [\"fule\"]"), {"there is no material `fule`", "`fuel`"});
  check_refused(tally("scores = [\"current\"]\nsurfaces = [\"outter\"]"),
                {"there is no surface `outter`", "`outer`"});
  check_refused(tally(flux + "mesh = \"m\""), {"there is no mesh `m`"});
  check_refused(tally("scores = [\"fluxx\"]"), {"there is no score `fluxx`", "`flux`"});
  check_refused(tally(flux + "estimator = \"track\""), {"there is no estimator `track`"});
  check_refused(tally(flux + "cell = [\"core\"]"), {"unknown key `cell` in [[tally]]"});
}

TEST_CASE("tally config: duplicates, unordered bounds and incomplete keys are refused") {
  check_refused(tally(flux) + tally(flux), {"two tallies have the name `t`"});
  check_refused("[[tally]]\nname = \"a b\"\n" + flux + "[[tally]]\nname = \"a_b\"\n" + flux,
                {"tallies `a b` and `a_b` would have the same file"});
  check_refused(tally(flux + "cells = [\"core\", \"core\"]"), {"`core` is listed twice"});
  check_refused(tally("scores = [\"flux\", \"flux\"]"), {"`flux` is listed twice"});
  check_refused(tally(flux + "time = [0.0, 1.0, 1.0]"), {"bounds must ascend: 1 is followed by 1"});
  check_refused(tally(flux + "cosine = [0.0, 1.0]"), {"neither an axis nor surfaces"});
  check_refused(tally(flux + "axis = [0, 0, 1]"), {"axis is given without cosine"});
  check_refused(tally(flux + "energy = \"group\""), {"energy must be \"groups\", not `group`"});
  check_refused(tally(flux + "energy_bounds = [1e-5, 0.5, 2e7]"), {"0.5 eV lies within group 2"});
  check_refused(tally(flux + "response = [1.0]"), {"1 factors for 2 groups"});
  check_refused(tally(flux + "trigger = {}"), {"the trigger sets no limit of an error"});
  const std::string mesh = "[[mesh]]\nname = \"m\"\n";
  const std::string box = mesh + "lower_left = [0, 0]\nupper_right = [1, 1]\nshape = [2, 2]\n";
  check_refused(box + box, {"two meshes have the name `m`"});
  check_refused(mesh + "lower_left = [0, 0]\nupper_right = [1, -1]\nshape = [2, 2]\n",
                {"from 0 to -1 cm along y"});
  check_refused(mesh + "lower_left = [0, 0]\nupper_right = [1, 1]\nshape = [2]\n",
                {"lower_left has 2 numbers, upper_right 2 and shape 1"});
  check_refused(mesh + "kind = \"rectilinear\"\n", {"has no bounds"});
  check_refused(mesh + "kind = \"rectilinear\"\nx = [1.0]\n", {"one bound makes no bin"});
  check_refused(mesh + "kind = \"cylindrical\"\nphi = [0, 200, 360]\n", {"wider than half a turn"});
}

TEST_CASE("tally config: the default estimator of each tally, and estimators that are refused") {
  using enum TallyEstimator;
  CHECK(chosen_estimator(flux, false) == track_length);
  CHECK(chosen_estimator(flux, true) == track_length);
  CHECK(chosen_estimator(flux + "cells = [\"core\"]", true) == collision);
  CHECK(chosen_estimator("scores = [\"fission\"]", false) == track_length);
  CHECK(chosen_estimator("scores = [\"fission\"]", true) == collision);
  CHECK(chosen_estimator("scores = [\"current\"]\nsurfaces = [\"inner\"]", false) == crossing);
  CHECK(chosen_estimator("scores = [\"current\"]\nsurfaces = [\"outer\"]", true) == crossing);
  check_refused(tally(flux + "cells = [\"core\"]\nestimator = \"track_length\""),
                {"does not locate the cells"}, true);
  check_refused(tally("scores = [\"total\"]\nestimator = \"track_length\""),
                {"has no cross sections"}, true);
  check_refused(tally("scores = [\"current\"]\nsurfaces = [\"inner\"]"),
                {"does not stop at `inner`", "tracking = \"surface\""}, true);
  check_refused(tally("scores = [\"current\"]"), {"the tally has none", "surfaces = ["});
  check_refused(tally("scores = [\"fission\"]\nsurfaces = [\"inner\"]"),
                {"fission is scored in volumes"});
  check_refused(tally("scores = [\"flux\"]\nsurfaces = [\"inner\"]\nestimator = \"collision\""),
                {"a tally at surfaces scores the crossings"});
  std::string system_with_void = tally_system;
  system_with_void.replace(system_with_void.find("fill = \"water\""), 14, "fill = \"void\"");
  check_refused(tally(flux + "estimator = \"collision\""), {"would miss void in cell `pool`"},
                false, system_with_void);
  CHECK(error_message(tally(flux + "estimator = \"collision\""), true, system_with_void) ==
        "no error");
}

TEST_CASE("tally config: scores that need missing data are refused") {
  std::string system_without_kappa = tally_system;
  system_without_kappa.replace(system_without_kappa.find("kappa_fission = [2e6, 2e7]\n"), 27, "");
  check_refused(tally("scores = [\"kappa-fission\"]"), {"material `fuel` has no kappa_fission"},
                false, system_without_kappa);
  std::string system_without_bounds = tally_system;
  system_without_bounds.replace(0, system_without_bounds.find("[[material]]"), "");
  check_refused(tally(flux + "energy_bounds = [0.0, 1.0]"),
                {"energy bounds of the groups are unknown"}, false, system_without_bounds);
}

TEST_CASE("tally config: number of values of a tally and its memory") {
  const TallySystem system(
      "[[mesh]]\nname = \"m\"\nlower_left = [0, 0]\nupper_right = [51, 51]\nshape = [51, 51]\n" +
      tally("scores = [\"flux\", \"fission\"]\nmesh = \"m\"\nenergy = \"groups\"\n"));
  CHECK(system.plan.values == 51 * 51 * 2 * 2);
  CHECK(system.plan.tallies[0].axes.size() == 2);
  const BatchPlan batches{.batches = 80, .correlated = true};
  const int threads = 2, ranks = 1;
  const double bytes = TallySet::bytes(system.plan, batches, threads, ranks, system.plan.values);
  // A bin of the mesh has 4 values (2 scores, 2 groups), and 2 sums over the groups. Each of two
  // workers has a sum of 16 bytes for each of the 4 values. Each of the 4 + 2 quantities has
  // statistics of 19 numbers of 8 bytes, a total of the batch of 16 bytes, and a value of 8 bytes.
  const double expected = 51 * 51 * (4 * 2 * 16 + (4 + 2) * (19 * 8 + 24));
  CHECK(bytes > expected);
  CHECK(bytes < 1.1 * expected);
}

TEST_CASE("tally config: the schema lists every table") {
  TalliesConfig config;
  const std::string text = schema_text([&](Section& top) {
    describe_tallies(top, config, Extensions::builtin().scores, Extensions::builtin().filters);
  });
  for (const char* expected_part : {"tally", "mesh", "lower_left", "phi", "scores", "energy_bounds",
                                    "ignore_zeros", "statepoint"})
    CHECK(test::contains(text, expected_part));
}
