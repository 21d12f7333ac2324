// Exposures of trades whose payoffs launchers evaluate, of scripts and plugins.

#include <algorithm>
#include <span>
#include <utility>

#include "src/modules/pricing/exposures/exposed_trade.hpp"

namespace gsim::pricing {

TradeValues ExposedTrade::evaluate_launched(const UnitSamples& samples,
                                            const Context& alone) const {
  const Simulation& own = under_base_ ? *under_base_ : simulation_;
  const PaymentsOnPaths mine = launched_->evaluate(own, samples.first, samples.paths, alone);
  PaymentsOnPaths theirs =
      launched_->evaluate(simulation_, samples.first_regression, samples.regression_paths, alone);
  RecordedStates states = record(own, samples.first, samples.paths, alone);
  RecordedStates others =
      record(simulation_, samples.first_regression, samples.regression_paths, alone);
  states.replace_values(mine.state);
  others.replace_values(theirs.state);
  const auto n = static_cast<std::size_t>(samples.paths);
  const auto m = static_cast<std::size_t>(samples.regression_paths);
  TradeValues result;
  result.payment.assign(mine.paid.end() - samples.paths, mine.paid.end());
  std::vector<double> control = others.controls_to_host(others.dates() - 1);
  const Array<double> later_control(alone.executor, std::span<const double>(control));
  const bool has_control = !control.empty();
  result.today = price_ ? *price_ : mean_payment({std::move(theirs.total), std::move(control), {}});
  StateRegression regression(*exercise_, others, alone);
  for (std::size_t k = 0; k < valued_.size(); ++k) {  // all recorded dates but the maturity
    const std::span<const double> later = std::span(theirs.later).subspan(k * m, m);
    const Array<double> payment(alone.executor, later);
    const DatePolicy fit = regression.fit(
        valued_[k], {payment.view().data, has_control ? later_control.view().data : nullptr,
                     RegressionPaths::all, nullptr});
    std::vector<double> fitted(n, 0.0);
    if (!fit.coefficient.empty())
      fitted = fitted_values(states, valued_[k], fit, regression.functions(), alone);
    // Values have no other signs, and no larger amounts, than the payments of all paths.
    const auto [least, most] = std::minmax_element(later.begin(), later.end());
    for (std::size_t p = 0; p < n; ++p) {
      const double value = std::clamp(fitted[p], *least, *most);
      result.after.push_back(value);
      result.values.push_back(value + mine.paid[k * n + p]);
    }
  }
  return result;
}

}  // namespace gsim::pricing
