#pragma once
// How `gsim validate` speaks: one line a case for people, one JSON document for programs.

#include <string>
#include <vector>

#include "runner.hpp"

namespace gsim::app {

/// "  Heston call K=100   16.07015 ± 0.0011   reference 16.070154917   z +0.0   ✔". Shows the bias
/// bound where there is one, and the reason of a failure.
std::string outcome_line(const CaseOutcome& o, bool colour);

/// "38 of 38, chi² 36.1 / 38, p 0.56".
std::string summary_line(const std::vector<CaseOutcome>& outcomes, const ChiSquare& chi);

/// All outcomes, the chi-square, and the verdict as JSON.
std::string validation_json(const std::string& module, const std::string& level,
                            const std::vector<CaseOutcome>& outcomes, const ChiSquare& chi);

}  // namespace gsim::app
