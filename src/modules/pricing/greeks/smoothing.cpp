#include "src/modules/pricing/greeks/smoothing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/pricing/payoff_job.hpp"
#include "gsim/random/sobol_directions.hpp"
#include "src/modules/pricing/checks/limits.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/trades/monitored_window.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

GSIM_DECLARE_PAYOFF(smoothed_digital)
GSIM_DECLARE_PAYOFF(smoothed_barrier)

namespace gsim::pricing {
namespace {

double record_date(const MarketView& view, const TradeSetup& p, std::size_t i) {
  return (*view.records)[static_cast<std::size_t>(p.records[i])];
}

void set_up_digital(const TradeConfig& t, const MarketView& view, const Observations&,
                    TradeSetup& p) {
  const Index a = t.assets.front();
  const double from = record_date(view, p, 0), to = record_date(view, p, p.records.size() - 1);
  const double variance = view.variance(a, to) - view.variance(a, from);
  const double growth = view.forward(a, to) / view.forward(a, from);
  p.payoff = PayoffFormula::launched;
  p.kind = t.payoff;
  p.numbers = {p.sign,
               t.pays_asset ? 1.0 : 0.0,
               t.cash,
               growth,
               logarithm(view.spot(a) * growth / t.strike) - 0.5 * variance,
               std::sqrt(variance)};
  p.growth.assign(p.records.size(), 1.0);
}

void set_up_barrier(const TradeConfig& t, const MarketView& view, const Observations&,
                    TradeSetup& p) {
  const Index a = t.assets.front();
  const double orientation = t.up ? 1 : -1;
  p.payoff = PayoffFormula::launched;
  p.kind = t.payoff;
  p.numbers = {p.sign,
               t.strike,
               orientation,
               orientation * logarithm(t.barrier / view.spot(a)),
               t.knock_in ? 1.0 : 0.0,
               t.rebate};
  const MonitoredWindow window =
      t.continuous ? monitored_window(t) : MonitoredWindow{0, t.maturity};
  double before = 0, last = 0;
  for (std::size_t i = 0; i < p.records.size(); ++i) {
    const double date = record_date(view, p, i), variance = view.variance(a, date);
    p.numbers.push_back(window.contains(last, date) ? -2 / (variance - before) : 0);
    before = variance;
    last = date;
  }
  p.growth.assign(p.records.size(), 1.0);
}

/// The date on which a digital is conditioned is TradeConfig::start.
std::vector<double> digital_dates(const TradeConfig& t) { return {t.start}; }
/// The knots of a window are TradeConfig::numbers.
std::vector<double> barrier_dates(const TradeConfig& t) { return t.numbers; }

const PayoffKind& digital_kind() {
  static constexpr PayoffFunctions functions{
      .set_up = set_up_digital, .dates = digital_dates, .has_control = false};
  static const PayoffKind kind{.name = "smoothed_digital",
                               .doc = "conditional expectation of a digital",
                               .reads_logs = true,
                               .launchers = GSIM_PAYOFF(smoothed_digital),
                               .functions = &functions};
  return kind;
}

const PayoffKind& barrier_kind() {
  static constexpr PayoffFunctions functions{
      .set_up = set_up_barrier, .dates = barrier_dates, .has_control = false};
  static const PayoffKind kind{.name = "smoothed_barrier",
                               .doc = "conditional expectation of a barrier option",
                               .reads_logs = true,
                               .launchers = GSIM_PAYOFF(smoothed_barrier),
                               .functions = &functions};
  return kind;
}

std::vector<double> knots_before(const PricingConfig& config, const TradeConfig& t) {
  const AssetConfig& a = config.market.assets[static_cast<std::size_t>(t.assets.front())];
  std::vector<double> dates;
  for (const double knot : config.market.knots(a))
    if (knot > same_date && knot < t.maturity - same_date) dates.push_back(knot);
  std::sort(dates.begin(), dates.end());
  dates.erase(std::unique(dates.begin(), dates.end(),
                          [](double a, double b) { return b - a <= same_date; }),
              dates.end());
  return dates;
}

}  // namespace

bool is_smoothable(const PricingConfig& config, const TradeConfig& t) {
  if (t.assets.size() != 1 || config.options.conditional || t.exercise.is_early()) return false;
  const MarketView view{&config.market, nullptr};
  const Index i = t.assets.front();
  const AssetConfig& a = view.asset(i);
  if (!view.is_black_scholes(i) || !(a.variance.minimum() > 0)) return false;
  switch (functions_of(*t.payoff).smoothed_form) {
    case SmoothedForm::digital:
      return t.strike > 0;
    case SmoothedForm::barrier:
      if (!t.continuous || t.touched || t.rebate_at_hit) return false;
      if (monitored_window(t).start > same_date) return true;
      return t.up ? a.spot < t.barrier : a.spot > t.barrier;
    case SmoothedForm::none:
      return false;
  }
  return false;
}

ReplacedPortfolio replaced_portfolio(const PricingConfig& config, const PricingSetup& setup,
                                     const std::function<bool(TradeConfig&)>& replace) {
  ReplacedPortfolio portfolio;
  portfolio.config.options = config.options;
  portfolio.config.options.control_variates = ControlVariates::none;
  portfolio.config.market = config.market;
  portfolio.config.longest_step = config.longest_step;
  for (std::size_t t = 0; t < config.trades.size(); ++t) {
    TradeConfig trade = config.trades[t];
    if (!replace(trade)) continue;
    portfolio.trades.push_back(static_cast<Index>(t));
    portfolio.config.trades.push_back(std::move(trade));
  }
  if (portfolio.trades.empty()) return portfolio;
  portfolio.setup = set_up(portfolio.config, setup.simulation.arithmetic, setup.simulation.seed);
  return portfolio;
}

ReplacedPortfolio smoothed_portfolio(const PricingConfig& config, const PricingSetup& setup) {
  return replaced_portfolio(config, setup, [&](TradeConfig& trade) {
    if (!is_smoothable(config, trade)) return false;
    if (functions_of(*trade.payoff).smoothed_form == SmoothedForm::digital) {
      trade.start = 0.5 * trade.maturity;
      trade.payoff = &digital_kind();
    } else {
      trade.payoff = &barrier_kind();
      std::vector<double> knots = knots_before(config, trade);
      if (trade.fixings.empty()) {
        // It reads the spots at the knots and at the maturity alone: between these the bridge is
        // exact.
        trade.continuous = false;
        trade.fixings = std::move(knots);
        trade.fixings.push_back(trade.maturity);
      } else {  // a window is monitored at the dates of all trades
        trade.numbers = std::move(knots);
      }
    }
    return true;
  });
}

void check_smoothed_dimensions(const PricingConfig& config, const PricingSetup& setup) {
  const GreekOptions& greeks = config.options.greeks;
  if (config.options.sampling != Sampling::sobol || !greeks.any() ||
      greeks.method != GreekMethod::automatic)
    return;
  const ReplacedPortfolio portfolio = smoothed_portfolio(config, setup);
  if (portfolio.trades.empty()) return;
  const Index dimensions = sobol_dimensions(portfolio.setup.simulation);
  if (dimensions <= sobol_max_dimensions) return;
  throw ConfigError(
      config.options.sampling_at,
      fmt::format("Sobol points have {} dimensions at most, and the Greeks of these digital and "
                  "barrier options need {}: one normal per asset at each of {} dates, of which "
                  "some are for smoothed payoffs",
                  sobol_max_dimensions, dimensions, portfolio.setup.simulation.grid.times.size()),
      "set greeks_method = \"bump\" or sampling = \"pseudo_random\", or price the trades in "
      "several runs");
}

}  // namespace gsim::pricing
