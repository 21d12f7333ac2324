// Scores of plugins: closed forms, comparison with built-in scores, errors, and reproducible bits.

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
  s.required("factor", factor, {.doc = "of the response"});
  return {factor};
}

/// A dose, which does not depend on the material.
void dose(std::span<const double> numbers, const ScoreMaterial&, std::span<double> response) {
  for (std::size_t g = 0; g < response.size(); ++g)
    response[g] = numbers[0] * static_cast<double>(g + 1);
}
void heat(std::span<const double> numbers, const ScoreMaterial& m, std::span<double> response) {
  for (std::size_t g = 0; g < response.size(); ++g) response[g] = numbers[0] * m.absorption[g];
}
/// A score that is not finite in one material.
void lost(std::span<const double> numbers, const ScoreMaterial& m, std::span<double> response) {
  response.back() = m.name == "water" ? std::nan("") : numbers[0];
}

const ScoreKind dose_kind{"dose", "by group alone", "pSv cm3", describe_factor, dose};
const ScoreKind heat_kind{"heat", "of what is absorbed", "eV", describe_factor, heat};
const ScoreKind lost_kind{"lost", "of nothing", "1", describe_factor, lost};

Extensions with_scores(const std::vector<const ScoreKind*>& kinds) {
  Extensions all = Extensions::builtin();
  all.scores.insert(all.scores.end(), kinds.begin(), kinds.end());
  return all;
}

class ScoringModule : public TransportModule {
 public:
  ScoringModule() : TransportModule(with_scores({&dose_kind, &heat_kind})) {}
};

std::string score(const std::string& name, const std::string& kind, const std::string& factor) {
  return "[[score]]\nname = \"" + name + "\"\nkind = \"" + kind + "\"\nfactor = " + factor + "\n";
}

/// A point source in an absorbing ball of 2 cm, in a shell of void up to 3 cm.
std::string ball(const std::string& run, const std::string& tallies) {
  return "[transport]\nmode = \"fixed_source\"\nparticles = 2000\nbatches = 25\n" + run +
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
    describe_tallies(top, config, with_scores(kinds).scores);
  });
  validate_geometry(geometry);
  const std::vector<std::string> names{"fuel", "water"};
  return plan_tallies(config, build_geometry(geometry, names), materials, {});
}

}  // namespace

TEST_CASE("tallies scores: doses and heat in a ball, agree with closed forms") {
  const std::string tables = score("here", "dose", "400.0") + score("warmth", "heat", "2.5e6") +
                             "[[tally]]\nname = \"t\"\nscores = [\"flux\", \"here\", "
                             "\"absorption\", \"warmth\"]\ncells = [\"ball\", \"shell\"]\n";
  const double out = std::exp(-0.7 * 2);
  for (const char* tracking : {"surface", "delta"}) {
    CAPTURE(tracking);
    const auto found = test::run<ScoringModule>(
        ball("tracking = \"" + std::string(tracking) + "\"\n", tables), 1, 0, 25, 25);
    const auto flux = found.numbers("tallies/t/flux"), here = found.numbers("tallies/t/here");
    const auto error = found.numbers("tallies/t/here_standard_error");
    const auto absorbed = found.numbers("tallies/t/absorption");
    const auto warmth = found.numbers("tallies/t/warmth");
    CHECK(std::abs(here[0] - 400 * (1 - out) / 0.7) < 3.5 * error[0]);
    CHECK(std::abs(here[1] - 400 * out) < 3.5 * error[1] + 1e-9);
    for (std::size_t row = 0; row < 2; ++row) {
      CHECK(here[row] == doctest::Approx(400 * flux[row]).epsilon(1e-12));
      CHECK(warmth[row] == doctest::Approx(2.5e6 * absorbed[row]).epsilon(1e-12));
    }
    CHECK(warmth[1] == 0);
  }
}

