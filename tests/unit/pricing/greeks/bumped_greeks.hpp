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

/// Checks that an adjoint Greek is that by bumps of the same paths, on 8192 samples. Without
/// control variates both are means of nearly the same samples; the error from the means of 128
/// batches is itself uncertain by 6 %. The coefficient of a control variate follows from these
/// means here, and from the samples there, so that an estimate moves by 0.09 of its error times a
/// product of two normal variables (of which 11 are exceeded with probability 5e-6); and where few
/// samples contribute to what the control leaves, either error may be the one without it.
inline void check_same_paths(const std::string& options, const GreekValue& greek,
                             const GreekValue& bump) {
  const bool has_controls = options.find("control_variates") == std::string::npos;
  const bool has_replicates = options.find("sobol") != std::string::npos;
  const double scale = 1e-5 * (1 + std::fabs(greek.value));
  // With replicates the spread of the coefficients is not known.
  const double errors = !has_controls ? 0.1 : has_replicates ? 4 : 1;
  CHECK(std::fabs(greek.value - bump.value) <= errors * greek.error + scale);
  if (has_controls) return;
  CHECK(std::fabs(greek.error - bump.error) <=
        (has_replicates ? 0.15 : 0.25) * greek.error + scale);
}

}  // namespace gsim::pricing::test
