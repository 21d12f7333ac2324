#include "src/modules/pricing/greeks/smoothed_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/greeks/adjoint_sweeps.hpp"
#include "src/modules/pricing/greeks/note_sweeps.hpp"
#include "src/modules/pricing/scripts/run_barrier.hpp"

namespace gsim::pricing {
namespace {

/// The mean and the variance of the change of the log-spot until each record of a trade from the
/// one before.
struct Interval {
  double mean = 0, variance = 0;
};
std::vector<Interval> intervals_of(const Simulation& base, const TradeSetup& trade) {
  const AssetDynamics& asset = base.assets[static_cast<std::size_t>(trade.assets.front())];
  std::vector<Interval> list;
  Interval interval;
  for (std::size_t k = 0; k < base.grid.times.size() && list.size() < trade.records.size(); ++k) {
    interval.mean += asset.drift_step[k] - 0.5 * asset.variance_step[k];
    interval.variance += asset.variance_step[k];
    if (base.grid.record_of_step[k] != trade.records[list.size()]) continue;
    list.push_back(interval);
    interval = {};
  }
  return list;
}

/// The terms of a trade for which swept_payoff() is SweptPayoff::crossings.
RunBarrier terms_of_crossings(const TradeSetup& t) {
  if (is_run_barrier(t)) return run_barrier_of(t);
  RunBarrier b;
  b.sign = t.sign;
  b.strike = t.strike;
  b.barrier = t.barrier;
  b.rebate = t.rebate;
  b.up = t.monitored == Extreme::maximum;
  b.knock_in = t.knock_in;
  return b;
}

std::vector<double> crossing_numbers(const Simulation& base, const TradeSetup& t) {
  const AssetDynamics& asset = base.assets[static_cast<std::size_t>(t.assets.front())];
  const RunBarrier b = terms_of_crossings(t);
  const double orientation = b.up ? 1 : -1;
  const std::size_t monitored = t.records.size() - (b.is_monitored_at_maturity ? 0 : 1);
  std::vector<double> numbers = {b.sign,
                                 b.strike,
                                 orientation,
                                 orientation * b.barrier,
                                 b.knock_in ? 1.0 : 0.0,
                                 b.rebate,
                                 logarithm(b.barrier) - asset.log_spot,
                                 std::fmax(b.sign * (b.barrier - b.strike), 0.0),
                                 b.consecutive,
                                 b.run,
                                 b.touched ? 1.0 : 0.0,
                                 static_cast<double>(monitored)};
  const std::vector<Interval> intervals = intervals_of(base, t);
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const Interval &to = intervals[i],
                   from = i + 1 < intervals.size() ? intervals[i + 1] : Interval();
    const bool is_last = i + 1 == intervals.size();
    const double share = is_last ? 0 : to.variance / (to.variance + from.variance);
    const double variance = to.variance * (1 - share);
    numbers.insert(numbers.end(),
                   {share, to.mean - share * (to.mean + from.mean), 1 / std::sqrt(variance)});
  }
  return numbers;
}

/// The mean inverse deviation of the log-spot at the monitored dates of a run barrier, given those
/// at the dates before and after.
double mean_inverse_deviation(const MarketView& view, const TradeConfig& t) {
  double sum = 0, variance = 0, before = 0;  // of the intervals that end at a date and before it
  Index dates = 0;
  const auto add = [&](double of_date) {
    if (of_date > 0) sum += 1 / std::sqrt(of_date);
    if (of_date > 0) ++dates;
  };
  for (const double date : t.fixings) {
    if (date <= same_date) continue;
    const double until = view.variance(t.assets.front(), date), interval = until - variance;
    add(before * interval / (before + interval));
    variance = until;
    before = interval;
  }
  if (is_monitored_at_maturity(t)) add(before);
  return dates > 0 ? sum / static_cast<double>(dates) : 0;
}

/// Whether the dates of a run barrier are so far apart that the errors of its Greeks by crossings
/// are hardly larger than those by bumps of its spot (configs/pricing/README.md, Greeks).
bool are_far_apart(const PricingConfig& config, const MarketView& view, const TradeConfig& t) {
  constexpr double closest = 1.5;  // deviation of a date, in bumps
  return closest * config.options.greeks.bumps.spot * mean_inverse_deviation(view, t) <= 1;
}

constexpr std::size_t digital_offset = 4, digital_deviation = 5, first_interval = 6;

}  // namespace

