#pragma once
// Runs validation cases and compares results with references.

#include <string>
#include <vector>

#include "cases/case_set.hpp"
#include "module_run.hpp"
#include "statistics.hpp"

namespace gsim::app {

/// The result of one case. z is the difference from the reference in standard errors.
struct CaseOutcome {
  std::string set, name;        ///< id of the set, name of the case
  std::string citation, check;  ///< source of the reference, and how the reference was verified
  double computed = 0, standard_error = 0;
  double degrees_of_freedom = 0;  ///< of the standard error; 0: practically infinitely many
  double reference = 0;
  double published = 0;  ///< value in the cited publication, for information only
  bool has_published = false;
  double reference_error = 0;  ///< standard error of the reference itself
  bool is_exact = false;       ///< compared by the tolerance: no z
  double tolerance = 0, bias_bound = 0;
  double floor = 0;  ///< accepted absolute difference besides the tolerance
  double z = 0;
  /// z converted to a standard normal deviate; it differs from z if degrees of freedom are few.
  double score = 0;
  double samples = 0, seconds = 0;
  /// Whether the case counts in the chi-square of all cases: it has no bias bound, and a tolerance
  /// below a third of its standard error.
  bool in_chi_square = false;
  bool passed = false;
  std::string reason;  ///< why it did not pass
};

/// Chi-square over the scores of all independent cases, two-sided.
struct ChiSquare {
  double value = 0;
  Index degrees_of_freedom = 0;
  double p_value = 1;  ///< two-sided: 2 min(P, 1 - P)
  bool passed = true;  ///< p_value >= 1e-3
};

/// The verdict of a case: passed if |computed - reference| <= 4 standard errors + tolerance + bias
/// bound, with the bias bound at most 2 standard errors and the standard error at its target: 1e-3
/// (quick) or 1e-4 (full) of the reference, or 1e-5 (quick) or 1e-6 (full) of ValidationCase::scale
/// where that is larger. A run that ends in an error gives a case that did not pass. Every run has
/// a seed of its own, so all cases are independent.
CaseOutcome run_case(const ValidationContext& context, const CaseSet& set, const ValidationCase& c);

/// The chi-square of the cases with in_chi_square.
ChiSquare chi_square(const std::vector<CaseOutcome>& outcomes);

}  // namespace gsim::app
