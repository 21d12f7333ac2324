// Scores that plugins add are compared with closed forms and with built-in scores; error messages,
// and the same bits on any ranks.

#include <cmath>

#include "src/modules/transport/transport_module.hpp"
#include "support/messages.hpp"
#include "support/module_runs.hpp"
#include "tests/unit/transport/tallies/tallies_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

std::vector<double> describe_factor(Section& s) {
  double factor = 1;
  s.required("factor", factor, {.doc = "factor of the response"});
  return {factor};
}

/// The response of a dose, which does not depend on the material.
void dose(std::span<const double> numbers, const ScoreMaterial&, std::span<double> response) {
  for (std::size_t g = 0; g < response.size(); ++g)
    response[g] = numbers[0] * static_cast<double>(g + 1);
}
void heat(std::span<const double> numbers, const ScoreMaterial& m, std::span<double> response) {
  for (std::size_t g = 0; g < response.size(); ++g) response[g] = numbers[0] * m.absorption[g];
}
/// A score that is not finite in one material.
void not_finite(std::span<const double> numbers, const ScoreMaterial& m,
                std::span<double> response) {
  response.back() = m.name == "water" ? std::nan("") : numbers[0];
}

const ScoreKind dose_kind{"dose", "response by group", "pSv cm3", describe_factor, dose};
const ScoreKind heat_kind{"heat", "energy of absorption", "eV", describe_factor, heat};
const ScoreKind not_finite_kind{"not_finite", "not finite in water", "1", describe_factor,
                                not_finite};

Extensions extensions_with_scores(const std::vector<const ScoreKind*>& kinds) {
  Extensions extensions = Extensions::builtin();
  extensions.scores.insert(extensions.scores.end(), kinds.begin(), kinds.end());
  return extensions;
}

class ScoringModule : public TransportModule {
 public:
  ScoringModule() : TransportModule(extensions_with_scores({&dose_kind, &heat_kind})) {}
};

std::string score(const std::string& name, const std::string& kind, const std::string& factor) {
  return "[[score]]\nname = \"" + name + "\"\nkind = \"" + kind + "\"\nfactor = " + factor + "\n";
}

/// Configuration of a point source in an absorbing sphere of radius 2 cm, surrounded by void up to
/// 3 cm. `run_keys` are keys of [transport].
std::string sphere_config(const std::string& run_keys, const std::string& tallies) {
  return "[transport]\nmode = \"fixed_source\"\nparticles = 2000\nbatches = 25\n" + run_keys +
         "[[material]]\nname = \"lead\"\ncapture = [0.7]\nscatter = [[0.0]]\n"
         "[[surface]]\nname = \"edge\"\nkind = \"sphere\"\nradius = 2.0\n"
         "[[surface]]\nname = \"end\"\nkind = \"sphere\"\nradius = 3.0\nboundary = \"vacuum\"\n"
         "[[cell]]\nname = \"ball\"\nregion = \"-edge\"\nfill = \"lead\"\n"
         "[[cell]]\nname = \"shell\"\nregion = \"+edge -end\"\nfill = \"void\"\n"
         "[[source]]\nspace = {kind = \"point\", position = [0.0, 0.0, 0.0]}\n" +
         tallies;
}

TallyPlan plan(const std::string& tables, const std::vector<const ScoreKind*>& kinds) {
  TalliesConfig config;
  MaterialSet materials;
  GeometryConfig geometry;
  ConfigFile file = ConfigFile::parse(tally_system + tables, "test.toml");
  file.read([&](Section& top) {
    describe_materials(top, materials);
    describe_geometry(top, geometry, Extensions::builtin().surfaces);
    describe_tallies(top, config, extensions_with_scores(kinds).scores,
                     Extensions::builtin().filters);
  });
  validate_geometry(geometry);
  validate_tallies(config);
  const std::vector<std::string> names{"fuel", "water"};
  return plan_tallies(config, build_geometry(geometry, names), materials, {});
}

}  // namespace

TEST_CASE("tally scores: scores of plugins agree with closed forms and built-in scores") {
  const std::string tables = score("local_dose", "dose", "400.0") +
                             score("heating", "heat", "2.5e6") +
                             "[[tally]]\nname = \"t\"\nscores = [\"flux\", \"local_dose\", "
                             "\"absorption\", \"heating\"]\ncells = [\"ball\", \"shell\"]\n";
  const double transmission = std::exp(-0.7 * 2);
  for (const char* tracking : {"surface", "delta"}) {
    CAPTURE(tracking);
    const auto outcome = test::run<ScoringModule>(
        sphere_config("tracking = \"" + std::string(tracking) + "\"\n", tables), 1, 0, 25, 25);
    const auto flux = outcome.numbers("tallies/t/flux"),
               local_dose = outcome.numbers("tallies/t/local_dose");
    const auto error = outcome.numbers("tallies/t/local_dose_standard_error");
    const auto absorbed = outcome.numbers("tallies/t/absorption");
    const auto heating = outcome.numbers("tallies/t/heating");
    CHECK(std::abs(local_dose[0] - 400 * (1 - transmission) / 0.7) < 3.5 * error[0]);
    CHECK(std::abs(local_dose[1] - 400 * transmission) < 3.5 * error[1] + 1e-9);
    for (std::size_t row = 0; row < 2; ++row) {
      CHECK(local_dose[row] == doctest::Approx(400 * flux[row]).epsilon(1e-12));
      CHECK(heating[row] == doctest::Approx(2.5e6 * absorbed[row]).epsilon(1e-12));
    }
    CHECK(heating[1] == 0);
  }
}

