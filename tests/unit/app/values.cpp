// Tests of validation sets that compare several values of one run or of several runs.

#include <cmath>
#include <fstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "support/scratch_folder.hpp"
#include "validation/report.hpp"
#include "validation/value_runner.hpp"

using namespace gsim;
using namespace gsim::app;

namespace {

// A module that writes the table x = 0, 1, …, y = slope x + constant, and an estimate with a given
// error.
class LineModule : public Module {
 public:
  void describe(Section& top) override {
    validated([this](Section& s) { describe_keys(s); },
              [this](const Section& s) { read_constant(s); })(top);
  }
  WorkPlan plan(const Context&) override {
    WorkPlan plan;
    plan.total_units = rows_;
    return plan;
  }
  void prepare() override {}
  Index next_evaluation(Index) const override { return rows_; }
  void advance(Index, Index) override {}
  Evaluation evaluate(Index) override { return {}; }
  void update_estimates() override {}
  std::string health() override { return fails_ ? "the module failed as configured" : ""; }
  std::vector<Estimate> estimates() const override {
    return {{"slope", slope_ + error_, error_, 100}};  // one standard error above the slope
  }
  void save(DatasetWriter&) const override {}
  void restore(DatasetReader&) override {}
  void write_results(DatasetWriter& writer) const override {
    std::vector<double> y;
    std::vector<std::int64_t> x;
    for (Index i = 0; i < rows_; ++i) {
      x.push_back(i);
      y.push_back(slope_ * static_cast<double>(i) + constant_);
    }
    writer.write("line/x", x);
    writer.write("line/y", y);
  }
  ReportTable report() const override { return {}; }
  std::uint64_t digest() const override { return 0; }

 private:
  void describe_keys(Section& top) {
    top.optional("slope", slope_, {.doc = "slope of the line"});
    top.optional("constant", constant_, {.doc = "constant of the line"});
    top.optional("error", error_, {.doc = "standard error of the estimate"});
    top.optional("rows", rows_, {.doc = "number of rows of the table"});
    top.optional("fails", fails_, {.doc = "whether the run ends with an error"});
    top.optional("file", file_, {.doc = "file that holds the constant"});
  }
  void read_constant(const Section& top) {
    if (!file_.empty()) constant_ = std::stod(top.input_file("file", file_).text);
  }

  std::string file_;
  double slope_ = 1, constant_ = 0, error_ = 0;
  Index rows_ = 4;
  bool fails_ = false;
};

std::vector<CaseOutcome> outcomes(const CaseSet& set,
                                  ValidationLevel level = ValidationLevel::quick) {
  Registry registry;
  registry.add({"line", "test", [] { return std::make_unique<LineModule>(); }});
  const ValidationContext context{&registry, Communicator::self(), Executor::host(1), level,
                                  "line"};
  return run_values(context, set, set.cases.at(0));
}

/// A validation set in a temporary folder.
class SetFile {
 public:
  explicit SetFile(const std::string& values, const std::string& config = "",
                   const std::string& row = "2.5 | 7") {
    std::ofstream(folder_ / "seven.txt") << "7";
    std::ofstream(folder_ / "set.toml")
        << "id = \"s\"\ntitle = \"t\"\ncitation = \"c\"\ncolumns = [\"a\", \"b\"]\nrows = [\""
        << row << "\"]\nname = \"a={a}\"\nconfig = \"\"\"\nmodule = \"line\"\nslope = {a}\n"
        << config << "\"\"\"\n"
        << values;
  }
  std::string folder() const { return folder_.path().string(); }
  CaseSet load() const { return load_case_set(folder_ / "set.toml"); }

 private:
  test::ScratchFolder folder_;
};

std::string value(const std::string& formula, const std::string& reference,
                  const std::string& more) {
  return "[[value]]\nname = \"v\"\nformula = \"" + formula + "\"\nreference = \"" + reference +
         "\"\n" + more + "\n";
}

}  // namespace

