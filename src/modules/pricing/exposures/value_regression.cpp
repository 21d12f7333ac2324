#include "src/modules/pricing/exposures/value_regression.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exercise/least_squares.hpp"
#include "src/modules/pricing/exercise/policy_constants.hpp"

namespace gsim::pricing {
namespace {

Array<double> on_executor(const Context& alone, const std::vector<double>& values) {
  return {alone.executor, std::span<const double>(values)};
}

double mean_of(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

std::vector<double> of_members(const double* x, const std::vector<std::size_t>& members) {
  std::vector<double> chosen;
  chosen.reserve(members.size());
  for (const std::size_t p : members) chosen.push_back(x[p]);
  return chosen;
}

/// The coefficients of the linear combination of variables that fits `payment` best.
std::vector<double> best_combination(const std::vector<const std::vector<double>*>& variables,
                                     const std::vector<double>& payment) {
  std::vector<double> lower, right, centre;
  for (const auto* x : variables) centre.push_back(mean_of(*x));
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const std::vector<double>& x = *variables[v];
    for (std::size_t w = 0; w <= v; ++w) {
      const std::vector<double>& y = *variables[w];
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - centre[v]) * (y[i] - centre[w]);
      lower.push_back(sum);
    }
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - centre[v]) * payment[i];
    right.push_back(sum);
  }
  return solve_normal_equations(lower, right);
}

void add_multiple(double factor, const std::vector<double>& x, std::vector<double>& to) {
  for (std::size_t i = 0; i < x.size(); ++i) to[i] += factor * x[i];
}

}  // namespace

ValueRegression::Variable::Variable(Numbers n)
    : numbers(std::move(n)), places(knots_for(numbers.theirs), numbers.theirs) {}

ValueRegression::ValueRegression(const ExerciseSetup& exercise, const RecordedStates& others,
                                 const RecordedStates& mine, const Context& alone)
    : exercise_(exercise),
      others_(others),
      mine_(mine),
      alone_(alone),
      regression_(exercise, others, alone) {}

double ValueRegression::bytes(Index variables, const UnitSamples& samples) {
  // Of the regressions: recorded and chosen variables, three more of them, and their places;
  // payments, controls and their changes on the host and on the executor, two fits, rests and
  // indices. Of the unit: recorded and chosen variables, three more of them, and two fits.
  const auto of_variable = static_cast<double>(variables), of_place = 9.0;
  const double columns = 2 * of_variable + 3;
  return static_cast<double>(samples.regression_paths) *
             (sizeof(double) * (columns + 14) + (of_variable + 3) * of_place) +
         static_cast<double>(samples.paths) * sizeof(double) * (columns + 4);
}

ValueRegression::Members ValueRegression::taking_part(Index d, RegressionPaths paths,
                                                      const std::vector<double>& mask) const {
  Members members(static_cast<std::size_t>(others_.paths()));
  std::iota(members.begin(), members.end(), std::size_t{0});
  if (paths == RegressionPaths::all) return members;
  const bool is_masked = paths == RegressionPaths::masked;
  const std::vector<double> recorded =
      is_masked ? std::vector<double>() : others_.values_to_host(d);
  std::erase_if(members, [&](std::size_t p) {
    return !(is_masked ? mask[p] > 0 : recorded[p] > exercise_.threshold);
  });
  return members;
}

std::vector<double> ValueRegression::polynomial(const RecordedStates& states, Index d,
                                                const DatePolicy& policy) const {
  const PolicyConstants constants(alone_.executor, exercise_, policy);
  const DecisionJob decisions = constants.decisions(states, d, regression_.functions());
  Array<double> fitted(alone_.executor, states.paths());
  FittedValuesJob job{};
  job.variable = decisions.variable;
  job.paths = decisions.paths;
  job.variables = decisions.variables;
  job.functions = decisions.functions;
  job.degree = decisions.degree;
  job.centre = decisions.centre;
  job.inverse_scale = decisions.inverse_scale;
  job.coefficient = decisions.coefficient;
  job.function = decisions.function;
  job.control = exercise_.adds_control() ? decisions.control : nullptr;
  job.fitted = fitted.view().data;
  regression_fitted_values(alone_.executor, job);
  return fitted.to_host();
}

std::vector<double> ValueRegression::change_of_control(Index d, const Payments& payments,
                                                       const Members& members) const {
  if (payments.later_control.empty()) return {};
  std::vector<double> change = of_members(payments.later_control.data(), members);
  add_multiple(-1, of_members(others_.controls_to_host(d).data(), members), change);
  return change;
}

void ValueRegression::subtract_noise(Index d, const DatePolicy& first, const Members& members,
                                     const std::vector<double>& change,
                                     std::vector<double>& payment) const {
  const Variable value({of_members(polynomial(others_, d, first).data(), members), {}});
  std::vector<double> residual = of_members(payment.data(), members);
  add_multiple(-1, value.numbers.theirs, residual);
  if (exercise_.adds_control()) add_multiple(-1, change, residual);
  constexpr std::size_t few_knots = 4;  // every fourth one
  const std::vector<double> share =
      PiecewiseLinearSums(value.places, change, residual).fit(few_knots).at_knots;
  for (std::size_t i = 0; i < members.size(); ++i)
    payment[members[i]] -= change[i] * value.places.interpolate(share, i);
}

