#include <cmath>
#include <filesystem>

#include <doctest/doctest.h>

#include "gsim/config/section.hpp"
#include "validation/cases/case_set.hpp"
#include "validation/report.hpp"
#include "validation/runner.hpp"

using namespace gsim;
using namespace gsim::app;

namespace {

// A module whose estimate is truth + offset + bias with the standard error 1/sqrt(count). Offset
// and bias are keys of its configuration, so that the outcome of a validation is known.
class KnownModule : public Module {
 public:
  void describe(Section& top) override {
    top.required("truth", truth_, {.doc = "exact value"});
    top.optional("offset", offset_, {.doc = "error of the estimate, in standard errors"});
    top.optional("steps", steps_, {.doc = "time steps"});
    top.optional("bias", bias_, {.doc = "bias with one step, proportional to 1/steps"});
    top.optional("curvature", curvature_, {.doc = "bias with one step, proportional to 1/steps^2"});
    top.optional("certain", certain_, {.doc = "whether the standard error is 0"});
    top.optional("fails", fails_, {.doc = "whether the run ends with an error"});
    top.optional("degrees", degrees_, {.doc = "degrees of freedom of the standard error"});
  }
  WorkPlan plan(const Context&) override {
    WorkPlan plan;
    plan.unit_name = "block";
    plan.total_units = Index{1} << 30;
    return plan;
  }
  void prepare() override {}
  Index next_evaluation(Index done) const override { return done == 0 ? 1 : 2 * done; }
  void advance(Index first, Index count) override { done_ = first + count; }
  Evaluation evaluate(Index) override { return {}; }
  void update_estimates() override {}
  std::string health() override { return fails_ ? "the module failed as configured" : ""; }
  std::vector<Estimate> estimates() const override {
    const double error = certain_ ? 0 : 1 / std::sqrt(static_cast<double>(done_));
    const double h = 1 / static_cast<double>(steps_);
    const double bias = bias_ * h + curvature_ * h * h;
    return {{"case", truth_ + offset_ * error + bias, error, done_, "", false, degrees_}};
  }
  void save(DatasetWriter&) const override {}
  void restore(DatasetReader&) override {}
  void write_results(DatasetWriter&) const override {}
  ReportTable report() const override { return {}; }
  std::uint64_t digest() const override { return 0; }

 private:
  double truth_ = 0, offset_ = 0, bias_ = 0, curvature_ = 0;
  bool fails_ = false, certain_ = false;
  Index steps_ = 1, done_ = 0, degrees_ = 0;
};

enum class Refine { no, bound, extrapolate };

CaseOutcome outcome(const std::string& config, double reference, Refine refined = Refine::no,
                    const std::function<void(ValidationContext&, ValidationCase&)>& modify = {},
                    Index coarser = 4) {
  Registry registry;
  registry.add({"known", "test", [] { return std::make_unique<KnownModule>(); }});
  CaseSet set;
  set.id = "set", set.check = "closed form";
  set.estimate = "case";
  if (refined != Refine::no)
    // keys, their values at --quick and --full, weak order, step of the coarsest run
    set.refinement = {{"steps"}, 1024, 4096, 1, coarser, refined == Refine::extrapolate};
  ValidationCase c;
  c.name = "one", c.config = "module = \"known\"\n" + config, c.reference = reference;
  ValidationContext context{&registry, Communicator::self(), Executor::host(1),
                            ValidationLevel::quick, "known"};
  if (modify) modify(context, c);
  return run_case(context, set, c);
}

}  // namespace

TEST_CASE("incomplete gamma function against tabulated values") {
  CHECK(incomplete_gamma(1, 1) == doctest::Approx(0.63212055882855768).epsilon(1e-12));
  CHECK(incomplete_gamma(0.5, 0.5) == doctest::Approx(std::erf(std::sqrt(0.5))).epsilon(1e-12));
  CHECK(incomplete_gamma(3, 10) == doctest::Approx(1 - 61 * std::exp(-10.0)).epsilon(1e-12));
  CHECK(incomplete_gamma(100, 1e-3) == doctest::Approx(0));
  // Abramowitz and Stegun, table 26.8: the chi-square of 10 degrees exceeds 18.30704 with p 0.05
  CHECK(1 - incomplete_gamma(5, 0.5 * 18.30704) == doctest::Approx(0.05).epsilon(1e-6));
}

