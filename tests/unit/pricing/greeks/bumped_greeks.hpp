#pragma once
// First-order Greeks of the same paths by derivatives and by small bumps.

#include <map>
#include <string>

#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/greeks/greek_rows.hpp"

namespace gsim::pricing::test {

/// Small bumps have no bias that matters here, and hardly any path has its kink between two bumps.
inline const std::string small_bumps = R"(
[pricing.bumps]
spot = 1e-5
volatility = 1e-5
rate = 1e-5
time = 1e-5
)";

inline const std::string all_first_order =
    "[pricing]\ngreeks = [\"delta\", \"vega\", \"vega_buckets\", \"theta\", \"rho\", "
    "\"rho_pillars\"]\nimportance_sampling = false\n";

/// The Greeks of a run with these options of [pricing] and the rest of its configuration.
inline std::map<std::string, GreekValue> greeks_with(const std::string& options,
                                                     const std::string& rest) {
  return greeks_of(run_module_alone(
      {.config = all_first_order + options + rest, .threads = 2, .stop = samples(8192)}));
}

}  // namespace gsim::pricing::test