std::vector<ValueRegression::Variable> ValueRegression::variables(
    Index d, const Members& members, const std::vector<double>& payment) const {
  const Index count = exercise_.variables.count();
  const std::vector<double> theirs = others_.variables_to_host(d);
  const std::vector<double> mine = mine_.variables_to_host(d);
  std::vector<Variable> list;
  std::vector<const std::vector<double>*> combined;
  list.reserve(static_cast<std::size_t>(count) + 2);
  for (Index v = 0; v < count; ++v) {
    const auto first = mine.begin() + v * mine_.paths();
    list.emplace_back(Numbers{of_members(theirs.data() + v * others_.paths(), members),
                              {first, first + mine_.paths()}});
    combined.push_back(&list.back().numbers.theirs);
  }
  if (count < 2) return list;
  const std::vector<double> coefficients = best_combination(combined, payment);
  Numbers best{std::vector<double>(members.size(), 0.0),
               std::vector<double>(static_cast<std::size_t>(mine_.paths()), 0.0)};
  for (std::size_t v = 0; v < coefficients.size(); ++v) {
    add_multiple(coefficients[v], list[v].numbers.theirs, best.theirs);
    add_multiple(coefficients[v], list[v].numbers.mine, best.mine);
  }
  list.emplace_back(std::move(best));
  if (exercise_.variables.spots > 1 && !exercise_.variables.has_exercise_value)
    list.emplace_back(
        Numbers{of_members(others_.values_to_host(d).data(), members), mine_.values_to_host(d)});
  return list;
}

void ValueRegression::Fit::limit() {
  for (double& x : value.theirs) x = std::clamp(x, least, most);
  for (double& x : value.mine) x = std::clamp(x, least, most);
}

std::vector<double> ValueRegression::Fit::residuals() const {
  std::vector<double> residual = payment;
  add_multiple(-1, value.theirs, residual);
  return residual;
}

void ValueRegression::Fit::set_mean(double mean) {
  const double now = mean_of(value.theirs);
  const double end = now > mean ? least : most;
  const double factor = (mean - end) / (now - end);
  if (!(factor >= 0 && factor < 1)) return;  // also where all values are equal
  for (double& x : value.theirs) x = end + factor * (x - end);
  for (double& x : value.mine) x = end + factor * (x - end);
}

ValueRegression::Term ValueRegression::best_term(const std::vector<Variable>& variables,
                                                 const Variable& so_far, const Fit& fit) {
  constexpr double parameters_of_knot = 2;
  const std::vector<double> residual = fit.residuals();
  const double squares =
      std::inner_product(residual.begin(), residual.end(), residual.begin(), 0.0);
  const auto validation = [&](double sum, double parameters) {
    const double left = 1 - parameters / static_cast<double>(residual.size());
    return left > 0 ? sum / square(left) : std::numeric_limits<double>::infinity();
  };
  Term best;
  double least = validation(squares, fit.parameters);
  const auto try_variable = [&](const Variable& variable) {
    const PiecewiseLinearSums sums(variable.places, residual);
    for (const std::size_t stride : {1, 2, 4, 8}) {
      PiecewiseLinearSums::Fit found = sums.fit(stride);
      const double value =
          validation(squares - found.gain,
                     fit.parameters + parameters_of_knot * static_cast<double>(found.parameters));
      if (!(value < least)) continue;
      least = value;
      best = {&variable, std::move(found)};
    }
  };
  for (const Variable& variable : variables) try_variable(variable);
  try_variable(so_far);
  return best;
}

void ValueRegression::add_terms(const std::vector<Variable>& variables, Fit& fit) {
  constexpr int most_terms = 3;
  for (int t = 0; t < most_terms; ++t) {
    const Variable so_far(fit.value);
    const Term term = best_term(variables, so_far, fit);
    if (term.variable == nullptr) return;
    const std::vector<double>& at_knots = term.function.at_knots;
    const PlacesBetweenKnots &theirs = term.variable->places,
                             mine(theirs.knots(), term.variable->numbers.mine);
    for (std::size_t i = 0; i < theirs.size(); ++i)
      fit.value.theirs[i] += theirs.interpolate(at_knots, i);
    for (std::size_t i = 0; i < mine.size(); ++i)
      fit.value.mine[i] += mine.interpolate(at_knots, i);
    fit.parameters += static_cast<double>(term.function.parameters);
    fit.limit();
  }
}

std::vector<double> ValueRegression::values(Index d, const Payments& payments,
                                            RegressionPaths paths,
                                            const std::vector<double>& mask) {
  const Array<double> control = on_executor(alone_, payments.later_control);
  const Array<double> masked = on_executor(alone_, mask);
  const auto fit_polynomial = [&](const std::vector<double>& payment, Index degree) {
    const Array<double> regressed = on_executor(alone_, payment);
    return regression_.fit(
        d,
        {regressed.view().data, payments.later_control.empty() ? nullptr : control.view().data,
         paths, masked.view().data},
        degree);
  };
  const Members members = taking_part(d, paths, mask);
  const std::vector<double> change = change_of_control(d, payments, members);
  std::vector<double> payment = payments.payment;
  if (!change.empty()) {
    constexpr Index low_degree = 3;
    const DatePolicy first = fit_polynomial(payment, low_degree);
    if (!first.coefficient.empty()) subtract_noise(d, first, members, change, payment);
  }
  const DatePolicy policy = fit_polynomial(payment, max_degree);
  if (policy.coefficient.empty())
    return std::vector<double>(static_cast<std::size_t>(mine_.paths()),
                               std::clamp(0.0, payments.least, payments.most));
  Fit fit{
      {of_members(polynomial(others_, d, policy).data(), members), polynomial(mine_, d, policy)},
      of_members(payment.data(), members),
      static_cast<double>(policy.coefficient.size()),
      payments.least,
      payments.most};
  if (exercise_.adds_control()) add_multiple(-1, change, fit.payment);
  fit.limit();
  add_terms(variables(d, members, fit.payment), fit);
  fit.set_mean(mean_of(fit.payment));
  return std::move(fit.value.mine);
}

}  // namespace gsim::pricing
