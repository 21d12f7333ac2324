#include "src/modules/pricing/exercise/exercise_boundary.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/pricing/exercise/basis.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"

namespace gsim::pricing {
namespace {

/// By how much exercise at weighted spot x exceeds continuation, discounted to today.
double excess(const ExerciseSetup& exercise, std::size_t d, const DatePolicy& policy, double x) {
  const TradeSetup& value = exercise.values[d];
  double u[max_variables] = {(x - policy.centre[0]) / policy.scale[0]}, phi[max_functions];
  const auto functions = static_cast<int>(policy.coefficient.size());
  pricing_kernels::basis_functions(exercise.functions.data(), functions, 1,
                                   static_cast<int>(exercise.degree), u, 1.0, phi);
  double continuation = 0;
  for (int f = 0; f < functions; ++f)
    continuation += policy.coefficient[static_cast<std::size_t>(f)] * phi[f];
  if (exercise.adds_control()) {
    const ControlAtExercise& c = exercise.decision_control;
    const double forward = c.growth[d] * (x / value.weights[0]);
    continuation += black(value.sign, forward, c.strike[0], c.sd[d] * c.sd[d], c.weight[0]);
  }
  return value.discount * std::max(value.sign * (x - value.strike), 0.0) - continuation;
}

}  // namespace

bool find_boundary(const ExerciseSetup& exercise, Index date, DatePolicy& policy) {
  constexpr int steps = 1000, halvings = 60;
  constexpr double deviations = 6;  // of the spots in the money
  const auto d = static_cast<std::size_t>(date);
  const double strike = exercise.values[d].strike;
  const double reach = deviations * policy.scale[0];
  const double end = exercise.side > 0 ? std::max(policy.centre[0] + reach, 1.001 * strike)
                                       : std::max(policy.centre[0] - reach, 1e-3 * strike);
  double outside = strike;
  for (int i = 1; i <= steps; ++i) {
    double inside = strike + (end - strike) * i / steps;
    if (excess(exercise, d, policy, inside) < 0) {
      outside = inside;
      continue;
    }
    for (int k = 0; k < halvings; ++k) {
      const double middle = 0.5 * (outside + inside);
      (excess(exercise, d, policy, middle) < 0 ? outside : inside) = middle;
    }
    policy.boundary = inside;
    return true;
  }
  return false;
}

}  // namespace gsim::pricing