TEST_CASE("a case passes near its reference, and otherwise fails with a reason") {
  const CaseOutcome near = outcome("truth = 100.0\noffset = 1.5", 100.0);
  CHECK(near.passed);
  CHECK(near.z == doctest::Approx(1.5));
  CHECK(near.standard_error <= 0.1);
  CHECK(near.in_chi_square);
  const CaseOutcome far = outcome("truth = 100.0\noffset = 4.5", 100.0);
  CHECK_FALSE(far.passed);
  CHECK(far.reason.find("4 standard errors") != std::string::npos);
}

TEST_CASE("with a standard error of 0, z is 0 at the reference and otherwise unknown") {
  const CaseOutcome equal = outcome("truth = 100.0\ncertain = true", 100.0);
  CHECK(equal.passed);
  CHECK(equal.z == 0);
  CHECK_FALSE(equal.in_chi_square);
  CHECK(outcome_line(equal, false).find("z  +0.0   ✔") != std::string::npos);
  const auto set_tolerance = [](ValidationContext&, ValidationCase& c) { c.tolerance = 0.5; };
  const CaseOutcome near =
      outcome("truth = 100.25\ncertain = true", 100.0, Refine::no, set_tolerance);
  CHECK(near.passed);
  CHECK(outcome_line(near, false).find("z     -   ✔") != std::string::npos);
  const CaseOutcome far =
      outcome("truth = 101.0\ncertain = true", 100.0, Refine::no, set_tolerance);
  CHECK_FALSE(far.passed);
  ValidationReport report;
  report.cases = 2;
  report.outcomes = {near, outcome("truth = 100.0\noffset = -1.5", 100.0)};
  CHECK(summary(report).find("worst z -1.5") != std::string::npos);
  CHECK(validation_json(report).find("\"z\": null") != std::string::npos);
}

TEST_CASE("a discretisation bias is bounded from coarser steps and must stay small") {
  // bias at 1024 steps: 51.2 / 1024 = 0.05, half of the standard error of 0.1
  const CaseOutcome small = outcome("truth = 100.0\nbias = 51.2", 100.0, Refine::bound);
  CHECK(small.passed);
  // The two runs differ by 3 * 0.05. The standard error of their difference is at least that of one
  // run of 128 counts and at most that of two runs of 128 and 256 counts.
  CHECK(small.bias_bound >= (0.15 + std::sqrt(1 / 128.0)) / 3);
  CHECK(small.bias_bound <= (0.15 + std::sqrt(1 / 128.0 + 1 / 256.0)) / 3);
  CHECK(small.bias_bound <= 2 * small.standard_error);
  CHECK_FALSE(small.in_chi_square);
  const CaseOutcome wide = outcome("truth = 100.0\nbias = 51.2", 100.0, Refine::bound, {}, 8);
  CHECK(wide.bias_bound >= (0.35 + std::sqrt(1 / 128.0)) / 7);
  CHECK(wide.bias_bound <= (0.35 + std::sqrt(1 / 128.0 + 1 / 256.0)) / 7);
  CHECK_FALSE(wide.in_chi_square);
  const CaseOutcome large = outcome("truth = 100.0\nbias = 1024", 100.0, Refine::bound);
  CHECK_FALSE(large.passed);
  CHECK(large.reason.find("refine the step") != std::string::npos);
}

