#include "src/modules/pricing/risk/risk_module.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/checks/limits.hpp"
#include "src/modules/pricing/checks/memory_forecast.hpp"
#include "src/modules/pricing/checks/portfolio_input.hpp"
#include "src/modules/pricing/exercise/exercise_policies.hpp"
#include "src/modules/pricing/results/digest_writer.hpp"

namespace gsim::pricing {
namespace {

constexpr Index default_scenarios = 10000;
constexpr Index first_evaluation = 1024;  ///< simulated scenarios at the first evaluation
constexpr Index scenarios_at_once = 64;   ///< revalued together

void append(std::vector<double>& list, const std::vector<double>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// Rows [rows.first, rows.last) of a table.
std::vector<double> rows_of(const std::vector<double>& table, IndexRange rows,
                            std::size_t columns) {
  const auto begin = table.begin() + rows.first * static_cast<Index>(columns);
  return {begin, begin + rows.size() * static_cast<Index>(columns)};
}

}  // namespace

void RiskModule::describe(Section& top) {
  describe_pricing(top, config_, payoffs_, models_);
  describe_risk(top, config_, options_);
}

void RiskModule::validate() {
  check_is_double_without_greeks(config_.options, "risk",
                                 "; the methods delta_normal and delta_gamma write the "
                                 "sensitivities to the risk factors");
  check_no_trade_targets(config_.trades, "risk");
}

WorkPlan RiskModule::plan(const Context& context) {
  context_ = std::make_unique<Context>(context);
  config_.options.exercise.upper_bound = false;  // not used
  simulated_count_ = !options_.simulates()          ? 0
                     : context.stop.max_samples > 0 ? context.stop.max_samples
                                                    : default_scenarios;
  const PricingSetup setup = set_up_paths(config_, context.arithmetic, context.seed);
  const PortfolioSize size = try_trade_setups(config_, setup);
  check_limits(config_, setup);
  sensitivity_plan_ =
      options_.needs_sensitivities() ? SensitivityPlan(config_, options_) : SensitivityPlan();
  fixed_ = sensitivity_plan_.scenarios();
  fixed_.insert(fixed_.end(), options_.stresses.begin(), options_.stresses.end());
  if (options_.has(RiskMethod::historical))
    fixed_.insert(fixed_.end(), options_.history.begin(), options_.history.end());
  generator_.emplace(options_, context.seed);
  GSIM_VALIDATE(fixed_count() + simulated_count_ > 0, "[risk] asks for no scenario",
                "give risk.methods, or [[risk.stress]]");

  warn_of_scenarios(context);
  const std::vector<std::uint8_t> is_closed = closed_form_flags(config_);
  const auto closed = std::count(is_closed.begin(), is_closed.end(), 1);
  const auto trades = static_cast<double>(config_.trades.size());
  WorkPlan plan;
  plan.unit_name = "scenario";
  plan.estimate_name = "measure";
  plan.total_units = fixed_count() + simulated_count_;
  plan.summary = fmt::format("{} trades, {} of them in closed form, {} scenarios",
                             config_.trades.size(), closed, plan.total_units);
  plan.item_name = "trade values";
  plan.items_per_unit = trades;
  plan.samples_per_unit = 1;
  // Threads share scenarios in which all values are in closed form, and the samples of others.
  plan.units_at_once =
      Index{context.planned_ranks()} *
      (closed == static_cast<Index>(config_.trades.size()) ? context.executor.threads() : 1);
  const double cubes = (options_.has(RiskMethod::monte_carlo) ? 1 : 0) +
                       (options_.has(RiskMethod::delta_gamma) ? 1 : 0);
  constexpr double growth = 2.5;  // of a list that is extended, and copied for an analysis
  plan.bytes_per_rank =
      memory_forecast(setup.simulation, size,
                      exercise_bytes(size, config_.options.exercise,
                                     options_.exercise == ScenarioExercise::refitted
                                         ? 1  // each rank finds the policies of its scenarios
                                         : context.planned_ranks()),
                      context.executor,
                      EvaluationSchedule(inner_batches, Sampling::pseudo_random, 1)) +
      growth * sizeof(double) * trades *
          (cubes * static_cast<double>(simulated_count_) + static_cast<double>(fixed_count())) +
      resample_bytes(options_,
                     std::max(simulated_count_, fixed_range(ScenarioKind::historical).size()),
                     config_.trades.size(), context.planned_ranks());
  plan.notes.push_back(fmt::format(
      "{} scenarios of sensitivities, {} stress scenarios, {} of a history, at most {} simulated",
      fixed_range(ScenarioKind::sensitivity).size(), options_.stresses.size(),
      fixed_range(ScenarioKind::historical).size(), simulated_count_));
  if (closed < static_cast<Index>(config_.trades.size()))
    plan.notes.push_back(fmt::format("{} samples of each trade without a closed form per scenario",
                                     options_.inner_samples));
  report_doubtful_input(
      config_, setup, {options_.inner_samples, "risk.inner_samples", is_closed}, context,
      fmt::format("trades skipped because of bad data: {}; no measure of risk includes them, and "
                  "the results list them",
                  config_.skipped.size()),
      plan);
  return plan;
}

void RiskModule::warn_of_scenarios(const Context& context) const {
  if (!context.warn) return;
  for (const Scenario& s : options_.stresses)
    for (const MarketBump& bump : bumps_of(config_.market, options_.factors, s))
      for (std::size_t f = 0; f < options_.factors.size(); ++f) {
        const RiskFactor& factor = options_.factors[f];
        if (factor.quantity != bump.quantity || factor.asset != bump.asset ||
            bump.size == s.changes[f])
          continue;
        context.warn(fmt::format("stress scenario `{}` changes `{}` by {:g} instead of {:g}",
                                 excerpt(s.name), excerpt(factor.name), bump.size, s.changes[f]));
      }
  constexpr Index max_counted = 10000;
  std::vector<Scenario> counted(fixed_.begin() + fixed_range(ScenarioKind::sensitivity).last,
                                fixed_.end());
  if (options_.has(RiskMethod::monte_carlo))
    for (Index i = 0; i < std::min(simulated_count_, max_counted); ++i)
      counted.push_back(generator_->generate(i));
  for (const std::string& warning : warnings_of_falls(config_.market, options_.factors, counted))
    context.warn(warning);
  for (const TradeConfig& t : config_.trades) {
    const AssetConfig& asset = config_.market.assets[static_cast<std::size_t>(t.assets.front())];
    if (!asset.is_rate() || !(asset.short_rate->discount || asset.short_rate->forecast)) continue;
    context.warn(fmt::format(
        "the risk factor `rate` is market.rate, and the curves of [market.rates.{}] do not change "
        "with it",
        asset.name));
    break;
  }
  const bool has_early = std::any_of(config_.trades.begin(), config_.trades.end(),
                                     [](const TradeConfig& t) { return t.exercise.is_early(); });
  if (has_early && options_.exercise == ScenarioExercise::frozen)
    context.warn(
        "trades with early exercise are exercised in the states of today's market in every "
        "scenario, so that their values after large changes are too small; risk.exercise = "
        "\"refitted\" finds their policies anew in every scenario");
}

IndexRange RiskModule::fixed_range(ScenarioKind kind) const {
  const auto is_before = [&](const Scenario& s) { return s.kind < kind; };
  const auto is_not_after = [&](const Scenario& s) { return s.kind <= kind; };
  return {std::partition_point(fixed_.begin(), fixed_.end(), is_before) - fixed_.begin(),
          std::partition_point(fixed_.begin(), fixed_.end(), is_not_after) - fixed_.begin()};
}

void RiskModule::prepare() {
  fixed_checked_ = simulated_checked_ = 0;
  find_exercise_policies(config_, *context_);
  check_exercise(config_, "leave the trade out");
  value_today();
  fixed_gains_ = simulated_gains_ = {config_.trades.size(), {}, {}};
  simulated_done_ = 0;
}

Index RiskModule::next_evaluation(Index done) const {
  Index point = first_evaluation;
  while (point < simulated_count_ && fixed_count() + point <= done) point *= 2;
  return fixed_count() + std::min(point, simulated_count_);
}

Scenario RiskModule::scenario(Index unit) const {
  return unit < fixed_count() ? fixed_[static_cast<std::size_t>(unit)]
                              : generator_->generate(unit - fixed_count());
}

void RiskModule::value_today() {
  context_->communicator.agree([&] {
    revaluation_ =
        std::make_unique<Revaluation>(config_, context_->executor, context_->arithmetic,
                                      context_->seed, options_.inner_samples, options_.exercise);
  });
}

void RiskModule::advance(Index first, Index count) {
  tables_.reset();
  const IndexRange fixed{first, std::min(first + count, fixed_count())};
  const IndexRange simulated{std::max(first, fixed_count()), first + count};
  const Communicator& ranks = context_->communicator;
  const auto revalue = [&](IndexRange units, Gains& gains) {
    if (units.empty()) return;
    const IndexRange mine = shares_.divide(ranks, units).range(ranks.rank());
    std::vector<double> changes, batches;
    double seconds = 0;
    ranks.agree([&] {
      const Stopwatch stopwatch;
      for (Index u = mine.first; u < mine.last; u += scenarios_at_once) {
        std::vector<std::vector<MarketBump>> markets;
        for (Index k = u; k < std::min(u + scenarios_at_once, mine.last); ++k)
          markets.push_back(bumps_of(config_.market, options_.factors, scenario(k)));
        std::vector<double> new_changes(markets.size() * config_.trades.size());
        std::vector<double> new_batches(
            revaluation_->has_simulated_trades() ? markets.size() * inner_batches : 0);
        revaluation_->evaluate(markets, new_changes, new_batches);
        append(changes, new_changes);
        append(batches, new_batches);
      }
      seconds = stopwatch.seconds();
    });
    shares_.measure(ranks, mine.size(), seconds);
    const RegionTimer::Scope gathering(context_->timer.get(), "reduce");
    append(gains.by_trade, ranks.allgather<double>(changes));
    append(gains.batches, ranks.allgather<double>(batches));
  };
  revalue(fixed, fixed_gains_);
  if (options_.has(RiskMethod::monte_carlo)) revalue(simulated, simulated_gains_);
  simulated_done_ += std::max<Index>(simulated.size(), 0);
}

Gains RiskModule::gains_of(ScenarioKind kind) const {
  if (kind == ScenarioKind::monte_carlo) return simulated_gains_;
  IndexRange rows = fixed_range(kind);
  Gains part{config_.trades.size(), {}, {}};
  if (fixed_gains_.scenarios() < rows.last) return part;  // not finished
  part.by_trade = rows_of(fixed_gains_.by_trade, rows, part.trades);
  if (!fixed_gains_.batches.empty())
    part.batches = rows_of(fixed_gains_.batches, rows, inner_batches);
  return part;
}

std::vector<TradeSensitivities> RiskModule::sensitivities() const {
  const Gains gains = gains_of(ScenarioKind::sensitivity);
  if (gains.by_trade.empty()) return {};
  return sensitivity_plan_.derivatives(gains.by_trade, gains.trades);
}

std::vector<TradeSensitivities> RiskModule::batch_sensitivities() const {
  const Gains gains = gains_of(ScenarioKind::sensitivity);
  if (gains.batches.empty()) return {};
  return sensitivity_plan_.derivatives(gains.batches, inner_batches);
}

Gains RiskModule::quadratic_gains(Index count) const {
  const std::vector<TradeSensitivities> trades = sensitivities();
  Gains gains{trades.size(), {}, {}};
  if (trades.empty()) return gains;
  const std::vector<TradeSensitivities> batches = batch_sensitivities();
  const Communicator& ranks = context_->communicator;
  const IndexRange mine = shares_.divide(ranks, {0, count}).range(ranks.rank());
  const auto size = static_cast<std::size_t>(mine.size());
  std::vector<double> by_trade(trades.size() * size), of_batches(batches.size() * size);
  ranks.agree([&] {
    context_->executor.pool().for_each(mine.size(), [&](Index i, int) {
      const std::vector<double> changes = generator_->generate(mine.first + i).changes;
      const auto s = static_cast<std::size_t>(i);
      for (std::size_t t = 0; t < trades.size(); ++t)
        by_trade[s * trades.size() + t] = trades[t].gain(changes);
      for (std::size_t b = 0; b < batches.size(); ++b)
        of_batches[s * batches.size() + b] = batches[b].gain(changes);
    });
  });
  gains.by_trade = ranks.allgather<double>(by_trade);
  gains.batches = ranks.allgather<double>(of_batches);
  return gains;
}

Gains RiskModule::gains_for(RiskMethod method) const {
  if (method == RiskMethod::historical) return gains_of(ScenarioKind::historical);
  return method == RiskMethod::delta_gamma ? quadratic_gains(simulated_done_) : simulated_gains_;
}

void RiskModule::measure_all() {
  measures_.clear();
  tables_.reset();
  if (fixed_gains_.scenarios() < fixed_count()) return;
  for (const RiskMethod method : options_.methods) {
    std::vector<MeasureRow> rows;
    if (method == RiskMethod::delta_normal) {
      rows = measure_normal(sensitivities(), batch_sensitivities(), covariance(options_), options_);
    } else {
      const Gains gains = gains_for(method);
      if (gains.scenarios() < 2) continue;
      rows = measure(method, gains, options_, config_.options.confidence, context_->communicator,
                     shares_);
      if (method == RiskMethod::historical && options_.history_step > 1)
        use_bootstrap_errors(rows, gains, options_, config_.options.confidence, *context_, shares_);
    }
    measures_.insert(measures_.end(), rows.begin(), rows.end());
  }
}

const RiskModule::Tables& RiskModule::tables() const {
  if (tables_) return *tables_;
  Tables tables{measures_, {}};
  const std::size_t levels = options_.levels.size();
  for (std::size_t first = 0; first < tables.measures.size(); first += levels) {
    const std::span<MeasureRow> rows(&tables.measures[first], levels);
    std::vector<ContributionRow> list;
    if (rows.front().method == RiskMethod::delta_normal) {
      list = normal_contributions(rows, first, sensitivities(), covariance(options_));
    } else {
      const Gains gains = gains_for(rows.front().method);
      if (options_.resamples > 0)
        add_bootstrap(rows, gains, options_, config_.options.confidence, *context_, shares_);
      list = contributions(rows, first, gains, context_->communicator, shares_);
      add_increment_errors(list, rows, gains, options_, *context_, shares_);
    }
    tables.contributions.insert(tables.contributions.end(), list.begin(), list.end());
  }
  tables_ = std::move(tables);
  return *tables_;
}

Estimate RiskModule::estimate_of(RiskMethod method, double level, bool is_var) const {
  Estimate e;
  e.name = fmt::format("{} {:g} % {}", is_var ? "VaR" : "ES", 100 * level, name_of(method));
  e.unit = "currency";
  e.is_judged = method == RiskMethod::monte_carlo ||
                (method == RiskMethod::delta_gamma && !options_.has(RiskMethod::monte_carlo));
  for (const MeasureRow& row : measures_) {
    if (row.method != method || row.level != level) continue;
    const RiskEstimate& risk = is_var ? row.risk.var : row.risk.es;
    e.mean = risk.value;
    e.standard_error = risk.standard_error;
    e.count = row.scenarios;
    if (std::isnan(e.standard_error))
      e.remark =
          method == RiskMethod::historical && options_.history_step > 1
              ? "overlapping changes have a standard error by a bootstrap of many blocks only"
              : "too few scenarios beyond this level for a standard error";
  }
  e.converged = e.is_judged && context_->stop.has_error_target() && context_->stop.converged(e);
  return e;
}

std::vector<Estimate> RiskModule::estimates() const {
  std::vector<Estimate> list;
  for (const RiskMethod method : options_.methods)
    for (const double level : options_.levels)
      for (const bool is_var : {true, false}) list.push_back(estimate_of(method, level, is_var));
  return list;
}

Module::Evaluation RiskModule::evaluate(Index) {
  measure_all();
  Evaluation result;
  for (const Estimate& e : estimates())
    if (e.is_judged) result.add(e, context_->stop);
  result.all_converged =
      context_->stop.has_error_target() && result.judged > 0 && result.converged == result.judged;
  return result;
}

void RiskModule::update_estimates() { measure_all(); }

std::string RiskModule::health() {
  for (auto& [gains, checked] : {std::pair{&fixed_gains_, &fixed_checked_},
                                 std::pair{&simulated_gains_, &simulated_checked_}})
    for (std::size_t& i = *checked; i < gains->by_trade.size(); ++i) {
      if (std::isfinite(gains->by_trade[i])) continue;
      const auto row = static_cast<Index>(i / gains->trades);
      const Scenario s = scenario(gains == &fixed_gains_ ? row : fixed_count() + row);
      return fmt::format(
          "trade `{}`: its value is not a finite number in {} scenario {}; check the sizes of the "
          "changes, or leave the trade out",
          excerpt(config_.trades[i % gains->trades].id), name_of(s.kind),
          s.name.empty() ? fmt::format("{}", row) : "`" + excerpt(s.name) + "`");
    }
  return {};
}

void RiskModule::save(DatasetWriter& w) const {
  save_policies(config_, w);
  const auto columns = static_cast<Index>(config_.trades.size());
  w.write("scenarios/simulated", simulated_done_);
  w.write("gains/fixed", fixed_gains_.by_trade, columns);
  w.write("gains/simulated", simulated_gains_.by_trade, columns);
  w.write("gains/fixed_batches", fixed_gains_.batches, inner_batches);
  w.write("gains/simulated_batches", simulated_gains_.batches, inner_batches);
}

void RiskModule::restore(DatasetReader& r) {
  restore_policies(config_, r);
  value_today();
  simulated_done_ = r.read_value<std::int64_t>("scenarios/simulated");
  const std::size_t n = config_.trades.size();
  fixed_gains_ = {n, r.read<double>("gains/fixed"), r.read<double>("gains/fixed_batches")};
  simulated_gains_ = {n, r.read<double>("gains/simulated"),
                      r.read<double>("gains/simulated_batches")};
  const Index expected = options_.has(RiskMethod::monte_carlo) ? simulated_done_ : 0;
  if (fixed_gains_.by_trade.size() % n != 0 || fixed_gains_.scenarios() > fixed_count() ||
      simulated_gains_.by_trade.size() != static_cast<std::size_t>(expected) * n)
    throw IoError("checkpoint: the gains are not those of this run's scenarios and trades");
  measure_all();
}

}  // namespace gsim::pricing

namespace gsim {
void register_risk_module(Registry& registry) {
  registry.add({"risk", "market risk of option portfolios: value at risk, stress scenarios",
                [](const Registry& parts) {
                  return std::make_unique<pricing::RiskModule>(parts.all<pricing::PayoffKind>(),
                                                               parts.all<pricing::PathModelKind>());
                }});
}
}  // namespace gsim
