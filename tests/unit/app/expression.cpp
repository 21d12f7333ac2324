#include "validation/cases/expression.hpp"

#include <cmath>
#include <map>
#include <random>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/modules/builtin.hpp"
#include "validation/cases/unary_functions.hpp"

using namespace gsim;
using namespace gsim::app;

namespace {

/// Estimates and columns by name, which formulas read.
class Table : public NamedResults {
 public:
  Estimate estimate(const std::string& name) const override {
    if (!estimates.contains(name)) throw InputError("no estimate " + name);
    return estimates.at(name);
  }
  std::vector<double> column(const std::string& name) const override {
    if (!columns.contains(name)) throw InputError("no column " + name);
    return columns.at(name);
  }
  std::map<std::string, Estimate> estimates;
  std::map<std::string, std::vector<double>> columns;
};

}  // namespace

TEST_CASE("formula: arithmetic and functions of numbers") {
  CHECK(evaluate_number("1 + 2 * 3") == 7);
  CHECK(evaluate_number("(1 + 2) * 3 - -4") == 13);
  CHECK(evaluate_number("8 / 4 / 2") == 1);
  CHECK(evaluate_number("2 - 3 - 4") == -5);
  CHECK(evaluate_number(" -1.5e-3 ") == -1.5e-3);
  CHECK(evaluate_number("sqrt(abs(-16)) + exp(0) + log(1)") == 5);
  CHECK(evaluate_number("sin(0.5) * sin(0.5) + cos(0.5) * cos(0.5)") == doctest::Approx(1));
  CHECK(evaluate_number("tan(atan(2)) + asin(1) - acos(0)") == doctest::Approx(2));
  CHECK_THROWS_WITH_AS(
      evaluate_number("sinus(1)"),
      doctest::Contains(
          "there is no function `sinus`; functions of numbers are abs, sqrt, "
          "exp, log, sin, cos, tan, asin, acos, atan; functions of columns are first"),
      InputError);
  // Every function that the message names can be called, and its slope agrees with finite
  // differences.
  for (const UnaryFunction& f : unary_functions()) {
    CAPTURE(std::string(f.name));
    const double x = 0.4, h = 1e-6;
    const std::string text = std::string(f.name) + "(0.4)";
    CHECK(evaluate_number(text) == f.evaluate(x).value);
    CHECK((f.evaluate(x + h).value - f.evaluate(x - h).value) / (2 * h) ==
          doctest::Approx(f.evaluate(x).slope).epsilon(1e-8));
  }
  for (const char* invalid : {"", "1 +", "(1", "1 2", "foo(1)", "'x'", "sqrt(1, 2)", "1 $ 2"}) {
    CAPTURE(invalid);
    CHECK_THROWS_AS(evaluate_number(invalid), InputError);
  }
}

TEST_CASE("formula: standard errors are propagated through every operation and function") {
  Table t;
  // Mean, standard error, number of samples, and last the degrees of freedom.
  t.estimates["a"] = {"a", 3, 0.1, 50, "", false, 9};
  t.estimates["b"] = {"b", 2, 0.2, 70, "", false, 4};
  t.estimates["exact"] = {"exact", 5, 0, 1};
  const Quantity difference = evaluate("'a' - 'b'", t);
  CHECK(difference.value == 1);
  CHECK(difference.standard_error == doctest::Approx(0.3));
  CHECK(difference.degrees_of_freedom == 4);
  CHECK(difference.samples == 70);
  CHECK(evaluate("'a' * 'b'", t).standard_error == doctest::Approx(2 * 0.1 + 3 * 0.2));
  CHECK(evaluate("'a' / 'b'", t).standard_error == doctest::Approx(0.1 / 2 + 3 * 0.2 / 4));
  CHECK(evaluate("sqrt('a')", t).standard_error == doctest::Approx(0.05 / std::sqrt(3.0)));
  CHECK(evaluate("sin('a')", t).standard_error == doctest::Approx(0.1 * std::fabs(std::cos(3.0))));
  CHECK(evaluate("cos('a')", t).standard_error == doctest::Approx(0.1 * std::sin(3.0)));
  CHECK(evaluate("tan('a')", t).standard_error ==
        doctest::Approx(0.1 / (std::cos(3.0) * std::cos(3.0))));
  CHECK(evaluate("atan('a')", t).standard_error == doctest::Approx(0.1 / 10));
  CHECK(evaluate("asin('a' / 4)", t).standard_error ==
        doctest::Approx(0.025 / std::sqrt(1 - 9.0 / 16)));
  CHECK(evaluate("acos('a' / 4)", t).standard_error ==
        doctest::Approx(0.025 / std::sqrt(1 - 9.0 / 16)));
  CHECK(evaluate("'a' / 4", t).standard_error == doctest::Approx(0.025));
  CHECK(evaluate("'exact' / 4", t).standard_error == 0);
  CHECK(evaluate("'a' / 4", t).degrees_of_freedom == 9);
}