TEST_CASE("extrapolation removes the leading term of the bias, and the bound covers the next one") {
  // The estimate P(h) deviates by 10 standard errors; E(h) = 2 P(h) - P(2h) has no bias, because
  // the bias of P is linear in h.
  const CaseOutcome o = outcome("truth = 100.0\nbias = 1024.0", 100.0, Refine::extrapolate);
  CHECK(o.passed);
  CHECK(o.computed == doctest::Approx(100).epsilon(1e-12));
  CHECK(o.standard_error <= 0.1);
  CHECK(o.standard_error > 0.05);
  CHECK(o.bias_bound > 0);
  CHECK(o.bias_bound <= 2 * o.standard_error);
  // A bias c h^2 of P gives E(h) the bias -2 c h^2, which is -0.05 at 1024 steps; the bound must
  // cover it.
  const CaseOutcome curved =
      outcome("truth = 100.0\ncurvature = 26214.4", 100.0, Refine::extrapolate);
  CHECK(curved.computed == doctest::Approx(99.95).epsilon(1e-12));
  CHECK(curved.bias_bound >= 0.05);
  const CaseOutcome coarse =
      outcome("truth = 100.0\ncurvature = 524288.0", 100.0, Refine::extrapolate);
  CHECK_FALSE(coarse.passed);
  CHECK(coarse.reason.find("refine the step") != std::string::npos);
  // A third run at 8 times the step finds the same curvature with less noise.
  const CaseOutcome wide =
      outcome("truth = 100.0\ncurvature = 26214.4", 100.0, Refine::extrapolate, {}, 8);
  CHECK(wide.computed == doctest::Approx(99.95).epsilon(1e-12));
  CHECK(wide.bias_bound >= 0.05);
  CHECK(wide.bias_bound < curved.bias_bound);
  // Offsets of 3 s1 and 3 s2, with the standard errors s1 and s2 of the two runs, give E the
  // deviation 2 * 3 s1 - 3 s2.
  const CaseOutcome off = outcome("truth = 100.0\noffset = 3.0", 100.0, Refine::extrapolate);
  CHECK(off.computed != doctest::Approx(100).epsilon(1e-6));
}

TEST_CASE("an error of a run fails its case only; an interruption is thrown") {
  const CaseOutcome o = outcome("truth = 100.0\nfails = true", 100.0);
  CHECK_FALSE(o.passed);
  CHECK(o.reason == "the module failed as configured");
  CHECK_FALSE(o.in_chi_square);
  const CaseOutcome typo = outcome("truth = 100.0\noffsett = 1.0", 100.0);
  CHECK_FALSE(typo.passed);
  CHECK(typo.reason.find("offset") != std::string::npos);
  const auto interrupt = [](ValidationContext& v, ValidationCase&) {
    v.interrupted = [] { return true; };
  };
  CHECK_THROWS_AS(outcome("truth = 100.0", 100.0, Refine::no, interrupt), Interrupted);
}

TEST_CASE("quick and full validation use different settings") {
  const auto settings = [](ValidationLevel level) {
    return [level](ValidationContext& v, ValidationCase& c) {
      v.level = level;
      c.quick_settings = {"offset=1.0"};
      c.full_settings = {"offset=-2.0"};
    };
  };
  const CaseOutcome quick =
      outcome("truth = 100.0", 100.0, Refine::no, settings(ValidationLevel::quick));
  CHECK(quick.z == doctest::Approx(1));
  const CaseOutcome full =
      outcome("truth = 100.0", 100.0, Refine::no, settings(ValidationLevel::full));
  CHECK(full.z == doctest::Approx(-2));
  CHECK(full.standard_error <= 0.01);
}

TEST_CASE(
    "with few replicates z follows Student's t; its score is the equally probable normal deviate") {
  CHECK(incomplete_beta(0.5, 2, 3) == doctest::Approx(0.6875).epsilon(1e-12));
  CHECK(incomplete_beta(0.9, 0.5, 0.5) ==
        doctest::Approx(2 / 3.14159265358979323846 * std::asin(std::sqrt(0.9))).epsilon(1e-12));
  // Two-sided quantiles of t: for 5 %, 2.042272 at 30 degrees of freedom and 12.7062 at 1; for
  // 0.1 %, 3.64596 at 30.
  CHECK(normal_score(2.0422725, 30) == doctest::Approx(1.9599640).epsilon(1e-6));
  CHECK(normal_score(-12.706205, 1) == doctest::Approx(-1.9599640).epsilon(1e-6));
  CHECK(normal_score(3.6459586, 30) == doctest::Approx(3.2905267).epsilon(1e-6));
  CHECK(normal_score(2.5, 0) == 2.5);
  CHECK(normal_score(0, 30) == 0);
  // The sum of two equal variances with n degrees of freedom each has 2 n degrees of freedom; if
  // one of them is known exactly, it has 4 n.
  CHECK(combined_degrees(1, 31, 1, 31) == doctest::Approx(62));
  CHECK(combined_degrees(1, 31, 1, 0) == doctest::Approx(124));
  CHECK(combined_degrees(1, 0, 1, 0) == 0);
  const CaseOutcome o = outcome("truth = 100.0\noffset = 2.0422725\ndegrees = 30", 100.0);
  CHECK(o.z == doctest::Approx(2.0422725));
  CHECK(o.score == doctest::Approx(1.9599640).epsilon(1e-6));
}

