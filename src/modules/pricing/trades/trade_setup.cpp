#include <algorithm>
#include <cmath>
#include <limits>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/setup_parts.hpp"

namespace gsim::pricing {
namespace {

// Fixings after today, and all observations up to and including today.
struct Observations {
  std::vector<double> past;
  std::vector<double> future;
};

Observations observations(const TradeConfig& t, double spot) {
  Observations o{t.past_fixings, t.fixings};
  if (!o.future.empty() && o.future.front() <= same_date) {
    o.past.push_back(spot);
    o.future.erase(o.future.begin());
  }
  return o;
}

PayoffFormula payoff_of(const TradeConfig& t) {
  switch (t.product) {
    case Product::digital:
      return t.pays_asset ? PayoffFormula::asset_digital : PayoffFormula::cash_digital;
    case Product::forward_start:
      return PayoffFormula::forward_start;
    case Product::cliquet:
      return PayoffFormula::cliquet;
    case Product::asian:
      return t.geometric ? PayoffFormula::asian_geometric : PayoffFormula::asian_arithmetic;
    case Product::barrier:
      return PayoffFormula::barrier;
    case Product::lookback:
      return t.floating ? PayoffFormula::lookback_floating : PayoffFormula::lookback_fixed;
    case Product::variance_swap:
      return PayoffFormula::variance_swap;
    case Product::plugged:
      return PayoffFormula::launched;
    default:
      return PayoffFormula::vanilla;
  }
}

Combination combination_of(const TradeConfig& t) {
  switch (t.product) {
    case Product::basket:
      return t.geometric ? Combination::geometric : Combination::weighted_sum;
    case Product::best_of:
      return Combination::best_of;
    case Product::worst_of:
      return Combination::worst_of;
    case Product::spread:
    case Product::exchange:
      return Combination::weighted_sum;
    case Product::plugged:  // for its control
      return t.assets.size() > 1 ? Combination::weighted_sum : Combination::single;
    default:
      return Combination::single;
  }
}

void set_asian(const Observations& o, TradeSetup& p) {
  p.past_count = static_cast<Index>(o.past.size());
  double sum = 0;
  for (const double s : o.past) {
    sum += s;
    p.control_past_sum += logarithm(s);
  }
  p.past_sum = p.payoff == PayoffFormula::asian_geometric ? p.control_past_sum : sum;
}

void set_lookback(const TradeConfig& t, const Observations& o, TradeSetup& p) {
  std::vector<double> seen = o.past;
  if (t.past_extreme > 0) seen.push_back(t.past_extreme);
  if (seen.empty()) return;
  p.past_count = static_cast<Index>(seen.size());
  p.past_maximum = *std::max_element(seen.begin(), seen.end());
  p.past_minimum = *std::min_element(seen.begin(), seen.end());
}

void set_variance_swap(const TradeConfig& t, const Observations& o, TradeSetup& p) {
  for (std::size_t k = 1; k < o.past.size(); ++k)
    p.past_sum += square(logarithm(o.past[k] / o.past[k - 1]));
  p.past_count = static_cast<Index>(o.past.size());
  if (!o.past.empty()) p.past_last = o.past.back();
  const auto returns = static_cast<double>(o.past.size() + o.future.size() - 1);
  p.annualisation = t.observations_per_year / returns;
}

void set_cliquet(const TradeConfig& t, const Observations& o, TradeSetup& p) {
  p.local_floor = t.local_floor;
  p.local_cap = t.local_cap;
  p.global_floor = t.global_floor;
  p.global_cap = t.global_cap;
  p.past_sum = t.past_return;
  // A period that ends today has its return already.
  for (std::size_t k = 1; k < o.past.size(); ++k)
    p.past_sum += std::fmin(
        std::fmax(p.sign * (o.past[k] / o.past[k - 1] - p.strike), p.local_floor), p.local_cap);
  if (!o.past.empty()) p.past_last = o.past.back();
}

void set_rebate_discounts(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  if (p.continuous) {
    p.discount_at_hit = discounts_at_touch(t, view, p.records);
    return;
  }
  for (const Index r : p.records)
    p.discount_at_hit.push_back(view.discount((*view.records)[static_cast<std::size_t>(r)]));
}

void set_barrier(const TradeConfig& t, const MarketView& view, const Observations& o, double spot,
                 TradeSetup& p) {
  p.barrier = t.barrier;
  p.rebate = t.rebate;
  p.up = t.up;
  p.knock_in = t.knock_in;
  p.rebate_at_hit = t.rebate_at_hit;
  const bool watched_today = t.continuous || !o.past.empty();
  const bool touched_today = watched_today && (t.up ? spot >= t.barrier : spot <= t.barrier);
  p.hit_already = t.touched || touched_today;
  if (p.hit_already && !t.knock_in && t.rebate_at_hit) {
    p.rebate_at_hit = false;
    if (t.touched) p.rebate = 0;  // paid in the past
    p.discount = 1;               // paid today
  }
  if (p.rebate_at_hit) set_rebate_discounts(t, view, p);
}

void set_plugged(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  p.kind = t.kind;
  p.numbers = t.numbers;
  for (const Index r : p.records) {
    const double paid = (*view.records)[static_cast<std::size_t>(r)] + t.payment_lag;
    p.growth.push_back(view.discount(paid) / p.discount);
  }
}

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
    if (t.product == Product::forward_start && t.start > same_date)
      p.records.push_back(record_at(*view.records, t.start));
    p.records.push_back(last);
  }
  if (p.records.empty() || (t.fixings.size() > 1 && p.records.size() != o.future.size()))
    throw ConfigError(t.where.location(), "trade `" + excerpt(t.id) +
                                              "` has no fixing after today, or two within " +
                                              "1e-7 years of each other");
}

void set_past(const TradeConfig& t, const MarketView& view, const Observations& o, double spot,
              TradeSetup& p) {
  switch (t.product) {
    case Product::asian:
      set_asian(o, p);
      break;
    case Product::lookback:
      set_lookback(t, o, p);
      break;
    case Product::variance_swap:
      set_variance_swap(t, o, p);
      break;
    case Product::cliquet:
      set_cliquet(t, o, p);
      break;
    case Product::barrier:
      set_barrier(t, view, o, spot, p);
      break;
    case Product::plugged:
      set_plugged(t, view, p);
      break;
    case Product::forward_start:
      if (t.start <= same_date) {
        p.payoff = PayoffFormula::vanilla;
        p.strike = t.strike * spot;
      }
      break;
    default:
      break;
  }
}

}  // namespace

TradeSetup make_program(const TradeConfig& t, const MarketView& view,
                        const std::vector<Index>& order) {
  TradeSetup p;
  p.name = t.id;
  p.payoff = payoff_of(t);
  p.combination = combination_of(t);
  p.sign = t.call || t.product == Product::variance_swap ? 1 : -1;
  for (const Index i : t.assets)
    p.assets.push_back(std::lower_bound(order.begin(), order.end(), i) - order.begin());
  p.weights = t.weights;
  p.strike = t.strike;
  p.average_strike = t.average_strike;
  p.cash = t.cash;
  p.continuous = t.continuous;
  p.discount = view.discount(t.maturity + t.payment_lag);
  const double spot = view.market->assets[static_cast<std::size_t>(t.assets.front())].spot;
  const Observations o = observations(t, spot);
  set_records(t, view, o, p);
  set_past(t, view, o, spot, p);
  return p;
}

}  // namespace gsim::pricing
