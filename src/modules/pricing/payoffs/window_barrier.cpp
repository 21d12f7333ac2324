// Barrier options whose barrier is monitored in a part of the life: on the dates of a schedule,
// which are scripts, or continuously (Heynen and Kat 1994, "Partial barrier options").

#include <cmath>

#include <fmt/format.h>

#include "gsim/engine/registry.hpp"
#include "gsim/pricing/payoff_job.hpp"
#include "src/modules/pricing/closed_forms/partial_barrier.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/scripts/run_barrier.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/monitored_window.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

GSIM_DECLARE_PAYOFF(window_barrier)

namespace gsim::pricing {
namespace window_barrier_payoff {
namespace {

// The window is in TradeInput::fixing_start and fixing_end.
void describe_window(Section& s, TradeInput& t) {
  static const KeyInfo start{.doc = "start of the window, which may be before today",
                             .unit = "years",
                             .minimum = -longest_maturity,
                             .maximum = longest_maturity,
                             .is_date = true};
  static const KeyInfo end{.doc = "end of the window; absent: the maturity",
                           .unit = "years",
                           .minimum = -longest_maturity,
                           .maximum = longest_maturity,
                           .is_date = true};
  t.fixing_end = t.maturity;
  s.optional("window_start", t.fixing_start, start);
  s.optional("window_end", t.fixing_end, end);
}

void describe(Section& s, TradeInput& t) {
  describe_run_barrier(s, t);
  t.continuous =
      s.alternatives(
          "monitoring",
          {{"discrete", "monitoring at the dates of a schedule",
            [&](Section& q) { describe_run_dates(q, t); }},
           {"continuous",
            "continuous monitoring from window_start to window_end, by a Brownian bridge between "
            "simulated dates",
            [&](Section& q) { describe_window(q, t); }}},
          0, {.doc = "monitoring of the spot"}) == 1;
}

void validate_window(const Section& s, TradeInput& t) {
  validate_maturity(s, t);
  const double start = t.fixing_start;
  double end = t.fixing_end;
  if (std::fabs(end - t.maturity) <= same_date) end = t.maturity;
  if (end > t.maturity)
    s.fail("window_end",
           fmt::format("the window ends at {}, after the maturity {}", end, t.maturity));
  if (!(end - start > same_date))
    s.fail("window_end",
           fmt::format("the window ends at {}, which is not after its start {}", end, start));
  if (end <= same_date)
    s.fail("window_end", fmt::format("the window ends at {} years, which is not after today", end),
           "price what is left of the option as a European one, or its rebate");
  t.fixings = {end};
  if (start > same_date) t.fixings.insert(t.fixings.begin(), start);
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  if (!t.continuous) return validate_run_barrier(s, market, t);
  validate_asset(s, market, t);
  validate_window(s, t);
  const auto number = [&](const char* name) { return parameter_of(t, name).front(); };
  t.strike = number("strike");
  t.barrier = std::fabs(number("level"));
  t.rebate = number("rebate");
  t.touched = number("touched_before") != 0;
}

const PayoffKind& continuous_kind() {
  static const PayoffKind kind{.name = "window_barrier",
                               .doc = "barrier option with a continuously monitored window",
                               .launchers = GSIM_PAYOFF(window_barrier)};
  return kind;
}

void set_up(const TradeConfig& t, const MarketView& view, const Observations& o, TradeSetup& p) {
  if (!t.continuous) return set_up_run_barrier(t, view, o, p);
  const MonitoredWindow window = monitored_window(t);
  const double spot = view.spot(t.assets.front()), orientation = t.up ? 1 : -1;
  const bool touched_today =
      window.start <= same_date && (t.up ? spot >= t.barrier : spot <= t.barrier);
  p.hit_already = t.touched || touched_today;
  p.knock_in = t.knock_in;
  p.payoff = PayoffFormula::launched;
  p.kind = &continuous_kind();
  p.monitored = t.up ? Extreme::maximum : Extreme::minimum;
  const Index last = p.records.back();
  std::vector<Index> monitored;
  double before = 0;
  for (const Index r : p.records) {
    const double date = (*view.records)[static_cast<std::size_t>(r)];
    if (!p.hit_already && window.contains(before, date)) monitored.push_back(r);
    before = date;
  }
  p.numbers = {p.sign,
               t.strike,
               orientation,
               orientation * (logarithm(t.barrier) - logarithm(spot)),
               t.knock_in ? 1.0 : 0.0,
               t.rebate,
               p.hit_already ? 1.0 : 0.0,
               static_cast<double>(monitored.size())};
  p.records = std::move(monitored);
  if (p.records.empty() || p.records.back() != last) p.records.push_back(last);
  p.growth.assign(p.records.size(), 1.0);
}

// The control variate is the vanilla with the option's own strike.
bool choose_control(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  if (!t.continuous || p.hit_already || !has_vanilla_value(t, view)) return false;
  use_vanilla(t, view, last_date(view, p), p.sign, p.strike, p);
  return true;
}

RequiredExtremes extremes(const TradeConfig& t) {
  const bool needs_extreme = t.continuous && !t.touched;
  return {needs_extreme && t.up, needs_extreme && !t.up};
}

// Windows that begin today or end at the maturity, on an asset of constant rate, dividend yield
// and volatility.
std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup& p) {
  const Index i = t.assets.front();
  const AssetConfig& a = view.asset(i);
  if (!t.continuous) return {};
  if (p.hit_already) {
    if (!t.knock_in) return p.discount * t.rebate;
    if (!has_vanilla_value(t, view)) return {};
    return vanilla_value(view, i, t.maturity, p.sign, p.strike, p.discount);
  }
  if (!view.is_flat(i) || t.payment_lag != 0 || !all_black_scholes(t, view) || !(p.strike > 0))
    return {};
  const MonitoredWindow window = monitored_window(t);
  const bool is_from_today = window.start <= same_date, is_to_maturity = window.end == t.maturity;
  if (!is_from_today && !is_to_maturity) return {};
  const bool is_own = a.growth_currency == view.currency && !a.converted;
  const double yield = is_own ? a.dividend.value(0) : view.mean_yield(i, 1);
  const FlatMarket market{a.spot, view.rate().value(0), yield, std::sqrt(a.variance.value(0)),
                          t.maturity};
  if (!(market.volatility > 0)) return {};
  const BarrierTerms terms{p.sign, p.strike, t.barrier, t.rebate, t.up, t.knock_in, false};
  const double value = !is_to_maturity ? barrier_until(market, terms, window.end)
                       : is_from_today ? continuous_barrier(market, terms)
                                       : barrier_from(market, terms, window.start);
  if (!std::isfinite(value)) return {};  // powers of the spot over the barrier overflow
  return value;
}

std::string name(const TradeConfig& t) {
  return fmt::format("window {}{}", run_barrier_name(t), t.continuous ? ", continuous" : "");
}

}  // namespace
}  // namespace window_barrier_payoff

void register_window_barrier(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = window_barrier_payoff::describe,
      .validate = window_barrier_payoff::validate,
      .name = window_barrier_payoff::name,
      .set_up = window_barrier_payoff::set_up,
      .choose_control = window_barrier_payoff::choose_control,
      .value = window_barrier_payoff::value,
      .extremes = window_barrier_payoff::extremes,
      .is_exercisable = true,
      .smoothed_form = SmoothedForm::barrier,
  };
  registry.extend(PayoffKind{.name = "window_barrier",
                             .doc = "barrier option that is monitored in a part of its life",
                             .launchers = script_launchers(),
                             .functions = &functions});
}

}  // namespace gsim::pricing