TEST_CASE("formula: functions of columns") {
  Table t;
  t.columns["y"] = {1, 5, 3, 7};
  t.columns["x"] = {0, 1, 2, 3};
  CHECK(evaluate("first('y') + last('y') / at('y', 1)", t).value == doctest::Approx(2.4));
  CHECK(evaluate("mean('y')", t).value == 4);
  CHECK(evaluate("deviation('y')", t).value == doctest::Approx(std::sqrt(5.0)));
  CHECK(evaluate("span('y')", t).value == 6);
  CHECK(evaluate("size('y')", t).value == 4);
  CHECK(evaluate("largest('y') - smallest('y')", t).value == 6);
  t.columns["error"] = {0.1, 0.2, 0.3, 0.4};
  const Quantity row = evaluate("sampled('y', 'error', 2) / 2", t);
  CHECK(row.value == 1.5);
  CHECK(row.standard_error == doctest::Approx(0.15));
  CHECK(evaluate("slope('y', 'x')", t).value == doctest::Approx(1.6));
  CHECK(evaluate("last('y')", t).standard_error == 0);
  for (const char* invalid : {"last('z')", "at('y', 4)", "at('y')", "slope('y')", "last(1)",
                              "sampled('y', 1)", "sampled('y', 'error', 4)"}) {
    CAPTURE(invalid);
    CHECK_THROWS_AS(evaluate(invalid, t), InputError);
  }
}

TEST_CASE("formula: pin powers are compared by the definitions of the C5G7 benchmark") {
  Registry registry;
  register_builtin_modules(registry);
  const ColumnFunctions functions(registry);
  // Two pins and one cell without fuel. Calculated by hand: the reference is normalised to
  // (0.5, 1.5) and the powers to (0.6, 1.4), so that they deviate by +20 % and by -1/15 of the
  // reference. Columns: powers p with standard errors e, reference powers r with standard errors f.
  Table t;
  t.columns["p"] = {6, 0, 14};
  t.columns["e"] = {0.06, 0, 0.28};
  t.columns["r"] = {1, 0, 3};
  t.columns["f"] = {0.03, 0, 0.06};
  const double deviation1 = 20, deviation2 = 100.0 / 15;
  const double s1 = std::hypot(0.01, 0.03), s2 = std::hypot(0.02, 0.02);
  const Quantity avg = evaluate("pins_avg('p', 'e', 'r', 'f')", t, functions);
  CHECK(avg.value == doctest::Approx((deviation1 + deviation2) / 2));
  CHECK(avg.standard_error == doctest::Approx(100 * std::sqrt(2 / M_PI) * (s1 + s2) / 2));
  const Quantity rms = evaluate("pins_rms('p', 'e', 'r', 'f')", t, functions);
  CHECK(rms.value ==
        doctest::Approx(std::sqrt((deviation1 * deviation1 + deviation2 * deviation2) / 2)));
  CHECK(rms.standard_error == doctest::Approx(100 * std::sqrt((s1 * s1 + s2 * s2) / 2)));
  CHECK(evaluate("pins_mre('p', 'e', 'r', 'f')", t, functions).value ==
        doctest::Approx((0.5 * deviation1 + 1.5 * deviation2) / 2));
  const Quantity square = evaluate("pins_chi_square('p', 'e', 'r', 'f')", t, functions);
  CHECK(square.value == doctest::Approx((0.04 / (s1 * s1) + 1.0 / 225 / (s2 * s2)) / 2));
  CHECK(square.standard_error == 0);
  t.columns["short"] = {1, 2};
  CHECK_THROWS_AS(evaluate("pins_avg('p', 'short', 'r', 'f')", t, functions), InputError);
  CHECK_THROWS_AS(evaluate("pins_avg('p', 'e')", t, functions), InputError);
  CHECK_THROWS_WITH_AS(evaluate("pins_avg(1)", t), doctest::Contains("no function `pins_avg`"),
                       InputError);
}

TEST_CASE("formula: gamma_score detects a gamma distribution with a 10 % larger scale") {
  // Sums of two exponentials have a gamma distribution of shape 2 and the scale of each.
  const auto sample = [](double scale, std::uint32_t seed) {
    std::vector<double> c;
    std::mt19937_64 bits(seed);
    for (int i = 0; i < 4000; ++i) {
      double sum = 0;
      for (int k = 0; k < 2; ++k)
        sum -= scale * std::log((static_cast<double>(bits() >> 32) + 0.5) * 0x1p-32);
      c.push_back(sum);
    }
    return c;
  };
  Table t;
  double squares = 0;
  const int rounds = 40;
  for (std::uint32_t seed = 0; seed < rounds; ++seed) {
    t.columns["k"] = sample(1.5, seed);
    const Quantity q = evaluate("gamma_score('k', 2, 1.5, 20)", t);
    CHECK(q.standard_error == 1);
    CHECK(std::fabs(q.value) < 4);
    squares += q.value * q.value;
  }
  // A chi-square of 40 degrees of freedom is below 16.9 or above 78.5 with a probability of 2e-4
  // each.
  CHECK(squares > 16.9);
  CHECK(squares < 78.5);
  t.columns["k"] = sample(1.65, 1);
  CHECK(evaluate("gamma_score('k', 2, 1.5, 20)", t).value > 5);
  CHECK_THROWS_AS(evaluate("gamma_score('k', 2, 1.5, 1000)", t), InputError);
}
