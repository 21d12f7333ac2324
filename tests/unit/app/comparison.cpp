#include "src/app/comparison/comparison.hpp"

#include <limits>

#include <doctest/doctest.h>

#include "support/messages.hpp"

using namespace gsim;
using namespace gsim::app;
using gsim::test::contains;

namespace {

DatasetComparison estimate(const std::string& path, Index n, double z) {
  DatasetComparison d;
  d.path = path;
  d.is_estimate = true;
  d.values = d.different = d.with_errors = n;
  d.chi_square = z * z;
  d.largest = {"A", "1 ± 0.1", "2 ± 0.1", z};
  return d;
}

}  // namespace

TEST_CASE("judge: estimates agree unless the largest |z| of all is improbable") {
  ResultComparison c;
  c.datasets = {estimate("trades/price", 10, 3.5), estimate("greeks/value", 90, -3.9)};
  // 100 P(|Z| >= 3.9) = 0.00962, from tables of the normal distribution
  Verdict v = judge(c, 1e-3);
  CHECK(v.agreement == Agreement::within_error);
  CHECK(v.estimates == 100);
  CHECK(v.probability == doctest::Approx(9.62e-3).epsilon(1e-3));
  v = judge(c, 1e-2);
  CHECK(v.agreement == Agreement::different);
  CHECK(contains(v.reason, "greeks/value, A"));
  c.datasets[0].largest.z = std::numeric_limits<double>::infinity();
  CHECK(judge(c, 1e-3).probability == 0);
  CHECK(judge(c, 1e-3).agreement == Agreement::different);
}

TEST_CASE("judge: values without errors decide only where there are no estimates") {
  DatasetComparison series;
  series.path = "thermo/energy";
  series.values = 5;
  series.different = 1;
  series.first_difference = {"row 3", "1", "2", 0};
  ResultComparison c;
  c.datasets = {series};
  CHECK(judge(c, 1e-3).agreement == Agreement::different);
  CHECK(contains(judge(c, 1e-3).reason, "thermo/energy, row 3: 1 and 2"));
  c.datasets.push_back(estimate("averages/value", 1, 0.5));
  CHECK(judge(c, 1e-3).agreement == Agreement::within_error);
  c.unmatched = {{"samples", false, false, 0, 3, "row 5"}};
  CHECK(judge(c, 1e-3).agreement == Agreement::within_error);
  c.unmatched = {{"averages", false, true, 0, 1, "B"}};
  CHECK(judge(c, 1e-3).agreement == Agreement::different);
  c.unmatched.clear();
  c.same_bits = true;
  CHECK(judge(c, 1e-3).agreement == Agreement::same_bits);
}

TEST_CASE("judge: estimates with other bits and an unknown error differ, and are counted") {
  ResultComparison c;
  c.datasets = {estimate("trades/price", 10, 0.5)};
  c.datasets[0].unknown = 3;
  c.datasets[0].first_unknown = {"B", "1", "2", 0};
  const Verdict v = judge(c, 1e-3);
  CHECK(v.agreement == Agreement::different);
  CHECK(v.reason == "3 estimates without a known error differ, the first trades/price, B: 1 and 2");
  const std::string text = comparison_text({}, c, v);
  CHECK(contains(text, "\n3 estimates without a known error differ"));
  CHECK(contains(text, "p assumes"));
  CHECK(contains(comparison_json({}, c, v), "\"unknown\": 3"));
  c.datasets[0].is_secondary = true;  // of the history of a run
  c.datasets.push_back(estimate("greeks/value", 1, 0.5));
  CHECK(judge(c, 1e-3).agreement == Agreement::within_error);
}

TEST_CASE("judge: estimates without errors agree if they are equal up to rounding") {
  DatasetComparison price;
  price.path = "trades/price";
  price.is_estimate = true;
  price.values = price.different = 2;
  price.first_difference = {"A", "1", "1.0000000000000002", 0};
  ResultComparison c;
  c.datasets = {price};
  CHECK(judge(c, 1e-3).agreement == Agreement::within_error);
  CHECK(contains(comparison_text({}, c, judge(c, 1e-3)), "equal up to rounding"));
  DatasetComparison series;
  series.path = "thermo/energy";
  series.values = series.different = 1;
  c.datasets.push_back(series);
  CHECK(judge(c, 1e-3).agreement == Agreement::different);
}
