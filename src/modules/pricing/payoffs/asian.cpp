// Asian options: on the average of fixings, or with it as their strike (Kemna and Vorst 1990).

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace asian_payoff {
namespace {

void describe(Section& s, TradeInput& t) {
  static constexpr std::string_view averages[] = {"arithmetic", "geometric"};
  describe_asset(s, t);
  describe_type(s, t);
  int average = 0;
  static const KeyInfo average_info{.doc = "kind of average of the fixings"};
  s.optional_word("average", average, averages, average_info);
  t.geometric = average == 1;
  t.average_strike =
      s.alternatives(
          "average_of",
          {{"price", "average price: the payoff is on the difference of the average and `strike`",
            [&](Section& q) { describe_strike(q, t); }},
           {"strike",
            "average strike: the payoff is on the difference of the spot at maturity, which is the "
            "last fixing, and the average",
            [](Section&) {}}},
          0,
          {.doc = "whether the average takes the place of the final spot or of the strike"}) == 1;
  describe_maturity(s, t);
  static const ScheduleKeys average_dates("average", ScheduleStart::not_a_date);
  describe_schedule(s, t, average_dates);
  describe_past_fixings(s, t, "; part of the average");
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_asset(s, market, t);
  validate_maturity(s, t);
  validate_schedule(s, market, t, ScheduleStart::not_a_date);
  if (t.average_strike)
    require_last_date_at_maturity(s, t, "the average is compared with the spot at the maturity");
}

void set_up(const TradeConfig& t, const MarketView&, const Observations& o, TradeSetup& p) {
  p.payoff = t.geometric ? PayoffFormula::asian_geometric : PayoffFormula::asian_arithmetic;
  p.past_count = static_cast<Index>(o.past.size());
  double sum = 0;
  for (const double s : o.past) {
    sum += s;
    p.control_past_sum += logarithm(s);
  }
  p.past_sum = p.payoff == PayoffFormula::asian_geometric ? p.control_past_sum : sum;
}

// The control variate is a vanilla that expires at the fixing nearest to two thirds of the
// averaging period. Of all single spots this one has the largest correlation with the average (over
// a period of length 1 the mean of a Brownian path has the variance 1/3, and the covariance t - t^2
// / 2 with the path at time t); it removes two to three times as much variance as the last one.
void use_vanilla_inside_average(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  const Index i = t.assets.front();
  const auto date_of = [&](Index r) { return (*view.records)[static_cast<std::size_t>(r)]; };
  const double best_date = (date_of(p.records.front()) + 2 * date_of(p.records.back())) / 3;
  const auto nearest = *std::min_element(p.records.begin(), p.records.end(), [&](Index a, Index b) {
    return std::fabs(date_of(a) - best_date) < std::fabs(date_of(b) - best_date);
  });
  double mean_forward = 0;
  const auto n = static_cast<double>(p.records.size());
  for (const Index r : p.records) mean_forward += view.forward(i, date_of(r)) / n;
  // The strike that the average of the future fixings must exceed.
  const double fixings = n + static_cast<double>(p.past_count);
  const double future_strike = t.geometric
                                   ? exponential((fixings * logarithm(p.strike) - p.past_sum) / n)
                                   : (fixings * p.strike - p.past_sum) / n;
  if (!(future_strike > 0)) return use_spot(t, view, p);
  const double date = date_of(nearest);
  use_vanilla(t, view, date, p.sign, future_strike * view.forward(i, date) / mean_forward, p);
  p.control_record = nearest;
}

/// The value with the geometric average, under black_scholes; `past_sum` is that of the logarithms.
double geometric_value(const TradeConfig& t, const MarketView& view, const TradeSetup& p,
                       double past_sum) {
  const Index i = t.assets.front();
  std::vector<double> forwards, variances;
  for (const Index r : p.records) {
    const double date = (*view.records)[static_cast<std::size_t>(r)];
    forwards.push_back(view.forward(i, date));
    variances.push_back(view.variance(i, date));
  }
  const auto past = static_cast<double>(p.past_count);
  const Lognormal average = geometric_average(forwards, variances, past_sum, past);
  if (!p.average_strike)
    return black(p.sign, average.expectation(), p.strike, average.variance, p.discount);
  const double covariance = geometric_average_covariance(variances, past);
  return exchange(p.sign, forwards.back(), average.expectation(),
                  variances.back() + average.variance - 2 * covariance, p.discount);
}

void use_geometric_average(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  p.control = TradeSetup::Control::asian_geometric;
  p.control_expectation = geometric_value(t, view, p, p.control_past_sum);
}

bool choose_control(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  const bool one_fixing = p.records.size() == 1 && p.past_count == 0;
  if (one_fixing) return false;
  if (!t.geometric && all_black_scholes(t, view)) {
    use_geometric_average(t, view, p);
    return true;
  }
  if (t.average_strike || !(p.strike > 0) || !has_vanilla_value(t, view) || p.records.size() < 2)
    return false;
  use_vanilla_inside_average(t, view, p);
  return true;
}

std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup& p) {
  if (!t.geometric || !all_black_scholes(t, view)) return {};
  return geometric_value(t, view, p, p.past_sum);
}

std::string name(const TradeConfig& t) {
  return fmt::format("Asian {}, {}{}", t.call ? "call" : "put",
                     t.geometric ? "geometric" : "arithmetic", t.average_strike ? " strike" : "");
}

}  // namespace
}  // namespace asian_payoff

void register_asian(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = asian_payoff::describe,
      .validate = asian_payoff::validate,
      .name = asian_payoff::name,
      .set_up = asian_payoff::set_up,
      .choose_control = asian_payoff::choose_control,
      .value = asian_payoff::value,
      .is_exercisable = true,
      .exercise_depends_on_path = true,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{
      .name = "asian", .doc = "option on the average of fixings", .functions = &functions});
}

}  // namespace gsim::pricing
