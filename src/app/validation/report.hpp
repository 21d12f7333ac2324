#pragma once
// The output of `gsim validate`: one line for each case as text, or one JSON document.

#include <string>
#include <vector>

#include "runner.hpp"

namespace gsim::app {

/// The results of one `gsim validate` for one module.
struct ValidationReport {
  std::string module, level;
  std::vector<CaseOutcome> outcomes;
  Index cases = 0;  ///< planned; more than outcomes.size() after an interruption
  double seconds = 0, cpu_seconds = 0;

  bool is_complete() const { return static_cast<Index>(outcomes.size()) == cases; }
  Index passed_count() const;
  /// Every case done and passed, and the chi-square too.
  bool passed() const;
};

/// "  Asian options: Linetsky 2004"; below it, where the set says so, how its reference values were
/// verified: "    reference: recomputed by quadrature".
std::string set_heading(const CaseSet& set);

/// " Heston call K=100 16.07015 ± 0.0011 reference 16.070154917 z +0.0 ✔". Shows the bias bound
/// where there is one, and the reason of a failure. A value that is compared by a tolerance has no
/// z: " rc 3 U -4351.54019454 reference -4351.5 Δ 4.0e-02, tolerance 5.0e-02 ✔".
std::string outcome_line(const CaseOutcome& o, bool colour);

/// The line that is printed when a set is done: "    heston: 10 of 10 passed, 12.3 s, CPU 24.1 s;
/// 60 of 470 cases done".
std::string progress_line(const ValidationReport& report, const std::string& set, double seconds,
                          double cpu_seconds);

/// "470 of 470, chi² 436.1 / 438, p 0.56, worst z -3.1 (set: case), 22 min, CPU 43 min"; then the
/// failures, one in each line, and the number of cases that an interruption left out.
std::string summary(const ValidationReport& report);

/// All outcomes, the chi-square, and the verdict as JSON.
std::string validation_json(const ValidationReport& report);

}  // namespace gsim::app
