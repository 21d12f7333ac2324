#include "src/modules/pricing/exposures/value_regression.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "gsim/exec/launch_graph.hpp"
#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exercise/least_squares.hpp"
#include "src/modules/pricing/exercise/policy_constants.hpp"

namespace gsim::pricing {
namespace {

/// Piecewise linear functions bend at every n-th knot; these n are tried.
constexpr std::array<std::size_t, 4> strides{1, 2, 4, 8};

Array<double> on_executor(const Context& alone, const std::vector<double>& values) {
  return {alone.executor, std::span<const double>(values)};
}

/// The sum of term(i) for i < n, by four sums of every fourth term, since additions to one sum
/// would have to wait for each other.
template <class Term>
double sum_of(std::size_t n, const Term& term) {
  double sum[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (std::size_t k = 0; k < 4; ++k) sum[k] += term(i + k);
  for (; i < n; ++i) sum[0] += term(i);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double mean_of(const std::vector<double>& x) {
  return sum_of(x.size(), [&](std::size_t i) { return x[i]; }) / static_cast<double>(x.size());
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
      lower.push_back(
          sum_of(x.size(), [&](std::size_t i) { return (x[i] - centre[v]) * (y[i] - centre[w]); }));
    }
    right.push_back(
        sum_of(x.size(), [&](std::size_t i) { return (x[i] - centre[v]) * payment[i]; }));
  }
  return solve_normal_equations(lower, right);
}

double squares_of(const std::vector<double>& x) {
  return sum_of(x.size(), [&](std::size_t i) { return square(x[i]); });
}

void add_multiple(double factor, const std::vector<double>& x, std::vector<double>& to) {
  for (std::size_t i = 0; i < x.size(); ++i) to[i] += factor * x[i];
}

/// The combination of variables, [variable][paths], with these coefficients.
std::vector<double> combination(const std::vector<double>& variables, std::size_t paths,
                                const std::vector<double>& coefficients) {
  std::vector<double> sum(paths);
  for (std::size_t v = 0; v < coefficients.size(); ++v)
    for (std::size_t p = 0; p < paths; ++p) sum[p] += coefficients[v] * variables[v * paths + p];
  return sum;
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

ValueRegression::Sample ValueRegression::taking_part(Index d, RegressionPaths paths,
                                                     const std::vector<double>& mask) const {
  Sample all{others_.paths(), Members(static_cast<std::size_t>(others_.paths()))};
  std::iota(all.members.begin(), all.members.end(), std::size_t{0});
  if (paths == RegressionPaths::all) return all;
  const bool is_masked = paths == RegressionPaths::masked;
  const std::vector<double> recorded =
      is_masked ? std::vector<double>() : others_.values_to_host(d);
  std::erase_if(all.members, [&](std::size_t p) {
    return !(is_masked ? mask[p] > 0 : recorded[p] > exercise_.threshold);
  });
  return all;
}

ValueRegression::Sample ValueRegression::few_of(const Sample& all) {
  constexpr std::size_t few = 4096;
  if (all.members.size() <= few) return all;
  const Index last = static_cast<Index>(all.members[few - 1]) + 1;
  const Index paths = (last + regression_lanes - 1) / regression_lanes * regression_lanes;
  const auto end =
      std::lower_bound(all.members.begin(), all.members.end(), static_cast<std::size_t>(paths));
  return {paths, {all.members.begin(), end}};
}

std::vector<double> ValueRegression::of_members(const double* x, const Sample& sample) {
  if (sample.has_all()) return {x, x + sample.paths};
  std::vector<double> chosen;
  chosen.reserve(sample.members.size());
  for (const std::size_t p : sample.members) chosen.push_back(x[p]);
  return chosen;
}

std::vector<double> ValueRegression::polynomial(const RecordedStates& states, Index d, Index paths,
                                                const DatePolicy& policy) const {
  const PolicyConstants constants(alone_.executor, exercise_, policy);
  const DecisionJob decisions = constants.decisions(states, d, regression_.functions());
  Array<double> variables(alone_.executor, 0), fitted(alone_.executor, paths);
  FittedValuesJob job{};
  job.variable = decisions.variable;
  if (paths < decisions.paths) {
    variables.resize_uninitialised(decisions.variables * paths);
    for (Index v = 0; v < decisions.variables; ++v)
      copy_on_executor(alone_.executor, variables.view().data + v * paths,
                       decisions.variable + v * decisions.paths,
                       static_cast<std::size_t>(paths) * sizeof(double));
    job.variable = variables.view().data;
  }
  job.paths = paths;
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

std::vector<double> ValueRegression::change_of_control(Index d, const Payments& payments) const {
  if (payments.later_control.empty()) return {};
  std::vector<double> change = payments.later_control;
  add_multiple(-1, others_.controls_to_host(d), change);
  return change;
}

ValueRegression::State ValueRegression::state_of(Index d, const Sample& few,
                                                 const std::vector<double>& payment) const {
  std::vector<Numbers> numbers = recorded_variables(d, few, false);
  State state;
  state.is_single = numbers.size() == 1;
  if (!state.is_single) {
    std::vector<const std::vector<double>*> combined;
    combined.reserve(numbers.size());
    for (const Numbers& n : numbers) combined.push_back(&n.theirs);
    state.coefficients = best_combination(combined, of_members(payment.data(), few));
    state.best = numbers.size();
    add_other_variables(d, few, state.coefficients, numbers);
  }
  for (Numbers& n : numbers) state.variables.emplace_back(std::move(n));
  return state;
}

void ValueRegression::subtract_noise(Regression& r) const {
  constexpr std::size_t few_knots = 4;  // every fourth one
  std::vector<double> residual = of_members(r.payment.data(), r.few);
  if (exercise_.adds_control())
    add_multiple(-1, of_members(r.payments.later_control.data(), r.few), residual);
  const PlacesBetweenKnots& places = r.state.variables[r.state.best].places;
  const std::vector<double> value = PiecewiseLinearSums(places, residual).fit(few_knots).at_knots;
  for (std::size_t i = 0; i < residual.size(); ++i) residual[i] -= places.interpolate(value, i);
  const std::vector<double> share =
      PiecewiseLinearSums(places, of_members(r.change.data(), r.few), residual)
          .fit(few_knots)
          .at_knots;
  std::vector<double> x = others_.variables_to_host(r.date);  // of all paths
  if (!r.state.is_single) x = combination(x, r.payment.size(), r.state.coefficients);
  const PlacesBetweenKnots of_all(places.knots(), x);
  for (std::size_t p = 0; p < r.payment.size(); ++p)
    r.payment[p] -= r.change[p] * of_all.interpolate(share, p);
}

ValueRegression::Fit ValueRegression::limited_polynomial(const Regression& r,
                                                         const Sample& sample) const {
  Fit fit{{of_members(polynomial(others_, r.date, sample.paths, r.policy).data(), sample),
           polynomial(mine_, r.date, mine_.paths(), r.policy)},
          of_members(r.payment.data(), sample),
          static_cast<double>(r.policy.coefficient.size()),
          r.payments.least,
          r.payments.most};
  if (exercise_.adds_control()) add_multiple(-1, of_members(r.change.data(), sample), fit.payment);
  fit.mean = mean_of(fit.value.theirs);
  fit.limit();
  return fit;
}

std::vector<ValueRegression::Numbers> ValueRegression::recorded_variables(
    Index d, const Sample& sample, bool are_evaluated) const {
  const std::vector<double> theirs = others_.variables_to_host(d);
  const std::vector<double> mine =
      are_evaluated ? mine_.variables_to_host(d) : std::vector<double>();
  const Index unit = are_evaluated ? mine_.paths() : 0;
  std::vector<Numbers> list;
  for (Index v = 0; v < exercise_.variables.count(); ++v) {
    const auto first = mine.begin() + v * unit;
    list.push_back(
        {of_members(theirs.data() + v * others_.paths(), sample), {first, first + unit}});
  }
  return list;
}

void ValueRegression::add_other_variables(Index d, const Sample& sample,
                                          const std::vector<double>& coefficients,
                                          std::vector<Numbers>& list) const {
  const bool are_evaluated = !list.empty() && !list.front().mine.empty();
  Numbers best{std::vector<double>(sample.members.size(), 0.0),
               std::vector<double>(list.empty() ? 0 : list.front().mine.size(), 0.0)};
  for (std::size_t v = 0; v < coefficients.size(); ++v) {
    add_multiple(coefficients[v], list[v].theirs, best.theirs);
    add_multiple(coefficients[v], list[v].mine, best.mine);
  }
  list.push_back(std::move(best));
  if (exercise_.variables.spots > 1 && !exercise_.variables.has_exercise_value)
    list.push_back({of_members(others_.values_to_host(d).data(), sample),
                    are_evaluated ? mine_.values_to_host(d) : std::vector<double>()});
}

void ValueRegression::Fit::limit() {
  for (double& x : value.theirs) x = std::clamp(x, least, most);
  for (double& x : value.mine) x = std::clamp(x, least, most);
}

std::vector<double> ValueRegression::Fit::residuals(std::size_t first) const {
  std::vector<double> residual(first);
  for (std::size_t i = 0; i < first; ++i) residual[i] = payment[i] - value.theirs[i];
  return residual;
}

void ValueRegression::Fit::set_mean() {
  const double now = mean_of(value.theirs);
  const double end = now > mean ? least : most;
  const double factor = (mean - end) / (now - end);
  if (!(factor >= 0 && factor < 1)) return;  // also where all values are equal
  for (double& x : value.theirs) x = end + factor * (x - end);
  for (double& x : value.mine) x = end + factor * (x - end);
}

double ValueRegression::Fit::change_of_mean() const {
  const double now = mean_of(value.theirs), difference = std::fabs(now - mean);
  return difference > 0 ? difference / std::fabs(now) : 0;
}

const ValueRegression::Variable* ValueRegression::best_variable(
    const std::vector<const Variable*>& variables, const std::vector<double>& residual,
    std::size_t all) {
  const double squares = squares_of(residual);
  // Noise alone lowers the sum of squares by one variance for each parameter, and a function is
  // taken if on all paths that is about four. With the part s of the paths, a function that lowers
  // it so much lowers it by 1 + 3 s variances.
  const auto paths = static_cast<double>(residual.size());
  const double for_parameter = squares / paths * (1 + 3 * paths / static_cast<double>(all));
  const Variable* best = nullptr;
  double most = 0;
  for (const Variable* const variable : variables) {
    const PiecewiseLinearSums sums(variable->places, residual);
    for (const std::size_t stride : strides) {
      const PiecewiseLinearSums::Fit fit = sums.fit(stride);
      const double more = fit.gain - for_parameter * static_cast<double>(fit.parameters);
      if (!(more > most)) continue;
      most = more;
      best = variable;
    }
  }
  return best;
}

bool ValueRegression::add_function(const PlacesBetweenKnots& theirs,
                                   const std::vector<double>& mine, Fit& fit) {
  constexpr double parameters_of_knot = 2;
  const std::vector<double> residual = fit.residuals(theirs.size());
  const double squares = squares_of(residual);
  const auto validation = [&](double sum, double parameters) {
    const double left = 1 - parameters / static_cast<double>(residual.size());
    return left > 0 ? sum / square(left) : std::numeric_limits<double>::infinity();
  };
  const PiecewiseLinearSums sums(theirs, residual);
  double least = validation(squares, fit.parameters);
  PiecewiseLinearSums::Fit best;
  for (const std::size_t stride : strides) {
    PiecewiseLinearSums::Fit found = sums.fit(stride);
    const double value =
        validation(squares - found.gain,
                   fit.parameters + parameters_of_knot * static_cast<double>(found.parameters));
    if (!(value < least)) continue;
    least = value;
    best = std::move(found);
  }
  if (best.at_knots.empty()) return false;
  const PlacesBetweenKnots of_unit(theirs.knots(), mine);
  for (std::size_t i = 0; i < theirs.size(); ++i)
    fit.value.theirs[i] += theirs.interpolate(best.at_knots, i);
  for (std::size_t i = 0; i < of_unit.size(); ++i)
    fit.value.mine[i] += of_unit.interpolate(best.at_knots, i);
  fit.parameters += static_cast<double>(best.parameters);
  fit.limit();
  return true;
}

void ValueRegression::add_functions(const Regression& r, Fit& fit) const {
  constexpr int most_functions = 3;
  constexpr double rounding = 1e-20;
  const std::size_t few = r.few.members.size(), all = r.all.members.size();
  const double rounded = rounding * squares_of(fit.payment);
  std::vector<Numbers> numbers;  // of all paths
  for (int f = 0; f < most_functions; ++f) {
    const std::vector<double> residual = fit.residuals(few);
    if (!(squares_of(residual) > rounded)) return;
    std::vector<const Variable*> variables;
    for (const Variable& variable : r.state.variables) variables.push_back(&variable);
    // The fit so far; that of one variable is a function of it.
    std::optional<Variable> so_far;
    if (!r.state.is_single) {
      const auto first = fit.value.theirs.begin();
      so_far.emplace(Numbers{{first, first + static_cast<std::ptrdiff_t>(few)}, {}});
      variables.push_back(&*so_far);
    }
    const Variable* const variable = best_variable(variables, residual, all);
    if (variable == nullptr) return;
    if (fit.payment.size() < all) fit = limited_polynomial(r, r.all);
    if (numbers.empty()) {
      numbers = recorded_variables(r.date, r.all, true);
      if (!r.state.is_single) add_other_variables(r.date, r.all, r.state.coefficients, numbers);
    }
    const bool is_fit = so_far && variable == &*so_far;
    const Numbers& x =
        is_fit ? fit.value : numbers[static_cast<std::size_t>(variable - r.state.variables.data())];
    const PlacesBetweenKnots places(variable->places.knots(), x.theirs);
    if (!add_function(places, x.mine, fit)) return;
  }
}

std::vector<double> ValueRegression::values(Index d, const Payments& payments,
                                            RegressionPaths paths,
                                            const std::vector<double>& mask) {
  const Sample all = taking_part(d, paths, mask), few = few_of(all);
  const auto none = [&] {
    return std::vector<double>(static_cast<std::size_t>(mine_.paths()),
                               std::clamp(0.0, payments.least, payments.most));
  };
  if (few.members.empty()) return none();
  Regression r{d, all, few, payments, payments.payment, change_of_control(d, payments), {}, {}};
  r.state = state_of(d, few, r.payment);
  if (!r.change.empty()) subtract_noise(r);
  const Array<double> regressed = on_executor(alone_, r.payment),
                      masked = on_executor(alone_, mask);
  Array<double> control(alone_.executor, 0);
  if (exercise_.adds_control()) control = on_executor(alone_, payments.later_control);
  r.policy =
      regression_.fit(d, {regressed.view().data, control.size() > 0 ? control.view().data : nullptr,
                          paths, masked.view().data, false});
  if (r.policy.coefficient.empty()) return none();
  Fit fit = limited_polynomial(r, few);
  add_functions(r, fit);
  // The error of what limits change in the mean is a small part of it on few paths.
  constexpr double small_change = 0.02;
  if (fit.payment.size() < all.members.size() && fit.change_of_mean() > small_change)
    fit = limited_polynomial(r, all);
  fit.set_mean();
  return std::move(fit.value.mine);
}

}  // namespace gsim::pricing
