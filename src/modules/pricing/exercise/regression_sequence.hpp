#pragma once
// The regressions of all exercise dates without waiting for a device between them.

#include <vector>

#include "src/modules/pricing/exercise/state_regression.hpp"

namespace gsim::pricing {

/// What paths receive, in the executor's memory, replaced by decisions (DecisionJob).
struct PaymentsOfPaths {
  double* payment;        ///< [paths]
  double* later_control;  ///< [paths]; null: none
};

/// Fits the dates from `last` back and decides on the paths at each by its fit, as StateRegression
/// and decisions on the host do for one date after another, with the same bits: for a rank that has
/// all paths, and trades that are exercised by a comparison with the value of continuation
/// (ExerciseSetup::side is 0). The number of copies does not depend on that of the dates. Returns
/// the date at which it stopped, of which nothing is done: one whose equations are nearly dependent
/// (SolveJob), or -1 after the first date.
Index fit_dates_in_sequence(const ExerciseSetup& exercise, const RecordedStates& states,
                            StateRegression& regression, RegressionPaths paths,
                            const PaymentsOfPaths& payments, Index last, const Context& context,
                            std::vector<DatePolicy>& dates);

}  // namespace gsim::pricing