TEST_CASE(
    "values: an exact value is compared within a tolerance, which may be half a unit of the last "
    "printed digit") {
  const SetFile file(value("last('line/y')", "7.5", "tolerance = \"1e-12\"") +
                     value("last('line/y')", "7.4", "printed = true") +
                     value("last('line/y')", "7.4", "relative_tolerance = 0.02") +
                     value("last('line/y') * 1000", "7.5e3", "printed = true") +
                     value("last('line/y[1:3]')", "2 * {a}", "tolerance = \"1e-12\"") +
                     value("'slope'", "{a}", "tolerance = \"0\""));
  const auto o = outcomes(file.load());
  REQUIRE(o.size() == 6);
  CHECK(o[0].passed);
  CHECK(o[0].name == "a=2.5 v");
  CHECK_FALSE(o[0].in_chi_square);
  CHECK_FALSE(o[1].passed);
  CHECK(o[1].tolerance == doctest::Approx(0.05));
  CHECK(o[1].reason == "differs by more than the tolerance");
  CHECK(o[2].passed);
  CHECK(o[3].tolerance == doctest::Approx(50));
  CHECK(o[4].passed);
  CHECK(o[4].computed == 5);
  CHECK(o[5].passed);
  const std::string line = outcome_line(o[1], /*colour=*/false);
  CHECK(line.find("Δ 1.0e-01, tolerance 5.0e-02   ✘   differs") != std::string::npos);
  ValidationReport report;
  report.cases = 6, report.outcomes = o;
  CHECK(summary(report).find("worst") == std::string::npos);
  CHECK(validation_json(report).find("\"exact\": true") != std::string::npos);
}

TEST_CASE(
    "values: z of a sampled value combines its error and that of the reference, and its error must "
    "be below the limit of the validation level") {
  const SetFile file(
      value("'slope'", "{a}", "reference_error = \"0.1\"\nlargest_error = { full = 0.2 }") +
          value("'slope'", "{a} - 0.5", "largest_error = { full = 0.2 }") +
          value("'slope'", "{a}", "largest_error = { quick = 0.2, full = 0.05 }") +
          value("'slope'", "{a}", "tolerance = \"1\""),
      "error = 0.1\n");
  const auto o = outcomes(file.load());
  REQUIRE(o.size() == 4);
  CHECK(o[0].passed);
  CHECK(o[0].z == doctest::Approx(1 / std::sqrt(2.0)));
  CHECK(o[0].in_chi_square);
  CHECK_FALSE(o[1].passed);
  CHECK(o[1].z == doctest::Approx(6));
  CHECK_FALSE(o[1].in_chi_square);  // only one value of a run is included
  CHECK(o[2].passed);
  CHECK_FALSE(o[3].passed);  // an exact comparison of a value that has an error
  CHECK(o[3].reason.find("largest_error") != std::string::npos);
  const auto full = outcomes(file.load(), ValidationLevel::full);
  CHECK_FALSE(full[2].passed);
  CHECK(full[2].reason.find("exceeds 0.05") != std::string::npos);
}

TEST_CASE(
    "values: a set may allow fewer standard errors than the default, and give a floor below which "
    "deviations are ignored") {
  const std::string strict = "standard_errors = 3.0\n";
  const std::string sampled = "largest_error = { full = 0.2 }";
  const std::string far = value("'slope'", "{a} - 0.25", sampled);  // 3.5 standard errors
  const auto judge = [](const std::string& values) {
    return outcomes(SetFile(values, "error = 0.1\n").load())[0];
  };
  CHECK(judge(far).passed);
  const CaseOutcome o = judge(strict + far);
  CHECK_FALSE(o.passed);
  CHECK(o.reason == "differs by more than 3 standard errors + tolerance");
  const CaseOutcome with_floor =
      judge(strict + value("'slope'", "{a} - 0.25", sampled + "\nfloor = \"0.06\""));
  CHECK(with_floor.passed);
  CHECK(with_floor.in_chi_square);  // as for a reference without an error
  CHECK_FALSE(
      judge(strict + value("'slope'", "{a} - 0.25", sampled + "\nfloor = \"0.04\"")).passed);
}

TEST_CASE(
    "values: formulas of several runs, files beside the set, and errors of formulas and runs") {
  const std::string runs =
      "[[run]]\nname = \"one\"\nsettings = [\"slope={b}\"]\n"
      "[[run]]\nname = \"two\"\nsettings = ['file=\"seven.txt\"']\n";
  const SetFile file(
      runs + value("last('two:line/y') - last('one:line/y')", "7.5 + 7 - 21", "tolerance = \"0\"") +
      value("last('two:line/z')", "0", "tolerance = \"0\""));
  const auto o = outcomes(file.load());
  CHECK(o[0].passed);
  CHECK(o[1].reason.find("`line/z`") != std::string::npos);
  for (const char* name : {"line/y", "three:line/y"})
    CHECK_THROWS_WITH_AS(
        SetFile(runs + value(fmt::format("last('{}')", name), "0", "tolerance = \"0\"")).load(),
        doctest::Contains("does not begin with one of the case's runs: one:, two:"), ConfigError);
  const SetFile broken(value("1", "1", "tolerance = \"0\""), "fails = true\n");
  const auto b = outcomes(broken.load());
  CHECK_FALSE(b[0].passed);
  CHECK(b[0].reason == "the module failed as configured");
}

