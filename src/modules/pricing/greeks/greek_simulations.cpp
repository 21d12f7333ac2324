#include "src/modules/pricing/greeks/greek_simulations.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/modules/pricing/greeks/bumped_simulation.hpp"
#include "src/modules/pricing/greeks/likelihood_ratio.hpp"
#include "src/modules/pricing/greeks/smoothing.hpp"

namespace gsim::pricing {
namespace {

std::vector<Index> trades_of(const PlannedStencil& stencil) {
  std::vector<Index> trades;
  for (const PlannedEntry& entry : stencil.entries) trades.push_back(entry.trade);
  return trades;
}

/// The simulations of the stencils with these payoffs. Trade `trades[i]` of the run, or i where
/// `trades` is empty, is trade i of `config`.
GreekSimulations simulations_of(const GreekPlan& plan, StencilPayoffs payoffs,
                                const PricingConfig& config, const PricingSetup& setup,
                                const std::vector<Index>& trades) {
  const bool are_own = payoffs == StencilPayoffs::own;
  const auto own = [&](const std::vector<Index>& list) {
    if (are_own) return list;
    std::vector<Index> positions;
    positions.reserve(list.size());
    for (const Index t : list) positions.push_back(position_of(trades, t));
    return positions;
  };
  GreekSimulations s;
  s.has_prices = are_own && config.options.precision == Precision::float64;
  for (Index t = 0; t < static_cast<Index>(config.trades.size()) && s.has_prices; ++t)
    s.base_trades.push_back(t);
  for (std::size_t k = 0; k < plan.stencils.size(); ++k) {
    const PlannedStencil& stencil = plan.stencils[k];
    if (stencil.payoffs != payoffs) continue;
    const std::vector<Index> of_stencil = trades_of(stencil);
    s.base_trades.insert(s.base_trades.end(), of_stencil.begin(), of_stencil.end());
    s.stencils.push_back(k);
    std::vector<Simulation>& points = s.points.emplace_back();
    for (const std::vector<MarketBump>& bumps : stencil.points) {
      Simulation bumped = bumped_simulation(config, setup, bumps, own(of_stencil));
      points.push_back(payoffs == StencilPayoffs::weighted
                           ? weighted_simulation(unbumped_simulation(setup, own(of_stencil)),
                                                 bumped, bumps.front().size,
                                                 stencil.is_second_order)
                           : std::move(bumped));
    }
  }
  std::sort(s.base_trades.begin(), s.base_trades.end());
  s.base_trades.erase(std::unique(s.base_trades.begin(), s.base_trades.end()), s.base_trades.end());
  if (!s.base_trades.empty()) s.base = unbumped_simulation(setup, own(s.base_trades));
  return s;
}

}  // namespace

Index position_of(const std::vector<Index>& trades, Index trade) {
  return std::lower_bound(trades.begin(), trades.end(), trade) - trades.begin();
}

std::vector<GreekSimulations> set_up_greeks(const GreekPlan& plan, const PricingConfig& config,
                                            const PricingSetup& setup) {
  std::vector<GreekSimulations> all;
  const auto add = [&](GreekSimulations s) {
    if (!s.base_trades.empty()) all.push_back(std::move(s));
  };
  const auto has = [&](StencilPayoffs payoffs) {
    return std::any_of(plan.stencils.begin(), plan.stencils.end(),
                       [&](const PlannedStencil& s) { return s.payoffs == payoffs; });
  };
  const auto add_replaced = [&](StencilPayoffs payoffs, const ReplacedPortfolio& replaced) {
    add(simulations_of(plan, payoffs, replaced.config, replaced.setup, replaced.trades));
  };
  add(simulations_of(plan, StencilPayoffs::own, config, setup, {}));
  if (has(StencilPayoffs::smoothed))
    add_replaced(StencilPayoffs::smoothed, smoothed_portfolio(config, setup));
  if (has(StencilPayoffs::weighted))
    add_replaced(StencilPayoffs::weighted, weighted_portfolio(config, setup));
  return all;
}

std::vector<GreekControl> greek_controls(const GreekPlan& plan,
                                         const std::vector<GreekSimulations>& simulations) {
  constexpr double relative_rounding = 1e-11;
  std::vector<GreekControl> controls(plan.greeks.size());
  for (const GreekSimulations& s : simulations)
    for (std::size_t k = 0; k < s.stencils.size(); ++k)
      for (std::size_t e = 0; e < plan.stencils[s.stencils[k]].entries.size(); ++e) {
        const PlannedEntry& entry = plan.stencils[s.stencils[k]].entries[e];
        const Index at = position_of(s.base_trades, entry.trade);
        const TradeSetup& base = s.base.trades[static_cast<std::size_t>(at)];
        if (base.control == TradeSetup::Control::none) continue;
        for (const PlannedRow& row : entry.rows) {
          GreekControl& control = controls[static_cast<std::size_t>(row.greek)];
          control.exists = true;
          for (std::size_t p = 0; p < s.points[k].size(); ++p) {
            const TradeSetup& trade = s.points[k][p].trades[e];
            control.expectation +=
                row.coefficient[p] * (trade.control_expectation - base.control_expectation);
            control.rounding +=
                relative_rounding * std::fabs(row.coefficient[p] * base.control_expectation);
          }
        }
      }
  return controls;
}

}  // namespace gsim::pricing
