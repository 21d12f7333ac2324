#include "src/modules/pricing/risk/revaluation.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "src/modules/pricing/builtin_parts.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exercise/exercise_policies.hpp"
#include "src/modules/pricing/greeks/bumped_simulation.hpp"
#include "src/modules/pricing/paths/path_engine.hpp"
#include "src/modules/pricing/paths/time_grid.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

constexpr auto batches_of_samples = static_cast<std::size_t>(inner_batches);

/// The configuration with some of its trades.
PricingConfig with_trades(const PricingConfig& config, const std::vector<Index>& trades) {
  PricingConfig part;
  part.options = config.options;
  part.market = config.market;
  part.longest_step = config.longest_step;
  for (const Index t : trades) part.trades.push_back(config.trades[static_cast<std::size_t>(t)]);
  return part;
}

std::vector<Index> numbers_up_to(std::size_t n) {
  std::vector<Index> list(n);
  std::iota(list.begin(), list.end(), Index{0});
  return list;
}

/// The configuration in which fixings of today are past ones, and strikes set today are known: they
/// do not change when the market does.
PricingConfig with_fixings_of_today(PricingConfig config) {
  for (TradeConfig& t : config.trades) {
    if (t.script != nullptr) {
      observe_script_today(t, config.market);
      continue;
    }
    const double spot = config.market.assets[static_cast<std::size_t>(t.assets.front())].spot;
    if (!t.fixings.empty() && t.fixings.front() <= same_date) {
      t.fixings.erase(t.fixings.begin());
      if (t.barrier != 0)
        t.touched = t.touched || (t.up ? spot >= t.barrier : spot <= t.barrier);
      else
        t.past_fixings.push_back(spot);
    }
    if (t.payoff->name == "forward_start" && t.start <= same_date) {
      t.strike *= spot;
      t.payoff = &builtin_payoff("european");
    }
  }
  return config;
}

/// Sets the samples of a trade without a policy to NaN, which is reported with the scenario.
void make_unknown(TradeSetup& trade) {
  auto exercise = std::make_shared<ExerciseSetup>(*trade.exercise);
  exercise->policy.exercised_today = true;
  exercise->policy.value_today = std::numeric_limits<double>::quiet_NaN();
  trade.exercise = std::move(exercise);
}

}  // namespace

std::vector<std::uint8_t> closed_form_flags(const PricingConfig& config) {
  const std::vector<double> dates = record_dates(config);
  const MarketView view{&config.market, &dates};
  const std::vector<Index> assets = numbers_up_to(config.market.assets.size());
  std::vector<std::uint8_t> flags;
  for (const TradeConfig& t : config.trades)
    flags.push_back(closed_form_value(t, view, assets).has_value() ? 1 : 0);
  return flags;
}

Revaluation::Revaluation(const PricingConfig& config, const Executor& executor,
                         Arithmetic arithmetic, std::uint64_t seed, Index inner_samples,
                         ScenarioExercise exercise)
    : config_(with_fixings_of_today(config)),
      executor_(executor),
      arithmetic_(arithmetic),
      seed_(seed),
      exercise_(exercise),
      assets_(numbers_up_to(config.market.assets.size())) {
  const std::vector<std::uint8_t> is_closed = closed_form_flags(config_);
  for (std::size_t t = 0; t < is_closed.size(); ++t)
    (is_closed[t] != 0 ? closed_ : simulated_).push_back(static_cast<Index>(t));
  dates_ = record_dates(with_trades(config_, closed_));
  today_.resize(config_.trades.size());
  for (const Index t : closed_) {
    closed_today_.push_back(closed_form(t, config_.market));
    today_[static_cast<std::size_t>(t)] = {closed_today_.back(), 0, false};
  }
  if (simulated_.empty()) return;
  simulated_config_ = with_trades(config_, simulated_);
  simulated_setup_ = set_up(simulated_config_, arithmetic, seed);
  simulated_setup_.simulation.precision = Precision::float64;
  simulated_setup_.simulation.block_samples = inner_samples / inner_batches;
  set_coefficients();
}

double Revaluation::quantity(Index trade) const {
  return config_.trades[static_cast<std::size_t>(trade)].quantity;
}

double Revaluation::closed_form(Index trade, const MarketConfig& market) const {
  const MarketView view{&market, &dates_};
  const auto value =
      closed_form_value(config_.trades[static_cast<std::size_t>(trade)], view, assets_);
  // A change of the market may make a formula unusable; the trade is then reported as not finite.
  return quantity(trade) * value.value_or(std::nan(""));
}

