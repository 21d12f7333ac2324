#include "src/modules/pricing/greeks/likelihood_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/pricing/payoff_job.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/converted_assets.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

GSIM_DECLARE_PAYOFF(weighted_payoff)

namespace gsim::pricing {
namespace {

constexpr std::size_t constant = 8, first = 9, each = 5;  // of the numbers of WeightedPayoff

void set_up(const TradeConfig& t, const MarketView& view, const Observations& o, TradeSetup& p) {
  const Index a = t.assets.front();
  const bool is_digital = t.barrier == 0, is_monitored = !is_digital;
  const double orientation = t.up ? 1 : -1;
  const bool touched = is_monitored && !o.past.empty() &&
                       (t.up ? view.spot(a) >= t.barrier : view.spot(a) <= t.barrier);
  constexpr double below_all = -1e300, above_all = 1e300;
  p.payoff = PayoffFormula::launched;
  p.kind = t.payoff;
  p.numbers = {p.sign,
               t.strike,
               !is_digital    ? 0.0
               : t.pays_asset ? 2.0
                              : 1.0,
               t.cash,
               orientation,
               touched        ? below_all
               : is_monitored ? orientation * t.barrier
                              : above_all,
               t.knock_in ? 1.0 : 0.0,
               t.rebate,
               0};
  double variance = 0, mean = 0;
  for (const Index record : p.records) {
    const double date = (*view.records)[static_cast<std::size_t>(record)];
    const double to = view.variance(a, date);
    const double mean_to = logarithm(view.forward(a, date) / view.spot(a)) - 0.5 * to;
    p.numbers.insert(p.numbers.end(), {mean_to - mean, 1 / std::sqrt(to - variance), 0, 0,
                                       is_monitored ? 1.0 : 0.0});
    variance = to;
    mean = mean_to;
  }
  p.growth.assign(p.records.size(), 1.0);
}

const PayoffKind& weighted_kind() {
  static constexpr PayoffFunctions functions{.set_up = set_up, .has_control = false};
  static const PayoffKind kind{.name = "weighted_payoff",
                               .doc = "digital or barrier option times a likelihood ratio",
                               .reads_logs = true,
                               .launchers = GSIM_PAYOFF(weighted_payoff),
                               .functions = &functions};
  return kind;
}

/// Why likelihood ratios are not defined for a digital or barrier; empty: they are.
std::string reason_against(const PricingConfig& config, const TradeConfig& t) {
  const MarketView view{&config.market, nullptr};
  const Index a = t.assets.front();
  if (t.exercise.is_early()) return "a right to early exercise";
  if (std::string_view(t.payoff->name) == "window_barrier")
    return "a window, in which runs of dates may count";
  if (t.continuous) return "a barrier that is monitored continuously, at no discrete dates";
  if (t.rebate_at_hit) return "a rebate that is paid at the touch";
  if (t.touched) return "a barrier that was touched before today";
  if (!view.is_black_scholes(a)) return "an asset whose model is not black_scholes";
  if (!(view.asset(a).variance.minimum() > 0)) return "an asset whose volatility is 0 at some time";
  if (spots_behind(config.market, t.assets, t.currency) != t.assets)
    return "payments that depend on an exchange rate";
  return {};
}

}  // namespace

bool is_weighted(const PricingConfig& config, const TradeConfig& t) {
  return config.options.greeks.method == GreekMethod::likelihood_ratio &&
         functions_of(*t.payoff).smoothed_form != SmoothedForm::none;
}

bool has_weighted_gamma(const PricingConfig& config, const TradeConfig& t) {
  if (!is_weighted(config, t)) return false;
  double first_fixing = t.maturity;
  for (const double fixing : t.fixings)
    if (fixing > same_date) first_fixing = std::fmin(first_fixing, fixing);
  const MarketView view{&config.market, nullptr};
  const std::vector<Dividend>& dividends = view.asset(t.assets.front()).dividends;
  return std::none_of(dividends.begin(), dividends.end(), [&](const Dividend& d) {
    return d.cash > 0 && d.time > first_fixing + same_date && d.time <= t.maturity + same_date;
  });
}

void check_likelihood_ratios(const PricingConfig& config) {
  if (!config.options.greeks.any()) return;
  for (const TradeConfig& t : config.trades) {
    if (!is_weighted(config, t)) continue;
    const std::string reason = config.options.conditional
                                   ? "conditional sampling, which replaces the payoff"
                                   : reason_against(config, t);
    if (reason.empty()) continue;
    throw ConfigError(
        t.source.location(),
        fmt::format("greeks_method = \"likelihood_ratio\" is not defined for trade `{}`: it has {}",
                    excerpt(t.id), reason),
        "likelihood ratios need digitals and discretely monitored barriers on one asset under "
        "black_scholes; set greeks_method = \"auto\" or \"bump\"");
  }
}

ReplacedPortfolio weighted_portfolio(const PricingConfig& config, const PricingSetup& setup) {
  return replaced_portfolio(config, setup, [&](TradeConfig& trade) {
    if (!is_weighted(config, trade)) return false;
    trade.payoff = &weighted_kind();
    return true;
  });
}

Simulation weighted_simulation(Simulation base, const Simulation& bumped, double size,
                               bool is_second) {
  for (std::size_t t = 0; t < base.trades.size(); ++t) {
    TradeSetup& trade = base.trades[t];
    const TradeSetup& other = bumped.trades[t];
    const auto asset = static_cast<std::size_t>(trade.assets.front());
    if (!is_second) trade.numbers[constant] = logarithm(other.discount / trade.discount) / size;
    for (std::size_t i = first; i < trade.numbers.size(); i += each) {
      const double inverse = trade.numbers[i + 1];
      double& by_mean = trade.numbers[i + 2];
      double& by_variance = trade.numbers[i + 3];
      const double rise = bumped.assets[asset].log_spot - base.assets[asset].log_spot;
      double mean = other.numbers[i] - trade.numbers[i];
      if (i == first) mean += rise;
      if (is_second) {  // of the first fixing alone
        // Its forward is linear in the spot S, so that with m the logarithm of the forward,
        // S^2 m'' = -(S m')^2; cash dividends make S m' larger than 1.
        if (i == first) {
          const double slope = mean / rise;
          by_mean = -square(slope) * inverse;
          by_variance = square(slope * inverse);
        }
        continue;
      }
      const double variance = 1 / square(other.numbers[i + 1]) - 1 / square(inverse);
      by_mean = mean / size * inverse;
      by_variance = 0.5 * variance / size * square(inverse);
    }
  }
  return base;
}

}  // namespace gsim::pricing
