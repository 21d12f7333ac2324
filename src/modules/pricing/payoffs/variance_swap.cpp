// Variance swaps: the annualised mean squared log return less the strike (Broadie and Jain 2008).

#include <cmath>
#include <vector>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace variance_swap_payoff {
namespace {

/// Whether each period is within a tenth of the mean one.
bool has_equal_periods(const std::vector<double>& dates) {
  const double mean = (dates.back() - dates.front()) / static_cast<double>(dates.size() - 1);
  for (std::size_t i = 1; i < dates.size(); ++i)
    if (std::fabs(dates[i] - dates[i - 1] - mean) > 0.1 * mean) return false;
  return true;
}

// The periods of the schedule divided by its years.
double periods_per_year(const Section& s, const TradeConfig& t) {
  if (t.fixings.size() < 2)
    s.fail("fixings", "the number of observations per year cannot be derived from one date",
           "give observations_per_year (252 for every trading day)");
  const bool has_past_dates = !t.past_fixings.empty() && !s.has("past_fixings");
  if (has_past_dates && !has_equal_periods(t.fixings))
    s.fail("fixings",
           "some of its dates are in the past, and the others are not equidistant: the number of "
           "observations per year is not that of the whole schedule",
           "give observations_per_year");
  return static_cast<double>(t.fixings.size() - 1) / (t.fixings.back() - t.fixings.front());
}

void describe(Section& s, TradeInput& t) {
  describe_asset(s, t);
  s.required("strike", t.strike,
             {.doc = "variance strike, annualised (0.04 for a volatility of 20 %)", .minimum = 0});
  describe_maturity(s, t);
  static const ScheduleKeys observations("observations, the first period's start included",
                                         ScheduleStart::first_date);
  describe_schedule(s, t, observations);
  describe_past_fixings(s, t, "; the current period began at the last one");
  s.optional("observations_per_year", t.observations_per_year,
             {.doc = "number of observations per year for annualisation: the realised variance is "
                     "this number times the mean squared log return; 0: the number of periods of "
                     "the schedule from today on, divided by its years",
              .unit = "1/year",
              .minimum = 0});
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_asset(s, market, t);
  validate_maturity(s, t);
  validate_schedule(s, market, t, ScheduleStart::first_date);
  if (t.fixings.size() + t.past_fixings.size() < 2)
    s.fail("fixings", "a variance needs at least one period");
  if (t.observations_per_year == 0) t.observations_per_year = periods_per_year(s, t);
}

void set_up(const TradeConfig& t, const MarketView&, const Observations& o, TradeSetup& p) {
  p.payoff = PayoffFormula::variance_swap;
  p.sign = 1;
  for (std::size_t k = 1; k < o.past.size(); ++k)
    p.past_sum += square(logarithm(o.past[k] / o.past[k - 1]));
  p.past_count = static_cast<Index>(o.past.size());
  if (!o.past.empty()) p.past_last = o.past.back();
  const auto returns = static_cast<double>(o.past.size() + o.future.size() - 1);
  p.annualisation = t.observations_per_year / returns;
}

std::string name(const TradeConfig&) { return "variance swap"; }

}  // namespace
}  // namespace variance_swap_payoff

void register_variance_swap(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = variance_swap_payoff::describe,
      .validate = variance_swap_payoff::validate,
      .name = variance_swap_payoff::name,
      .set_up = variance_swap_payoff::set_up,
      .has_control = false,
      .is_tiltable = false,
      .is_exercisable = true,
      .exercise_needs_period = true,
      .exercise_depends_on_path = true,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{.name = "variance_swap",
                             .doc = "realised variance minus the strike",
                             .functions = &functions});
}

}  // namespace gsim::pricing