void Revaluation::set_coefficients() {
  const std::size_t n = simulated_.size();
  coefficients_.assign(n, 0.0);
  const auto engine = make_path_engine(executor_, simulated_setup_.simulation);
  const std::vector<BlockStatistics> blocks =
      engine->run({0, inner_batches}, std::vector<std::uint8_t>(n, 1));
  for (std::size_t k = 0; k < n; ++k) {
    BlockStatistics sum = blocks[k];
    for (std::size_t b = 1; b < batches_of_samples; ++b) sum = merge(sum, blocks[b * n + k]);
    if (sum.m_yy > 0) coefficients_[k] = sum.m_xy / sum.m_yy;
  }
  simulated_today_ = simulate(simulated_setup_.simulation);
  for (std::size_t k = 0; k < n; ++k) {
    double mean = 0, squares = 0;
    for (std::size_t b = 0; b < batches_of_samples; ++b)
      mean += simulated_today_[b * n + k] / inner_batches;
    for (std::size_t b = 0; b < batches_of_samples; ++b)
      squares += square(simulated_today_[b * n + k] - mean);
    const double error =
        std::sqrt(squares / static_cast<double>(inner_batches * (inner_batches - 1)));
    const double units = quantity(simulated_[k]);
    today_[static_cast<std::size_t>(simulated_[k])] = {units * mean, std::fabs(units) * error,
                                                       true};
  }
}

Simulation Revaluation::in_market(const std::vector<MarketBump>& bumps,
                                  const std::vector<Index>& all) const {
  if (exercise_ == ScenarioExercise::frozen)
    return bumped_simulation(simulated_config_, simulated_setup_, bumps, all);
  PricingConfig bumped_config = simulated_config_;
  for (const MarketBump& bump : bumps)
    bumped_config.market = bumped(std::move(bumped_config.market), bump);
  bumped_config.options.exercise.upper_bound = false;
  PricingConfig refitted = simulated_config_;
  // Each rank has scenarios of its own.
  Context alone{Communicator::self(), executor_};
  alone.arithmetic = arithmetic_;
  alone.seed = seed_;
  for (std::size_t t = 0; t < refitted.trades.size(); ++t) {
    if (!refitted.trades[t].exercise.is_early()) continue;
    TradeConfig trade = bumped_config.trades[t];
    const double known_today = trade.exercise.policy->value_today;
    trade.exercise.policy = nullptr;
    WorkShares shares;  // of one rank
    refitted.trades[t].exercise.policy = std::make_shared<const ExercisePolicy>(
        policy_of(bumped_config, trade, alone, shares, known_today));
  }
  Simulation simulation =
      bumped_simulation(refitted, simulated_setup_, bumps, all, PoliciesFrom::bumped_market);
  for (TradeSetup& trade : simulation.trades)
    if (trade.exercise != nullptr && trade.exercise->policy.has_failed()) make_unknown(trade);
  return simulation;
}

std::vector<double> Revaluation::simulate(const Simulation& simulation) const {
  const std::size_t n = simulated_.size();
  const auto engine = make_path_engine(executor_, simulation);
  const std::vector<BlockStatistics> blocks =
      engine->run({0, inner_batches}, std::vector<std::uint8_t>(n, 1));
  std::vector<double> values(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i)
    values[i] =
        blocks[i].mean_x -
        coefficients_[i % n] * (blocks[i].mean_y - simulation.trades[i % n].control_expectation);
  return values;
}

void Revaluation::evaluate(std::span<const std::vector<MarketBump>> markets,
                           std::span<double> changes, std::span<double> batches) const {
  const std::size_t n = config_.trades.size();
  executor_.pool().for_each(static_cast<Index>(markets.size()), [&](Index m, int) {
    MarketConfig market = config_.market;
    for (const MarketBump& bump : markets[static_cast<std::size_t>(m)])
      market = bumped(std::move(market), bump);
    for (std::size_t k = 0; k < closed_.size(); ++k)
      changes[static_cast<std::size_t>(m) * n + static_cast<std::size_t>(closed_[k])] =
          closed_form(closed_[k], market) - closed_today_[k];
  });
  if (simulated_.empty()) return;
  const std::vector<Index> all = numbers_up_to(simulated_.size());
  for (std::size_t m = 0; m < markets.size(); ++m) {
    const std::vector<double> values = simulate(in_market(markets[m], all));
    for (std::size_t k = 0; k < all.size(); ++k)
      changes[m * n + static_cast<std::size_t>(simulated_[k])] = 0;
    for (std::size_t b = 0; b < batches_of_samples; ++b) {
      double& total = batches[m * batches_of_samples + b] = 0;
      for (std::size_t k = 0; k < all.size(); ++k) {
        const std::size_t i = b * all.size() + k;
        const double change = quantity(simulated_[k]) * (values[i] - simulated_today_[i]);
        total += change;
        changes[m * n + static_cast<std::size_t>(simulated_[k])] += change / inner_batches;
      }
    }
  }
}

}  // namespace gsim::pricing
