#include "src/modules/pricing/trades/payoff_set_up.hpp"

#include <fmt/format.h>

#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace {

// The weights are those of the control variate: 1 / spot today for each underlying.
void describe_underlyings(Section& s, const MarketConfig& market, TradeConfig& t,
                          const PayoffKind& kind, std::vector<double>& spots) {
  if (kind.most_assets <= 1)
    describe_asset(s, market, t);
  else
    describe_assets(s, market, t, WeightRule::none, kind.least_assets, kind.most_assets);
  if (s.describing()) return;
  for (const Index i : t.assets) spots.push_back(market.assets[static_cast<std::size_t>(i)].spot);
  if (spots.size() == 1) return;
  for (std::size_t a = 0; a < spots.size(); ++a) t.weights[a] = 1 / spots[a];
}

void describe(Section& s, const MarketConfig& market, TradeConfig& t) {
  const PayoffKind& kind = *t.payoff;
  std::vector<double> spots;
  describe_underlyings(s, market, t, kind, spots);
  describe_maturity(s, t);
  PayoffTrade facts{spots, {}, t.maturity};
  if (kind.dates != PayoffDates::maturity) {
    describe_schedule(s, t, false, "observation");
    if (!s.describing() && t.fixings.front() <= same_date)
      s.fail("fixings", "a date today: the payoff reads spots at future dates only",
             "leave it out");
    if (!s.describing() && kind.dates == PayoffDates::schedule_to_maturity)
      require_last_date_at_maturity(s, t, "the payoff reads the spot at the maturity");
    facts.fixings = t.fixings;
  } else if (!s.describing()) {
    facts.fixings = {&t.maturity, 1};
  }
  t.numbers = kind.describe(s, facts);
  if (!s.describing() && t.numbers.size() > most_plugin_numbers)
    s.fail("product",
           fmt::format("payoff `{}` makes {} numbers of these keys, and {} are the most", kind.name,
                       t.numbers.size(), most_plugin_numbers),
           "shorten its lists");
}

void set_up(const TradeConfig& t, const MarketView& view, const Observations&, TradeSetup& p) {
  p.payoff = PayoffFormula::launched;
  p.kind = t.payoff;
  if (t.assets.size() > 1) p.combination = Combination::weighted_sum;  // for the control variate
  p.numbers = t.numbers;
  for (const Index r : p.records) {
    const double paid = (*view.records)[static_cast<std::size_t>(r)] + t.payment_lag;
    p.growth.push_back(view.discount(paid) / p.discount);
  }
}

std::string name(const TradeConfig& t) { return std::string(t.payoff->name); }

constexpr PayoffSetUp by_launchers{
    .describe = describe, .name = name, .set_up = set_up, .has_either_sign = true};

}  // namespace

const PayoffSetUp& set_up_of(const PayoffKind& kind) {
  return kind.set_up != nullptr ? *kind.set_up : by_launchers;
}

ExtremeNeeds extreme_needs(const TradeConfig& t) {
  const PayoffSetUp& payoff = set_up_of(*t.payoff);
  return payoff.extremes != nullptr ? payoff.extremes(t) : ExtremeNeeds{};
}

}  // namespace gsim::pricing