TEST_CASE(
    "values: a set needs a tolerance; half a unit of the last printed digit is not allowed "
    "for a refinement or for a reference that is a formula") {
  CHECK_THROWS_AS(SetFile(value("1", "1", "")).load(), InputError);
  CHECK_THROWS_AS(SetFile(value("1", "1", "printed = true") + "\n[refinement]\nkeys = []\n").load(),
                  InputError);
  CHECK_THROWS_AS(SetFile(value("1", "1 + 1", "printed = true")).load(), InputError);
  CHECK(count_values(SetFile(value("1", "1", "printed = true")).load()) == 1);
}

TEST_CASE("values: errors in a set are reported with file, line and reason") {
  // The head of SetFile takes ten lines: values begin in line 11.
  const auto message = [](const SetFile& file) {
    try {
      const CaseSet set = file.load();
      Registry registry;
      registry.add({"line", "test", [] { return std::make_unique<LineModule>(); }});
      check_configurations(registry, "line", set, ValidationLevel::quick);
      return std::string("no error");
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
  };
  const auto contains_all = [](const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
      if (text.find(part) == std::string::npos) return false;
    return true;
  };
  const std::string exact = "tolerance = \"0\"";
  const auto check_message = [&](const SetFile& file, std::initializer_list<const char*> parts) {
    const std::string text = message(file);
    INFO(text);
    CHECK(contains_all(text, parts));
  };
  check_message(SetFile(value("last('line/y'", "1", exact)), {"set.toml:13:", "`)` is expected"});
  check_message(SetFile(value("lost('line/y')", "1", exact)),
                {"set.toml:13:", "no function `lost`"});
  check_message(SetFile(value("1", "2 *", exact)), {"set.toml:14:", "formula `2 *`"});
  check_message(SetFile(value("1", "{c}", exact)),
                {"set.toml:14:", "a column `c`, which does not exist"});
  check_message(SetFile(value("1", "1", exact), "", "2.5"),
                {"set.toml:5:", "1 entries for 2 columns"});
  check_message(SetFile(value("1", "1", "tolerence = \"0\"")), {"did you mean `tolerance`?"});
  check_message(
      SetFile(value("1", "1", exact), "slopes = 1\n"),
      {"set.toml [a=2.5]:10:", "did you mean `slope`?", "in the configuration of case `a=2.5`"});
  check_message(SetFile(value("1", "1", exact), "rows = \n"), {"set.toml [a=2.5]:10:"});
}

TEST_CASE(
    "values: the schema contains the keys of sets with [[value]] and of sets with one estimate") {
  const std::string text = case_set_schema(/*json=*/false);
  for (const char* key :
       {"[[value]]", "largest_error", "source_tolerance", "refinement", "[[run]]"})
    CHECK(text.find(key) != std::string::npos);
  CHECK(case_set_schema(/*json=*/true).find("\"standard_errors\"") != std::string::npos);
}

TEST_CASE(
    "values: a set with a file of another program runs where that file exists, and is skipped "
    "elsewhere") {
  const std::string value_table = value("last('line/y')", "7.5", "tolerance = \"0\"");
  const CaseSet skipped = SetFile("foreign_file = \"nowhere.eam\"\n" + value_table).load();
  CHECK(skipped.missing_file == "nowhere.eam");
  CHECK(count_values(skipped) == 0);
  const SetFile file("foreign_file = \"seven.txt\"\n" + value_table, "file = \"{foreign_file}\"\n");
  ::setenv("LAMMPS_POTENTIALS", file.folder().c_str(), 1);
  const auto o = outcomes(file.load());
  ::unsetenv("LAMMPS_POTENTIALS");
  REQUIRE(o.size() == 1);
  CHECK(o[0].computed == 7.5 + 7);
}

TEST_CASE("values: every bundled set of molecular dynamics can be read and has a citation") {
  Index values = 0;
  for (const CaseSet& set : load_case_sets(GSIM_SOURCE_DIR "/validation", "md")) {
    CAPTURE(set.id);
    CHECK_FALSE(set.citation.empty());
    CHECK_FALSE(set.check.empty());
    for (const ValidationCase& c : set.cases)
      for (const ValidationValue& value : c.values) {
        CAPTURE(value.name);
        CHECK(std::isfinite(value.reference));
        CHECK((value.is_sampled ? value.full_error : value.tolerance) > 0);
      }
    values += count_values(set);
  }
  CHECK(values >= 7);
}
