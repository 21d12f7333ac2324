#pragma once
// Conformance check of payoffs.

#include "gsim/engine/conformance.hpp"

namespace gsim::pricing {

/// Largest difference of two prices in standard errors. It is exceeded by chance once in two
/// million comparisons.
inline constexpr double largest_deviation = 5;

/// Prices the subject's example in the other precision and arithmetic, with antithetic paths and
/// with Sobol points, and reports for each whether all prices agree with those of the example
/// within five standard errors of the difference.
void check_payoff_prices(const ConformanceSubject& subject, const ReportFinding& report);

}  // namespace gsim::pricing
