#include <cmath>
#include <filesystem>

#include <doctest/doctest.h>

#include "gsim/config/section.hpp"
#include "validation/case_set.hpp"
#include "validation/report.hpp"
#include "validation/runner.hpp"

using namespace gsim;
using namespace gsim::app;

namespace {

// A "simulation" whose estimate is truth + offset with standard error 1/sqrt(count), offset and
// bias coming from its configuration: shows that the judge sees what it should.
class KnownModule : public Module {
 public:
  void configure(Section& top) override {
    top.required("truth", truth_, {.doc = "exact value"});
    top.optional("offset", offset_, {.doc = "error added, in standard errors"});
    top.optional("steps", steps_, {.doc = "time steps"});
    top.optional("bias", bias_, {.doc = "bias at one step; falls as 1/steps"});
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
  std::vector<Estimate> estimates() const override {
    const double error = 1 / std::sqrt(static_cast<double>(done_));
    const double bias = bias_ / static_cast<double>(steps_);
    return {{"case", truth_ + offset_ * error + bias, error, done_, "", false}};
  }
  void save(DatasetWriter&) const override {}
  void restore(DatasetReader&) override {}
  void write_results(DatasetWriter&) const override {}
  ReportTable report() const override { return {}; }
  std::uint64_t digest() const override { return 0; }

 private:
  double truth_ = 0, offset_ = 0, bias_ = 0;
  Index steps_ = 1, done_ = 0;
};

CaseOutcome outcome(const std::string& config, double reference, bool refined = false) {
  Registry registry;
  registry.add({"known", "test", [] { return std::make_unique<KnownModule>(); }});
  CaseSet set;
  set.id = "set";
  set.estimate = "case";
  if (refined) set.refinement = {{"steps"}, 1024, 4096, 1};
  ValidationCase c;
  c.name = "one", c.config = "module = \"known\"\n" + config, c.reference = reference;
  ValidationContext context{&registry, Communicator::self(), Executor::host(1),
                            ValidationLevel::quick, "known"};
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

TEST_CASE("a case passes when it is near, and says why when it is not") {
  const CaseOutcome near = outcome("truth = 100.0\noffset = 1.5", 100.0);
  CHECK(near.passed);
  CHECK(near.z == doctest::Approx(1.5));
  CHECK(near.standard_error <= 0.1);
  CHECK(near.in_chi_square);
  const CaseOutcome far = outcome("truth = 100.0\noffset = 4.5", 100.0);
  CHECK_FALSE(far.passed);
  CHECK(far.reason.find("4 standard errors") != std::string::npos);
}

TEST_CASE("a discretisation bias is bounded from coarser steps and must stay small") {
  // bias at 1024 steps: 51.2 / 1024 = 0.05, half of the standard error of 0.1
  const CaseOutcome small = outcome("truth = 100.0\nbias = 51.2", 100.0, true);
  CHECK(small.passed);
  CHECK(small.bias_bound >= 0.05);
  CHECK(small.bias_bound <= 2 * small.standard_error);
  CHECK_FALSE(small.in_chi_square);
  const CaseOutcome large = outcome("truth = 100.0\nbias = 1024", 100.0, true);
  CHECK_FALSE(large.passed);
  CHECK(large.reason.find("refine the step") != std::string::npos);
}

TEST_CASE("the chi-square is two-sided: errors that are too small fail as well") {
  std::vector<CaseOutcome> outcomes(50);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    outcomes[i].in_chi_square = true;
    outcomes[i].z = i % 2 == 0 ? 1.0 : -1.0;
  }
  CHECK(chi_square(outcomes).passed);
  CHECK(chi_square(outcomes).degrees == 50);
  for (auto& o : outcomes) o.z = 2;
  CHECK_FALSE(chi_square(outcomes).passed);
  for (auto& o : outcomes) o.z = 0.1;
  CHECK_FALSE(chi_square(outcomes).passed);
}

TEST_CASE("templates are filled by column and unknown columns are refused") {
  const std::vector<std::string> columns = {"a", "b"}, row = {"1", "two"};
  CHECK(fill_template("x = {a}, {b}{a}", columns, row, "here") == "x = 1, two1");
  CHECK_THROWS_AS(fill_template("{c}", columns, row, "here"), InputError);
  CHECK_THROWS_AS(fill_template("{a", columns, row, "here"), InputError);
}

TEST_CASE(
    "every bundled case set can be read, cites its source, and prints agree with references") {
  const std::string data = find_validation_data(GSIM_SOURCE_DIR "/validation");
  Index cases = 0;
  for (const CaseSet& set : load_case_sets(data, "pricing")) {
    CHECK_FALSE(set.citation.empty());
    for (const ValidationCase& c : set.cases) {
      CAPTURE(set.id);
      CAPTURE(c.name);
      CHECK(std::isfinite(c.reference));
      CHECK(c.scale > 0);
      // prints carry three to four digits; Merton (1976) as printed by Haug is off by up to 0.012
      if (c.has_published) CHECK(std::fabs(c.published - c.reference) <= 0.015);
      ++cases;
    }
  }
  CHECK(cases > 300);
}
