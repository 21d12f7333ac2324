#pragma once
// The bounds of a price with early exercise, and their comparison with a reference. The price under
// the policy is a lower bound, so that a test of it has two sides with different limits.

#include <string>

#include <doctest/doctest.h>

#include "tests/unit/pricing/module_run.hpp"

namespace gsim::pricing::test {

struct Bounds {
  double low, low_error, high, high_error;
};

inline Bounds bounds_of(const ModuleResult& result, std::size_t trade = 0) {
  MemoryDatasets results(Communicator::self(), result.results);
  const auto column = [&](const char* name) {
    return results.read<double>(std::string("trades/") + name).at(trade);
  };
  return {column("price"), column("standard_error"), column("upper_bound"),
          column("upper_bound_error")};
}

// The reference must lie between the bounds, up to four standard errors, and the bounds within
// `bias` of it.
inline void check_bounds(const Bounds& b, double reference, double bias) {
  CAPTURE(b.low);
  CAPTURE(b.high);
  CAPTURE(b.low_error);
  CAPTURE(b.high_error);
  CHECK(b.low <= reference + 4 * b.low_error);
  CHECK(b.low >= reference - bias - 4 * b.low_error);
  CHECK(b.high >= reference - 4 * b.high_error);
  CHECK(b.high <= reference + bias + 4 * b.high_error);
}

}  // namespace gsim::pricing::test
