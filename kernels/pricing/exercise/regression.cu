// Regressions of early exercise. They are in double, whatever the precision of the paths.
#include "kernels/pricing/exercise/regression.hpp"
#include "kernels/pricing/exercise/solve_regression.hpp"

GSIM_DEFINE_LAUNCHER(regression_first_not_finite, pricing::NotFiniteJob) {
  pricing_kernels::find_not_finite(executor, args);
}
GSIM_DEFINE_LAUNCHER(regression_moments, pricing::MomentsJob) {
  pricing_kernels::add_moments(executor, args);
}
GSIM_DEFINE_LAUNCHER(regression_normal_equations, pricing::NormalEquationsJob) {
  pricing_kernels::add_normal_equations(executor, args);
}
GSIM_DEFINE_LAUNCHER(regression_solution, pricing::SolveJob) {
  pricing_kernels::solve_regression(executor, args);
}
GSIM_DEFINE_LAUNCHER(regression_decisions, pricing::DecisionJob) {
  pricing_kernels::decide(executor, args);
}
GSIM_DEFINE_LAUNCHER(regression_fitted_values, pricing::FittedValuesJob) {
  pricing_kernels::evaluate_fit(executor, args);
}
