#pragma once
// The table `greeks` of a run, for tests, and derivatives of closed forms.

#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/unit/pricing/module_run.hpp"

namespace gsim::pricing::test {

struct GreekValue {
  double value = 0, error = 0;
  std::string method;
};

inline std::vector<double> doubles(const MemoryDatasets::Contents& contents,
                                   const std::string& path) {
  const std::vector<char>& bytes = contents.datasets.at(path).bytes;
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// The Greeks of a run by trade, Greek, assets and bucket: "call delta A", "call rho".
inline std::map<std::string, GreekValue> greeks_of(const ModuleResult& run) {
  const auto strings = [&](const char* column) -> const std::vector<std::string>& {
    return run.results.datasets.at(std::string("greeks/") + column).strings;
  };
  const std::vector<double> values = doubles(run.results, "greeks/value");
  const std::vector<double> errors = doubles(run.results, "greeks/standard_error");
  std::map<std::string, GreekValue> table;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string name = strings("trade")[i];
    for (const char* column : {"greek", "asset", "second_asset", "bucket"})
      if (!strings(column)[i].empty()) name += " " + strings(column)[i];
    table[name] = {values[i], errors[i], strings("method")[i]};
  }
  return table;
}

/// Checks a Greek within four standard errors plus `tolerance`, and that the error is at most
/// `largest_error`.
inline void check_greek(const std::map<std::string, GreekValue>& table, const std::string& name,
                        double reference, double largest_error, double tolerance = 0) {
  CAPTURE(name);
  const GreekValue& g = table.at(name);
  CAPTURE(g.value);
  CAPTURE(g.error);
  CAPTURE(reference);
  CHECK(std::fabs(g.value - reference) <= 4 * g.error + tolerance);
  CHECK(g.error > 0);
  CHECK(g.error < largest_error);
}

/// The derivative of f at x, by central differences of order h^4.
inline double slope(const std::function<double(double)>& f, double x, double h) {
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}
/// The second derivative.
inline double curvature(const std::function<double(double)>& f, double x, double h) {
  return (16 * (f(x + h) + f(x - h)) - (f(x + 2 * h) + f(x - 2 * h)) - 30 * f(x)) / (12 * h * h);
}

inline const std::string all_greeks =
    "[pricing]\ngreeks = [\"delta\", \"gamma\", \"cross_gamma\", \"vega\", \"vega_buckets\", "
    "\"theta\", \"rho\", \"rho_pillars\"]\nimportance_sampling = false\n";

}  // namespace gsim::pricing::test
