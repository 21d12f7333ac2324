#include "src/modules/pricing/trades/trade_setup.hpp"

#include <algorithm>
#include <cmath>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

// The fixings of the trade; one at today's date is past, with the present spot.
Observations observations(const TradeConfig& t, double spot) {
  Observations o{t.past_fixings, t.fixings};
  if (!o.future.empty() && o.future.front() <= same_date) {
    o.past.push_back(spot);
    o.future.erase(o.future.begin());
  }
  return o;
}

// Sets the record dates at which the payoff reads the paths.
void set_records(const TradeConfig& t, const MarketView& view, const Observations& o,
                 TradeSetup& p) {
  const Index last = record_at(*view.records, t.maturity);
  if (p.continuous) {
    for (Index r = 0; r <= last; ++r) p.records.push_back(r);
  } else if (!t.fixings.empty()) {
    for (const double date : o.future) {
      const Index r = record_at(*view.records, date);
      if (p.records.empty() || r > p.records.back()) p.records.push_back(r);
    }
  } else {
    const PayoffFunctions& payoff = functions_of(*t.payoff);
    if (payoff.dates != nullptr)
      for (const double date : payoff.dates(t))
        if (date > same_date) p.records.push_back(record_at(*view.records, date));
    p.records.push_back(last);
  }
  if (p.records.empty() ||
      (!p.continuous && t.fixings.size() > 1 && p.records.size() != o.future.size()))
    throw ConfigError(t.source.location(), "trade `" + excerpt(t.id) +
                                               "` has no fixing after today, or two within " +
                                               "1e-7 years of each other");
}

}  // namespace

Index record_at(const std::vector<double>& records, double date) {
  const auto next = std::lower_bound(records.begin(), records.end(), date - same_date);
  GSIM_EXPECT(next != records.end() && std::fabs(*next - date) <= 2 * same_date);
  return next - records.begin();
}

namespace {

/// The set-up of a trade whose payments are in units of the view's currency.
TradeSetup make_own_setup(const TradeConfig& t, const MarketView& view,
                          const std::vector<Index>& order) {
  const PayoffFunctions& payoff = functions_of(*t.payoff);
  TradeSetup p;
  p.name = t.id;
  p.sign = t.call ? 1 : -1;
  p.has_either_sign = payoff.has_either_sign;
  for (const Index i : t.assets)
    p.assets.push_back(std::lower_bound(order.begin(), order.end(), i) - order.begin());
  p.weights = t.weights;
  p.strike = t.strike;
  p.average_strike = t.average_strike;
  p.cash = t.cash;
  p.continuous = t.continuous;
  p.discount = view.discount(t.maturity + t.payment_lag);
  const Observations o = observations(t, view.spot(t.assets.front()));
  set_records(t, view, o, p);
  payoff.set_up(t, view, o, p);
  return p;
}

double conversion_of(const TradeConfig& t, const MarketView& view) {
  return view.market->conversions[static_cast<std::size_t>(t.currency)];
}

}  // namespace

TradeSetup make_trade_setup(const TradeConfig& t, const MarketView& view,
                            const std::vector<Index>& order) {
  TradeSetup p = make_own_setup(t, view.paid_in(t.currency), order);
  p.conversion = conversion_of(t, view);
  p.discount *= p.conversion;
  for (double& discount : p.discount_at_hit) discount *= p.conversion;
  return p;
}

std::optional<double> closed_form_value(const TradeConfig& t, const MarketView& view,
                                        const std::vector<Index>& order) {
  const PayoffFunctions& payoff = functions_of(*t.payoff);
  if (payoff.value == nullptr || t.exercise.is_early()) return {};
  const MarketView own = view.paid_in(t.currency);
  const std::optional<double> value = payoff.value(t, own, make_own_setup(t, own, order));
  if (!value) return {};
  return conversion_of(t, view) * *value;
}

}  // namespace gsim::pricing
