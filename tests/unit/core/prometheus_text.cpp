#include "gsim/core/prometheus_text.hpp"

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"

using namespace gsim;

TEST_CASE("prometheus text: metrics with escaped labels, and none for unknown values") {
  PrometheusText text(MetricLabels{{"run", "a\"b\\c\nd"}});
  text.gauge("gsim_x", "A number.", 0.5, {{"unit", "\xff"}});
  text.sample("gsim_x", std::numeric_limits<double>::infinity(), {});
  text.gauge("gsim_y", "Unknown.", std::nan(""));
  text.counter("gsim_z_total", "A counter.", 1e10);
  CHECK(text.text() ==
        "# HELP gsim_x A number.\n"
        "# TYPE gsim_x gauge\n"
        "gsim_x{run=\"a\\\"b\\\\c\\nd\",unit=\"?\"} 0.5\n"
        "gsim_x{run=\"a\\\"b\\\\c\\nd\"} +Inf\n"
        "# HELP gsim_z_total A counter.\n"
        "# TYPE gsim_z_total counter\n"
        "gsim_z_total{run=\"a\\\"b\\\\c\\nd\"} 10000000000\n");
  const auto samples = parse_prometheus(text.text());
  REQUIRE(samples.size() == 3);
  CHECK(samples[0].name == "gsim_x");
  CHECK(samples[0].label("run") == "a\"b\\c\nd");
  CHECK(samples[0].label("unit") == "?");
  CHECK(samples[0].label("none") == "");
  CHECK(samples[0].value == 0.5);
  CHECK(std::isinf(samples[1].value));
}

TEST_CASE("prometheus text: what other programs write is read, and damaged lines are named") {
  const auto samples =
      parse_prometheus("# a comment\n\nplain 3\nempty{} 4\ntimed{a=\"}\",} 5 1700\n");
  REQUIRE(samples.size() == 3);
  CHECK(samples[0].value == 3);
  CHECK(samples[1].labels.empty());
  CHECK(samples[2].label("a") == "}");
  CHECK(samples[2].value == 5);
  for (const char* line : {"x", "x{", "x{a} 1", "x{a=\"b} 1", "x{a=\"b\" 1", "x y", "{a=\"b\"} 1",
                           "x{a=\"b\"c=\"d\"} 1", "x 1e", "x{a=\"\\\"} 1"})
    CHECK_THROWS_WITH_AS(parse_prometheus("good 1\n" + std::string(line) + "\n"),
                         doctest::Contains("line 2 is no metric"), InputError);
}