TEST_CASE(
    "tally scores: very large and very small responses are accurate, and results have the unit of "
    "the score") {
  const auto outcome = test::run<ScoringModule>(
      sphere_config("", score("large", "dose", "3e18") + score("small", "dose", "-7e-19") +
                            "[[tally]]\nname = \"t\"\nscores = [\"flux\", \"large\", \"small\"]\n"),
      1, 0, 25, 25);
  const double flux = outcome.numbers("tallies/t/flux")[0];
  CHECK(outcome.numbers("tallies/t/large")[0] == doctest::Approx(3e18 * flux).epsilon(1e-12));
  CHECK(outcome.numbers("tallies/t/small")[0] == doctest::Approx(-7e-19 * flux).epsilon(1e-12));
  CHECK(outcome.results.attributes.at({"tallies/t/large", "unit"}) == "pSv cm3");
}

TEST_CASE("tally scores: the same bits on any ranks and threads, resumed or not") {
  const std::string text =
      "[transport]\nmode = \"k_eigenvalue\"\nparticles = 300\nbatches = 9\ninactive = 2\n" +
      tally_system + score("local_dose", "dose", "0.3") +
      "[[mesh]]\nname = \"m\"\nlower_left = [-5.0]\nupper_right = [5.0]\nshape = [7]\n"
      "[[tally]]\nname = \"map\"\nscores = [\"local_dose\", \"k\"]\nmesh = \"m\"\nenergy = "
      "\"groups\"\n"
      "[[tally]]\nname = \"hits\"\nscores = [\"local_dose\"]\nestimator = \"collision\"\n";
  const test::Outcome reference = test::run<ScoringModule>(text, 1, 0, 9, 9);
  for (const int ranks : {2, 3, 7})
    test::check_outcome_is_reproduced<ScoringModule>(text, reference, ranks, 9, 2, 5);
}

TEST_CASE("tally scores: scores with other factors or names give tallies other definitions") {
  const auto definition = [](const char* factor, const char* name = "local_dose") {
    return definition_of(
        plan(score(name, "dose", factor) + "[[tally]]\nname = \"t\"\nscores = [\"" + name + "\"]\n",
             {&dose_kind}),
        0);
  };
  CHECK(definition("0.75") == definition("0.75"));
  // Three of the factors differ from 0.75 by a power of two.
  for (const char* factor : {"1.5", "3.0", "0.375", "-0.75", "0.8"}) {
    CAPTURE(factor);
    CHECK(definition("0.75") != definition(factor));
  }
  CHECK(definition("0.75") != definition("0.75", "other_dose"));
}

int calls = 0;
void count_calls(std::span<const double>, const ScoreMaterial&, std::span<double> response) {
  ++calls;
  response[0] = 1;
}

TEST_CASE("tally scores: a response is evaluated once for all tallies") {
  const ScoreKind kind{"counted", "", "1", describe_factor, count_calls};
  std::string tallies = score("local_dose", "counted", "1.0");
  for (const char* name : {"a", "b", "c"})
    tallies +=
        "[[tally]]\nname = \"" + std::string(name) + "\"\nscores = [\"local_dose\", \"flux\"]\n";
  calls = 0;
  CHECK(plan(tallies, {&kind}).tallies.size() == 3);
  CHECK(calls == 3);  // void and two materials
}

TEST_CASE("tally scores: invalid scores and tallies are refused") {
  const std::vector<const ScoreKind*> kinds{&dose_kind, &heat_kind, &not_finite_kind};
  const auto check_refused = [&](const std::string& tables, const char* expected) {
    CAPTURE(tables);
    CHECK_THROWS_WITH_AS(plan(tables, kinds), doctest::Contains(expected), InputError);
  };
  const std::string local_dose = score("local_dose", "dose", "1.0");
  const std::string tally = "[[tally]]\nname = \"t\"\nscores = [\"local_dose\"]\n";
  plan(local_dose + tally, kinds);
  check_refused(local_dose + "[[tally]]\nname = \"t\"\nscores = [\"local_dos\"]\n",
                "no score `local_dos`");
  CHECK_THROWS_WITH_AS(plan(local_dose + tally, {}),
                       doctest::Contains("no plugin that defines scores"), ConfigError);
  check_refused(local_dose + tally + "estimator = \"analog\"\n",
                "for which there is no analog event");
  check_refused(local_dose + tally + "surfaces = [\"inner\"]\n", "local_dose is scored in volumes");
  check_refused(score("flux", "dose", "1.0") + tally, "`flux` is a built-in score");
  check_refused(score("energy_low", "dose", "1.0") + tally, "`energy_low` is a column of results");
  check_refused(local_dose + local_dose + tally, "two scores have the name `local_dose`");
  check_refused(score("local_dose", "not_finite", "1.0") + tally, "in group 2 of material `water`");
  check_refused(score("local_dose", "dos", "1.0") + tally, "dose");
  check_refused("[[score]]\nname = \"local_dose\"\nkind = \"dose\"\n" + tally, "factor");
}