bool has_lognormal_density(const MarketView& view, Index asset) {
  return view.is_black_scholes(asset) && view.asset(asset).variance.minimum() > 0;
}

bool has_crossings(const PricingConfig& config, const TradeConfig& t) {
  const bool is_run = is_run_barrier(t);
  if ((!is_run && std::string_view(t.payoff->name) != "barrier") || t.continuous || t.touched ||
      t.rebate_at_hit || t.exercise.is_early() || config.options.conditional)
    return false;
  const MarketView view{&config.market, nullptr};
  if (!has_lognormal_density(view, t.assets.front())) return false;
  return !is_run || are_far_apart(config, view, t);
}

SweptPayoff swept_payoff(const TradeSetup& t) {
  if (const SweptPayoff of_note = swept_note(t); is_note(of_note)) return of_note;
  if (t.assets.size() != 1 || t.weights.front() != 1) return SweptPayoff::own;
  if (t.payoff == PayoffFormula::barrier) {
    const bool is_open = !t.continuous && !t.hit_already && t.past_count == 0;
    return is_open && !t.rebate_at_hit ? SweptPayoff::crossings : SweptPayoff::own;
  }
  if (is_run_barrier(t) && t.exercise == nullptr) return SweptPayoff::crossings;
  if (t.payoff != PayoffFormula::launched || t.kind == nullptr) return SweptPayoff::own;
  const std::string_view name = t.kind->name;
  if (name == "smoothed_barrier") return SweptPayoff::barrier;
  const bool pays_cash = name == "smoothed_digital" && t.numbers[1] == 0;
  return pays_cash ? SweptPayoff::digital : SweptPayoff::own;
}

TradeSetup read_by_gradient(TradeSetup trade, SweptPayoff swept) {
  if (swept == SweptPayoff::digital) trade.records.resize(1);
  return trade;
}

std::vector<double> gradient_numbers(const Simulation& base, const TradeSetup& trade,
                                     SweptPayoff swept) {
  switch (swept) {
    case SweptPayoff::own:
    case SweptPayoff::napoleon:  // note_gradient_numbers()
    case SweptPayoff::phoenix:
    case SweptPayoff::script:  // add_changes_of_program()
      return {};
    case SweptPayoff::digital:
    case SweptPayoff::barrier:
      return trade.numbers;
    case SweptPayoff::crossings:
      return crossing_numbers(base, trade);
  }
  return {};
}

void add_changes_of_numbers(const TradeSetup& base, const TradeSetup& bumped, SweptPayoff swept,
                            double spot_change, PlannedSweep& sweep, int& sums,
                            std::vector<AdjointTerm>& terms) {
  const auto change = [&](std::size_t i) {
    return without_rounding(bumped.numbers[i] - base.numbers[i]);
  };
  if (swept == SweptPayoff::digital) {
    // With d = (x + offset) / sd, the payoff changes by its derivative by x times the change of
    // offset - d sd. The sum `total` has the coefficient of the spot already.
    const double by_deviation = change(digital_deviation) / base.numbers[digital_deviation];
    add_term(terms, sweep.total,
             without_rounding(change(digital_offset) - spot_change) -
                 base.numbers[digital_offset] * by_deviation);
    add_term(terms, sweep.dates.front().sum, -by_deviation);
  }
  if (swept != SweptPayoff::barrier) return;
  if (sweep.start < 0) sweep.start = sums++;
  add_term(terms, sweep.start, spot_change);
  for (PlannedDate& date : sweep.dates) {
    if (date.fixing < 0) continue;
    const std::size_t i = first_interval + static_cast<std::size_t>(date.fixing);
    if (base.numbers[i] == 0) continue;
    if (date.further < 0) date.further = sums++;
    add_term(terms, date.further, change(i) / base.numbers[i]);
  }
}

}  // namespace gsim::pricing
