#include "src/modules/pricing/trades/payoff_functions.hpp"

#include <utility>

#include <fmt/format.h>

#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace {

void describe(Section& s, TradeInput& t) {
  const PayoffKind& kind = *t.payoff;
  if (kind.max_assets <= 1)
    describe_asset(s, t);
  else
    describe_assets(s, t, WeightRule::none, kind.min_assets, kind.max_assets);
  describe_maturity(s, t);
  static const ScheduleKeys observations("observation", ScheduleStart::not_a_date);
  if (kind.dates != PayoffDates::maturity) describe_schedule(s, t, observations);
  kind.describe(s, t.key_values);
}

// Returns today's spots of the underlyings. If there are several, sets their weights in the control
// variate, 1 / spot each.
std::vector<double> validate_underlyings(const Section& s, const MarketConfig& market,
                                         TradeInput& t, const PayoffKind& kind) {
  if (kind.max_assets <= 1)
    validate_asset(s, market, t);
  else
    validate_assets(s, market, t, WeightRule::none, kind.min_assets, kind.max_assets);
  std::vector<double> spots;
  for (const Index i : t.assets) spots.push_back(market.assets[static_cast<std::size_t>(i)].spot);
  if (spots.size() == 1) return spots;
  for (std::size_t a = 0; a < spots.size(); ++a) t.weights[a] = 1 / spots[a];
  return spots;
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  const PayoffKind& kind = *t.payoff;
  const std::vector<double> spots = validate_underlyings(s, market, t, kind);
  validate_maturity(s, t);
  PayoffTrade trade{spots, {&t.maturity, 1}, t.maturity};
  if (kind.dates != PayoffDates::maturity) {
    validate_schedule(s, market, t, ScheduleStart::not_a_date);
    if (!t.past_fixings.empty())
      s.fail("fixings", "a fixing before today: the payoff reads spots at future dates only",
             "leave it out");
    if (t.fixings.front() <= same_date)
      s.fail("fixings", "a fixing today: the payoff reads spots at future dates only",
             "leave it out");
    if (kind.dates == PayoffDates::schedule_to_maturity)
      require_last_date_at_maturity(s, t, "the payoff reads the spot at the maturity");
    trade.fixings = t.fixings;
  }
  if (kind.validate != nullptr) kind.validate(s, trade, t.key_values);
  t.numbers = std::move(t.key_values.numbers);
  if (t.numbers.size() > max_plugin_numbers)
    s.fail("product",
           fmt::format("payoff `{}` has {} numbers for these keys, and at most {} are allowed",
                       kind.name, t.numbers.size(), max_plugin_numbers),
           "shorten the lists among the payoff's keys");
}

void set_up(const TradeConfig& t, const MarketView& view, const Observations&, TradeSetup& p) {
  p.payoff = PayoffFormula::launched;
  p.kind = t.payoff;
  p.reads_each_asset = t.assets.size() > 1;
  if (p.reads_each_asset) p.combination = Combination::weighted_sum;  // for the control variate
  p.numbers = t.numbers;
  for (const Index r : p.records) {
    const double paid = (*view.records)[static_cast<std::size_t>(r)] + t.payment_lag;
    p.growth.push_back(view.discount(paid) / p.discount);
  }
}

std::string name(const TradeConfig& t) { return std::string(t.payoff->name); }

constexpr PayoffFunctions launched_functions{.describe = describe,
                                             .validate = validate,
                                             .name = name,
                                             .set_up = set_up,
                                             .has_either_sign = true,
                                             .is_exercisable = true};

}  // namespace

const PayoffFunctions& functions_of(const PayoffKind& kind) {
  return kind.functions != nullptr ? *kind.functions : launched_functions;
}

RequiredExtremes required_extremes(const TradeConfig& t) {
  const PayoffFunctions& payoff = functions_of(*t.payoff);
  return payoff.extremes != nullptr ? payoff.extremes(t) : RequiredExtremes{};
}

}  // namespace gsim::pricing
