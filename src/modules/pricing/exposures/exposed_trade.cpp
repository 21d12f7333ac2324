#include "src/modules/pricing/exposures/exposed_trade.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

/// A payoff of 0.
TradeSetup nothing(const TradeSetup& setup, Index record) {
  TradeSetup p;
  p.name = setup.name;
  p.assets = {setup.assets.front()};
  p.weights = {1};
  p.records = {record};
  p.sign = -1;  // a put with strike 0
  return p;
}

bool is_barrier(const TradeSetup& setup) { return setup.payoff == PayoffFormula::barrier; }

/// What the trade would pay if the date were its maturity. Of knock-out options what a call with
/// strike 0 would pay, which is positive until it is knocked out. 0 where the payoff has no value
/// yet, or is that of a plugin, which may depend on the length of its schedule.
TradeSetup value_at(const TradeConfig& trade, double date, const MarketView& view,
                    const std::vector<Index>& assets, const TradeSetup& setup) {
  const Index record = record_at(*view.records, date);
  const PayoffFunctions& payoff = functions_of(*trade.payoff);
  TradeConfig matured = matured_at(trade, date);
  const bool has_started =
      payoff.dates == nullptr || std::ranges::all_of(payoff.dates(trade), [&](double start) {
        return start < date - same_date;
      });
  const bool has_fixings =
      trade.fixings.empty() || matured.fixings.size() + matured.past_fixings.size() > 1;
  if (setup.kind != nullptr || !has_started || !has_fixings ||
      matured.fixings.empty() != trade.fixings.empty())
    return nothing(setup, record);
  if (is_barrier(setup)) {
    matured.call = true;
    matured.strike = 0;
  }
  return make_trade_setup(matured, view, assets);
}

/// Assets that the trade does not depend on.
std::vector<std::uint8_t> unused_by(const TradeSetup& trade, std::size_t assets) {
  std::vector<std::uint8_t> unused(assets, 1);
  for (const Index i : trade.assets) unused[static_cast<std::size_t>(i)] = 0;
  return unused;
}

/// Index of a date among increasing ones.
Index position(const std::vector<double>& dates, double date) {
  return std::lower_bound(dates.begin(), dates.end(), date - same_date) - dates.begin();
}

Array<double> on_executor(const Context& alone, const std::vector<double>& values) {
  return {alone.executor, std::span<const double>(values)};
}

}  // namespace

std::vector<double> exposure_dates(const TradeConfig& trade, const std::vector<double>& dates) {
  std::vector<double> all = trade.exercise.dates;
  for (const double date : dates)
    if (date < trade.maturity - same_date) all.push_back(date);
  std::sort(all.begin(), all.end());
  std::vector<double> joined;
  for (const double date : all)
    if (date < trade.maturity - same_date && (joined.empty() || date - joined.back() > same_date))
      joined.push_back(date);
  joined.push_back(trade.maturity);
  return joined;
}

ExposedTrade::ExposedTrade(const TradeConfig& trade, const std::vector<double>& dates,
                           const ExerciseOptions& options, const MarketView& view,
                           const PricingSetup& setup)
    : simulation_(setup.simulation) {
  TradeConfig exposed = trade;
  exposed.exercise.dates = exposure_dates(trade, dates);
  const std::vector<double>& recorded = exposed.exercise.dates;
  for (const double date : dates)
    if (date < trade.maturity - same_date) valued_.push_back(position(recorded, date));
  TradeSetup whole = make_trade_setup(trade, view, setup.assets);
  std::vector<TradeSetup> values;
  for (std::size_t d = 0; d + 1 < recorded.size(); ++d)
    values.push_back(value_at(exposed, recorded[d], view, setup.assets, whole));
  values.push_back(whole);
  const auto exercise =
      make_exercise_setup(exposed, options, view, whole, std::move(values), false);
  if (trade.exercise.is_early()) {
    policy_ = *trade.exercise.policy;
    for (std::size_t d = 0; d < policy_.dates.size(); ++d)
      decided_.push_back(position(recorded, trade.exercise.dates[d]));
  }
  is_closed_ = !is_early() && whole.payoff == PayoffFormula::vanilla &&
               whole.combination == Combination::single && trade.payment_lag == 0 &&
               exercise->adds_control() && functions_of(*trade.payoff).dates == nullptr;
  ends_at_zero_ = is_barrier(whole);
  is_incomplete_ = whole.kind != nullptr && !trade.fixings.empty();
  exercise_ = exercise;
  simulation_.unused = unused_by(whole, simulation_.assets.size());
  whole.exercise = exercise;
  simulation_.trades = {std::move(whole)};
}

double ExposedTrade::bytes(const UnitSamples& samples) const {
  const auto columns = static_cast<double>(
      exercise_->values.size() * static_cast<std::size_t>(exercise_->variables.count() + 3));
  return sizeof(double) * columns *
         static_cast<double>(samples.paths + (is_closed_ ? 0 : samples.regression_paths));
}