TEST_CASE("tallies scores: responses of any size keep their digits, and have a unit") {
  const auto found = test::run<ScoringModule>(
      ball("", score("large", "dose", "3e18") + score("small", "dose", "-7e-19") +
                   "[[tally]]\nname = \"t\"\nscores = [\"flux\", \"large\", \"small\"]\n"),
      1, 0, 25, 25);
  const double flux = found.numbers("tallies/t/flux")[0];
  CHECK(found.numbers("tallies/t/large")[0] == doctest::Approx(3e18 * flux).epsilon(1e-12));
  CHECK(found.numbers("tallies/t/small")[0] == doctest::Approx(-7e-19 * flux).epsilon(1e-12));
  CHECK(found.results.attributes.at({"tallies/t/large", "unit"}) == "pSv cm3");
}

TEST_CASE("tallies scores: the same bits on any ranks and threads, resumed or not") {
  const std::string text =
      "[transport]\nmode = \"k_eigenvalue\"\nparticles = 300\nbatches = 9\ninactive = 2\n" +
      tally_system + score("here", "dose", "0.3") +
      "[[mesh]]\nname = \"m\"\nlower_left = [-5.0]\nupper_right = [5.0]\nshape = [7]\n"
      "[[tally]]\nname = \"map\"\nscores = [\"here\", \"k\"]\nmesh = \"m\"\nenergy = \"groups\"\n"
      "[[tally]]\nname = \"hits\"\nscores = [\"here\"]\nestimator = \"collision\"\n";
  const test::Outcome whole = test::run<ScoringModule>(text, 1, 0, 9, 9);
  for (const int ranks : {1, 2, 3, 4, 7})
    test::check_same<ScoringModule>(text, whole, ranks, 9, 2, 5);
}

TEST_CASE("tallies scores: definitions differ for factors that differ by a power of two") {
  const auto definition = [](const char* factor, const char* name = "here") {
    return definition_of(
        plan(score(name, "dose", factor) + "[[tally]]\nname = \"t\"\nscores = [\"" + name + "\"]\n",
             {&dose_kind}),
        0);
  };
  CHECK(definition("0.75") == definition("0.75"));
  for (const char* factor : {"1.5", "3.0", "0.375", "-0.75", "0.8"}) {
    CAPTURE(factor);
    CHECK(definition("0.75") != definition(factor));
  }
  CHECK(definition("0.75") != definition("0.75", "there"));
}

int calls = 0;
void counted(std::span<const double>, const ScoreMaterial&, std::span<double> response) {
  ++calls;
  response[0] = 1;
}

TEST_CASE("tallies scores: a response is evaluated once for all tallies") {
  const ScoreKind kind{"counted", "", "1", describe_factor, counted};
  std::string tallies = score("here", "counted", "1.0");
  for (const char* name : {"a", "b", "c"})
    tallies += "[[tally]]\nname = \"" + std::string(name) + "\"\nscores = [\"here\", \"flux\"]\n";
  calls = 0;
  CHECK(plan(tallies, {&kind}).tallies.size() == 3);
  CHECK(calls == 3);  // void and two materials
}

TEST_CASE("tallies scores: errors") {
  const std::vector<const ScoreKind*> kinds{&dose_kind, &heat_kind, &lost_kind};
  const auto fails = [&](const std::string& tables, const char* words) {
    CAPTURE(tables);
    CHECK_THROWS_WITH_AS(plan(tables, kinds), doctest::Contains(words), InputError);
  };
  const std::string here = score("here", "dose", "1.0");
  const std::string tally = "[[tally]]\nname = \"t\"\nscores = [\"here\"]\n";
  plan(here + tally, kinds);
  fails(here + "[[tally]]\nname = \"t\"\nscores = [\"her\"]\n", "no score `her`");
  CHECK_THROWS_WITH_AS(plan(here + tally, {}), doctest::Contains("no plugin that defines scores"),
                       ConfigError);
  fails(here + tally + "estimator = \"analog\"\n", "to a flux, and no event");
  fails(here + tally + "surfaces = [\"inner\"]\n", "here happens in volumes");
  fails(score("flux", "dose", "1.0") + tally, "`flux` is a score of every tally");
  fails(score("energy_low", "dose", "1.0") + tally, "`energy_low` is a column of results");
  fails(here + here + tally, "two scores have the name `here`");
  fails(score("here", "lost", "1.0") + tally, "in group 2 of material `water`");
  fails(score("here", "dos", "1.0") + tally, "dose");
  fails("[[score]]\nname = \"here\"\nkind = \"dose\"\n" + tally, "factor");
}
