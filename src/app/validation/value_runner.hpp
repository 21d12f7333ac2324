#pragma once
// Cases that compare several values of runs of given length.

#include <vector>

#include "runner.hpp"

namespace gsim::app {

/// Does all runs of a case that has values, and judges each value. Sampled: |computed - reference|
/// is at most the set's number of standard errors (the reference's own included) + tolerance +
/// floor, and the standard error is at most the value's largest_error. Exact: the difference is at
/// most the tolerance. Only the first sampled value of a case can enter the chi-square, since
/// values of one run depend on each other. An error of a run fails all values, an error of a
/// formula only its own value.
std::vector<CaseOutcome> run_values(const ValidationContext& context, const CaseSet& set,
                                    const ValidationCase& c);

}  // namespace gsim::app