ExposedTrade::Payments ExposedTrade::payments(const RecordedStates& states,
                                              const Context& alone) const {
  const auto n = static_cast<std::size_t>(states.paths());
  const std::vector<double> values = states.values_to_host();
  const std::vector<double> controls = states.controls_to_host();
  Payments p;
  p.date.assign(n, states.dates() - 1);
  const Array<BasisFunction> functions(alone.executor,
                                       std::span<const BasisFunction>(exercise_->functions));
  for (std::size_t d = decided_.size(); d-- > 0;) {  // the first exercise is the last one set
    if (policy_.dates[d].coefficient.empty()) continue;
    const PolicyConstants constants(alone.executor, *exercise_, policy_.dates[d]);
    Array<double> exercised(alone.executor, states.paths());
    DecisionJob job = constants.decisions(states, decided_[d], functions.view().data);
    job.exercised = exercised.view().data;
    regression_decisions(alone.executor, job);
    const std::vector<double> flags = exercised.to_host();
    for (std::size_t i = 0; i < n; ++i)
      if (flags[i] != 0) p.date[i] = decided_[d];
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t at = static_cast<std::size_t>(p.date[i]) * n + i;
    p.payment.push_back(values[at]);
    if (!controls.empty()) p.control.push_back(controls[at]);
  }
  return p;
}

TradeValues ExposedTrade::evaluate(const UnitSamples& samples, const Context& alone) const {
  const bool has_control = exercise_->control.kind != ExerciseControl::none;
  const auto record = [&](Index first, Index count) {
    return RecordedStates(simulation_, first, count / regression_block, regression_block,
                          has_control, alone);
  };
  const auto n = static_cast<std::size_t>(samples.paths);
  TradeValues result;
  result.values.assign(valued_.size() * n, 0.0);
  result.payment.assign(n, 0.0);
  if (policy_.exercised_today) return result;
  const RecordedStates states = record(samples.first, samples.paths);
  const Payments paid = payments(states, alone);
  result.today = value_today(paid);
  const Index last = states.dates() - 1;
  for (std::size_t p = 0; p < n; ++p)
    if (paid.date[p] == last) result.payment[p] = paid.payment[p];
  if (valued_.empty()) return result;
  const std::vector<double> recorded = states.values_to_host();
  if (is_closed_) {
    const std::vector<double> controls = states.controls_to_host();
    for (std::size_t d = 0; d < valued_.size(); ++d)
      std::copy_n(controls.begin() + valued_[d] * samples.paths, n,
                  result.values.begin() + static_cast<std::ptrdiff_t>(d * n));
    return result;
  }
  const RecordedStates others = record(samples.first_regression, samples.regression_paths);
  const Payments others_paid = payments(others, alone);
  const Array<double> payment = on_executor(alone, others_paid.payment);
  const Array<double> control = on_executor(alone, others_paid.control);
  StateRegression regression(*exercise_, others, alone);
  for (std::size_t k = 0; k < valued_.size(); ++k) {
    const Index d = valued_[k];
    std::vector<double> alive;
    if (is_early())
      for (const Index date : others_paid.date) alive.push_back(date > d ? 1 : 0);
    const Array<double> mask = on_executor(alone, alive);
    const double* const masked = is_early()      ? mask.view().data
                                 : ends_at_zero_ ? others.value(d)
                                                 : nullptr;
    const DatePolicy fit = regression.fit(
        d, {payment.view().data, has_control ? control.view().data : nullptr, masked});
    std::vector<double> fitted(n, 0.0);
    if (!fit.coefficient.empty())
      fitted = fitted_values(states, d, fit, regression.functions(), alone);
    for (std::size_t p = 0; p < n; ++p) {
      double& value = result.values[k * n + p];
      if (paid.date[p] < d) continue;  // exercised before
      value = paid.date[p] == d ? paid.payment[p] : fitted[p];
      if (ends_at_zero_ && recorded[static_cast<std::size_t>(d) * n + p] <= 0) value = 0;
    }
  }
  return result;
}

std::vector<double> ExposedTrade::fitted_values(const RecordedStates& states, Index d,
                                                const DatePolicy& fit,
                                                const BasisFunction* functions,
                                                const Context& alone) const {
  const PolicyConstants constants(alone.executor, *exercise_, fit);
  const DecisionJob decisions = constants.decisions(states, d, functions);
  Array<double> fitted(alone.executor, states.paths());
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
  job.control = exercise_->adds_control() ? decisions.control : nullptr;
  job.fitted = fitted.view().data;
  regression_fitted_values(alone.executor, job);
  return fitted.to_host();
}

// With a control variate of known expectation, as estimate_price().
double ExposedTrade::value_today(const Payments& payments) const {
  const auto n = static_cast<double>(payments.payment.size());
  double sum_x = 0, sum_y = 0, sum_xy = 0, sum_yy = 0;
  for (std::size_t p = 0; p < payments.payment.size(); ++p) {
    const double x = payments.payment[p];
    const double y =
        payments.control.empty() ? 0 : payments.control[p] - exercise_->control.expectation;
    sum_x += x;
    sum_y += y;
    sum_xy += x * y;
    sum_yy += y * y;
  }
  const double variance = sum_yy - sum_y * sum_y / n;
  const double beta = variance > 0 ? (sum_xy - sum_x * sum_y / n) / variance : 0;
  return (sum_x - beta * sum_y) / n;
}

}  // namespace gsim::pricing