TEST_CASE("a report names failures, the worst case and the number of cases not run") {
  ValidationReport report;
  report.module = "m", report.level = "full", report.cases = 3;
  report.outcomes.push_back(outcome("truth = 100.0\noffset = 1.5", 100.0));
  report.outcomes.push_back(outcome("truth = 100.0\noffset = -4.5", 100.0));
  CHECK(report.passed_count() == 1);
  CHECK_FALSE(report.passed());
  CHECK_FALSE(report.is_complete());
  const std::string text = summary(report);
  CHECK(text.find("1 of 3") != std::string::npos);
  CHECK(text.find("worst z -4.5") != std::string::npos);
  CHECK(text.find("not passed: set: one: differs") != std::string::npos);
  CHECK(text.find("interrupted: 1 case") != std::string::npos);
  const std::string json = validation_json(report);
  CHECK(json.find("\"complete\": false") != std::string::npos);
  CHECK(json.find("\"passed\": false,\n  \"complete\"") != std::string::npos);
}

TEST_CASE("reports say how the reference values were verified") {
  CaseSet set;
  set.title = "Calls", set.citation = "Black and Scholes 1973";
  CHECK(set_heading(set) == "  Calls: Black and Scholes 1973");
  set.check = "read, not recomputed";
  CHECK(set_heading(set) == "  Calls: Black and Scholes 1973\n    reference: read, not recomputed");
  ValidationReport report;
  report.outcomes.push_back(outcome("truth = 100.0", 100.0));
  CHECK(report.outcomes[0].check == "closed form");
  CHECK(validation_json(report).find("\"check\": \"closed form\"") != std::string::npos);
}

TEST_CASE("the chi-square is two-sided: errors that are too small fail as well") {
  std::vector<CaseOutcome> outcomes(50);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    outcomes[i].in_chi_square = true;
    outcomes[i].score = i % 2 == 0 ? 1.0 : -1.0;
  }
  CHECK(chi_square(outcomes).passed);
  CHECK(chi_square(outcomes).degrees_of_freedom == 50);
  for (auto& o : outcomes) o.score = 2;
  CHECK_FALSE(chi_square(outcomes).passed);
  for (auto& o : outcomes) o.score = 0.1;
  CHECK_FALSE(chi_square(outcomes).passed);
}

TEST_CASE("templates are filled by column and unknown columns are refused") {
  const std::vector<std::string> columns = {"a", "b"}, row = {"1", "two"};
  CHECK(fill_template("x = {a}, {b}{a}", columns, row, "here") == "x = 1, two1");
  CHECK_THROWS_AS(fill_template("{c}", columns, row, "here"), InputError);
  CHECK_THROWS_AS(fill_template("{a", columns, row, "here"), InputError);
}

TEST_CASE(
    "every bundled case set of module pricing can be read and has a citation and a check of its "
    "values") {
  const std::string data = find_validation_data(GSIM_SOURCE_DIR "/validation");
  Index cases = 0;
  for (const CaseSet& set : load_case_sets(data, "pricing")) {
    CAPTURE(set.id);
    CHECK_FALSE(set.citation.empty());
    CHECK_FALSE(set.check.empty());
    for (const ValidationCase& c : set.cases) {
      CAPTURE(c.name);
      CHECK(std::isfinite(c.reference));
      CHECK(c.scale > 0);
      // printed values have three to four digits; Merton (1976) as printed by Haug is off by up to
      // 0.012
      if (c.has_published) CHECK(std::fabs(c.published - c.reference) <= 0.015);
      ++cases;
    }
  }
  CHECK(cases > 300);
}
