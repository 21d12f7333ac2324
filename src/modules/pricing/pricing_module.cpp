#include "src/modules/pricing/pricing_module.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/pricing/module.hpp"
#include "src/modules/pricing/builtin_parts.hpp"
#include "src/modules/pricing/checks/limits.hpp"
#include "src/modules/pricing/checks/memory_forecast.hpp"
#include "src/modules/pricing/checks/portfolio_input.hpp"
#include "src/modules/pricing/exercise/exercise_policies.hpp"
#include "src/modules/pricing/greeks/likelihood_ratio.hpp"
#include "src/modules/pricing/greeks/smoothing.hpp"
#include "src/modules/pricing/multilevel/multilevel_module.hpp"
#include "src/modules/pricing/paths/separate_paths.hpp"
#include "src/modules/pricing/results/market_tables.hpp"

namespace gsim::pricing {
namespace {

// Default limit of the samples of a trade: sufficient for a relative error of 1e-3 of most prices.
constexpr Index default_samples = Index{1} << 24;

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

double path_steps_per_block(const Simulation& s) {
  return static_cast<double>(s.block_samples) * (s.antithetic ? 2 : 1) *
         static_cast<double>(s.assets.size()) * static_cast<double>(s.grid.times.size());
}

// Every scrambling has at least one complete block of points, so the number of samples has a lower
// limit.
void note_sobol(const Context& context, const Simulation& s, WorkPlan& plan) {
  plan.notes.push_back(fmt::format("Sobol points, {} independent scramblings of {} dimensions",
                                   s.replicates, sobol_dimensions(s)));
  const Index min_samples = s.replicates * s.block_samples;
  if (context.stop.max_samples <= 0 || context.stop.max_samples >= min_samples || !context.warn)
    return;
  context.warn(
      fmt::format("stop.samples = {} is rounded up to {}: one block of {} points in each of "
                  "pricing.replicates = {} scramblings",
                  context.stop.max_samples, min_samples, s.block_samples, s.replicates));
}

}  // namespace

void PricingModule::describe(Section& top) { describe_pricing(top, config_, payoffs_, models_); }

WorkPlan PricingModule::plan(const Context& context) {
  context_ = std::make_unique<Context>(context);
  const Index samples = context.stop.max_samples > 0 ? context.stop.max_samples : default_samples;
  check_samples(config_.options, samples);
  setup_ = set_up_paths(config_, context.arithmetic, context.seed);
  const PortfolioSize size = try_trade_setups(config_, setup_);
  const Simulation& s = setup_.simulation;
  check_limits(config_, setup_);
  check_smoothed_dimensions(config_, setup_);
  check_likelihood_ratios(config_);
  GSIM_VALIDATE(
      !has_total_target() || s.replicates == 1 || s.replicates > min_degrees,
      fmt::format("pricing.total_error: the error of a total over {} scramblings of Sobol "
                  "points is too uncertain to be judged",
                  s.replicates),
      fmt::format("set pricing.replicates to at least {}", min_degrees + 1));
  schedule_ = {(samples + s.block_samples - 1) / s.block_samples, s.sampling, s.replicates};

  WorkPlan plan;
  plan.unit_name = "block";
  plan.estimate_name = "trade";
  plan.total_units = schedule_.total();
  plan.summary =
      fmt::format("{}, {}, {}", counted(config_.trades.size(), "trade", "trades"),
                  counted(s.assets.size(), "asset", "assets"),
                  counted(static_cast<std::size_t>(s.grid.recorded_dates), "date", "dates"));
  if (has_total_target())
    plan.summary += fmt::format(", total within {:g}", config_.options.total_error);
  has_trade_targets_ = std::any_of(config_.trades.begin(), config_.trades.end(),
                                   [](const TradeConfig& t) { return t.target_error > 0; });
  plan.has_own_targets = has_total_target() || has_trade_targets_;
  plan.item_name = "path-steps";
  plan.items_per_unit = path_steps_per_block(s);
  plan.samples_per_unit = s.block_samples;
  plan.units_at_once = Index{context.planned_ranks()} * context.executor.threads();
  plan.bytes_per_rank = memory_forecast(
      s, size, exercise_bytes(size, config_.options.exercise, context.planned_ranks()),
      context.executor, schedule_);
  if (has_total_target() && s.replicates == 1)  // the batches, and those of messages
    plan.bytes_per_rank += 2 * sizeof(BatchMean) * static_cast<double>(size.trades) *
                           static_cast<double>(batch_count(schedule_.total()));
  if (config_.options.greeks.any()) note_greeks(context, plan);
  plan.notes.push_back(fmt::format("{} per path, at most {} samples per trade, {} per block",
                                   counted(s.grid.times.size(), "time step", "time steps"),
                                   schedule_.total() * s.block_samples, s.block_samples));
  if (const std::string note = curves_note(config_.market); !note.empty())
    plan.notes.push_back(note);
  if (const std::string note = surfaces_note(config_.market); !note.empty())
    plan.notes.push_back(note);
  for (const std::string& note : calibration_notes(config_.market)) plan.notes.push_back(note);
  if (s.sampling == Sampling::sobol) note_sobol(context, s, plan);
  report_doubtful_input(config_, setup_, {schedule_.total() * s.block_samples, "stop.samples"},
                        context,
                        fmt::format("{} skipped because of bad data; the results list them",
                                    counted(config_.skipped.size(), "trade is", "trades are")),
                        plan);
  return plan;
}

void PricingModule::note_greeks(const Context& context, WorkPlan& plan) const {
  const GreekPlan greeks = plan_greeks(config_, setup_);
  std::size_t markets = 0;
  PortfolioSize size{static_cast<Index>(greeks.greeks.size()), 0};
  for (const PlannedStencil& s : greeks.stencils) {
    markets += s.points.size();
    size.trades += static_cast<Index>(s.points.size() * s.entries.size());
  }
  plan.notes.push_back(fmt::format("{}, from {}", counted(greeks.greeks.size(), "Greek", "Greeks"),
                                   counted(markets, "bumped market", "bumped markets")));
  // A Greek, and a trade in a bumped market, need about the memory of a trade.
  const auto forecast = [&](const PortfolioSize& of) {
    return memory_forecast(setup_.simulation, of, 0, context.executor, schedule_);
  };
  plan.bytes_per_rank += forecast(size) - forecast({});
}

void PricingModule::prepare() {
  find_exercise_policies(config_, *context_);
  if (config_.options.on_error == OnError::stop)
    check_exercise(config_, "leave such trades out with on_error = \"skip\"");
  start();
}

void PricingModule::start() {
  const auto n = config_.trades.size();
  add_trade_setups(config_, setup_);
  active_.assign(n, 1);
  converged_.assign(n, 0);
  failed_.assign(n, 0);
  resting_.assign(n, 0);
  tilted_ = TiltedTrades(config_, *context_);
  current_.assign(n, estimate_price({}, {}, 1, config_.options.confidence));
  history_.clear();
  greeks_ = Greeks(config_, setup_, *context_, sums_);
  const Index replicates = setup_.simulation.replicates;
  sums_ = SampleSums(greeks_.range().last, replicates,
                     has_total_target() && replicates == 1 ? trade_count() : 0);
  for (Index t = 0; t < trade_count(); ++t)
    if (!exercise_problem(config_, config_.trades[static_cast<std::size_t>(t)]).empty()) exclude(t);
}

PathEngine& PricingModule::engine() {
  if (!engine_) {
    setup_.simulation.unused = unused_assets();
    engine_ = make_path_engine(context_->executor, setup_.simulation);
    setup_.simulation.unused.clear();
  }
  return *engine_;
}

std::vector<SampleSource> PricingModule::sources(const std::vector<Index>& trades) {
  SampleSource shared{[this]() -> PathEngine& { return engine(); }, {}, {}, true};
  shared.trades.resize(config_.trades.size());
  std::iota(shared.trades.begin(), shared.trades.end(), Index{0});
  shared.active.assign(config_.trades.size(), 0);
  std::vector<SampleSource> list;
  bool has_shared = false;
  const bool are_separate = has_separate_paths();
  for (const Index t : trades) {
    const auto i = static_cast<std::size_t>(t);
    if (active_[i] == 0) continue;
    if (are_separate || tilted_.is_tilted(t)) {
      list.push_back({[this, t]() -> PathEngine& { return engine_of(t); }, {t}, {1}});
    } else {
      shared.active[i] = 1;
      has_shared = true;
    }
  }
  if (has_shared) list.insert(list.begin(), std::move(shared));
  return list;
}

bool PricingModule::has_separate_paths() const {
  // The choice is based on flags that change at evaluation points only: unlike active_, they are
  // then the same for every number of ranks.
  std::vector<std::uint8_t> remaining(config_.trades.size());
  bool has_resting = false;
  for (Index t = 0; t < trade_count(); ++t) {
    const auto i = static_cast<std::size_t>(t);
    remaining[i] = !rests(t) && !tilted_.is_tilted(t) ? 1 : 0;
    has_resting = has_resting || rests(t);
  }
  return has_resting && are_separate_paths_cheaper(config_, setup_.simulation, remaining);
}

PathEngine& PricingModule::engine_of(Index trade) {
  const TradeConfig& config = config_.trades[static_cast<std::size_t>(trade)];
  separate_ = make_path_engine(
      context_->executor,
      tilted_.is_tilted(trade)
          ? tilted_.simulation(trade)
          : separate_simulation(config_, config, context_->arithmetic, context_->seed));
  return *separate_;
}

void PricingModule::advance(Index first, Index count) {
  std::vector<Index> all(config_.trades.size());
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<SampleSource> list = sources(all);
  if (!greeks_.empty()) add_greeks(list);
  simulate(list, first, count);
  if (config_.options.on_error == OnError::skip) exclude_not_finite();
}

void PricingModule::add_greeks(std::vector<SampleSource>& list) {
  std::vector<std::uint8_t> priced(config_.trades.size(), 0);
  const bool has_shared = !list.empty() && list.front().is_shared;
  if (has_shared && greeks_.has_prices()) {
    priced = list.front().active;
    list.erase(list.begin());
  }
  list.push_back(greeks_.source(active_, priced));
}

void PricingModule::simulate(std::span<const SampleSource> list, Index first, Index count) {
  sums_.advance(list, context_->communicator, first, count, context_->timer.get());
  separate_.reset();
}

void PricingModule::exclude_not_finite() {
  for (const Index t : sums_.not_finite({0, trade_count()})) exclude(t);
}

void PricingModule::exclude(Index trade) {
  const auto i = static_cast<std::size_t>(trade);
  sums_.reset(trade);
  active_[i] = 0;
  failed_[i] = 1;
  current_[i] = estimate(trade);
}

bool PricingModule::meets_targets(Index trade) const {
  // An unknown error (NaN) meets no target, and neither does one based on few samples.
  return current_[static_cast<std::size_t>(trade)].contributing_samples >=
             min_contributing_samples &&
         targets(trade).converged(engine_estimate(trade));
}

std::vector<TiltCandidate> PricingModule::tilt_candidates() const {
  std::vector<TiltCandidate> candidates;
  for (Index t = 0; t < trade_count(); ++t) {
    const auto i = static_cast<std::size_t>(t);
    const TradeConfig& trade = config_.trades[i];
    if (active_[i] == 0 || tilted_.is_tilted(t) || setup_.is_certain[i] != 0 || meets_targets(t))
      continue;
    if (can_be_tilted(config_, trade) && is_tilt_candidate(trade, current_[i]))
      candidates.push_back({t, untilted_estimate(trade, current_[i])});
  }
  return candidates;
}

void PricingModule::tilt_trades(Index done) {
  const std::vector<Index> trades = tilted_.choose(tilt_candidates());
  if (trades.empty()) return;
  for (const Index t : trades) sums_.reset(t);
  simulate(sources(trades), 0, done);
  for (const Index t : trades) current_[static_cast<std::size_t>(t)] = estimate(t);
}

PriceEstimate PricingModule::estimate(Index trade) const {
  const auto i = static_cast<std::size_t>(trade);
  static const TradeSetup without_control;
  if (failed_[i] != 0) {
    PriceEstimate none;
    none.price = none.standard_error = none.half_width = std::numeric_limits<double>::quiet_NaN();
    return none;
  }
  return estimate_price(sums_.of_trade(trade),
                        tilted_.is_tilted(trade) ? without_control : setup_.simulation.trades[i],
                        config_.trades[i].quantity, config_.options.confidence,
                        setup_.is_certain[i] != 0);
}

bool PricingModule::update(Index trade) {
  const auto i = static_cast<std::size_t>(trade);
  current_[i] = estimate(trade);
  if (std::isfinite(current_[i].price)) return true;
  if (config_.options.on_error == OnError::skip) return false;
  throw NumericalError(fmt::format(
      "trade `{}`: its price is not a finite number, though its payoffs are; check its quantity "
      "({:g}), or leave such trades out with on_error = \"skip\"",
      excerpt(config_.trades[i].id), config_.trades[i].quantity));
}

Module::Evaluation PricingModule::evaluate(Index done) {
  Evaluation result;
  if (!tilted_.are_chosen()) {
    update_estimates();
    tilt_trades(done);
  }
  for (Index t = 0; t < trade_count(); ++t) {
    const auto i = static_cast<std::size_t>(t);
    if (active_[i] != 0) {
      if (!update(t)) {
        exclude(t);
        continue;
      }
      const PriceEstimate& e = current_[i];
      history_.push_back({t, e.samples, e.price, e.standard_error});
      if (meets_targets(t)) converged_[i] = 1;
    }
    const Estimate e = engine_estimate(t);
    if (e.is_judged) result.add(e, targets(t));
  }
  if (has_total_target()) {
    update_total();
    total_.has_converged = meets_total_target();
    add_total(result);
    choose_resting();
  }
  for (Index t = 0; t < trade_count(); ++t) {
    const auto i = static_cast<std::size_t>(t);
    active_[i] = failed_[i] == 0 && !rests(t) ? 1 : 0;
  }
  result.all_converged =
      (context_->stop.has_error_target() || has_trade_targets_ || has_total_target()) &&
      result.converged == result.judged;
  return result;
}

void PricingModule::update_estimates() {
  for (Index t = 0; t < trade_count(); ++t) current_[static_cast<std::size_t>(t)] = estimate(t);
  if (has_total_target()) update_total();
}

std::string PricingModule::health() {
  const std::vector<Index> not_finite = sums_.not_finite({0, trade_count()});
  if (not_finite.empty() && config_.options.on_error == OnError::stop) {
    const std::string greek = greeks_.not_finite();
    if (!greek.empty())
      return greek +
             ": a sample is not a finite number; check pricing.bumps, or leave such Greeks out "
             "with "
             "on_error = \"skip\"";
  }
  if (not_finite.empty()) return {};
  return fmt::format(
      "trade `{}`: a payoff is not a finite number; check the trade's amounts and its assets' "
      "rates "
      "and volatilities, use precision = \"double\", or leave such trades out with on_error = "
      "\"skip\"",
      excerpt(config_.trades[static_cast<std::size_t>(not_finite.front())].id));
}

Estimate PricingModule::engine_estimate(Index trade) const {
  const auto i = static_cast<std::size_t>(trade);
  Estimate e;
  e.name = config_.trades[i].id;
  e.mean = current_[i].price;
  e.standard_error = current_[i].standard_error;
  e.count = current_[i].samples;
  e.unit = "currency";
  e.converged = converged_[i] != 0;
  e.degrees_of_freedom = setup_.simulation.replicates - 1;
  // Without any target the estimates are judged, so that the end of the run names the worst one.
  e.is_judged = targets(trade).has_error_target() || (!has_total_target() && !has_trade_targets_);
  return e;
}

StopRule PricingModule::targets(Index trade) const {
  StopRule rule = context_->stop;
  const double own = config_.trades[static_cast<std::size_t>(trade)].target_error;
  if (own > 0) {
    rule.absolute_error = own;
    rule.relative_error = 0;
  }
  return rule;
}

RunLimits PricingModule::limits(Index trade) const {
  return {targets(trade), schedule_.total() * setup_.simulation.block_samples};
}

TradeState PricingModule::state_of(Index trade) const {
  const auto i = static_cast<std::size_t>(trade);
  const TradeSetup& setup = setup_.simulation.trades[i];
  TradeState state{&config_.trades[i], &setup, &current_[i], setup_.is_certain[i] != 0, 0};
  state.has_converged = converged_[i] != 0;
  state.is_tilted = tilted_.is_tilted(trade);
  state.has_failed = failed_[i] != 0;
  if (!state.is_tilted) state.deviation = control_deviation(sums_.of_trade(trade), setup);
  return state;
}

std::vector<Estimate> PricingModule::estimates() const {
  std::vector<Estimate> list;
  for (Index t = 0; t < trade_count(); ++t) {
    list.push_back(engine_estimate(t));
    list.back().remark = remark(config_, limits(t), state_of(t));
  }
  if (has_total_target()) list.push_back(total_estimate());
  return list;
}

void PricingModule::save(DatasetWriter& writer) const {
  save_policies(config_, writer);
  sums_.save(writer, "sums", {0, trade_count()});
  writer.write("trades/active", active_);
  writer.write("trades/converged", converged_);
  writer.write("trades/failed", failed_);
  if (has_total_target()) {
    writer.write("trades/resting", resting_);
    writer.write("sums/total_converged",
                 std::vector<std::uint8_t>{std::uint8_t{total_.has_converged}});
    sums_.save_batches(writer, "sums");
  }
  tilted_.save(writer);
  if (!greeks_.empty()) sums_.save(writer, "greeks/sums", greeks_.range());
  write_history(writer);
}

void PricingModule::restore(DatasetReader& reader) {
  restore_policies(config_, reader);
  start();
  sums_.restore(reader, "sums", {0, trade_count()});
  active_ = reader.read<std::uint8_t>("trades/active");
  converged_ = reader.read<std::uint8_t>("trades/converged");
  failed_ = reader.read<std::uint8_t>("trades/failed");
  if (has_total_target()) {
    resting_ = reader.read<std::uint8_t>("trades/resting");
    total_.has_converged = reader.read<std::uint8_t>("sums/total_converged").at(0) != 0;
    sums_.restore_batches(reader, "sums");
  }
  tilted_.restore(reader);
  if (!greeks_.empty()) sums_.restore(reader, "greeks/sums", greeks_.range());
  const std::size_t n = config_.trades.size();
  if (active_.size() != n || converged_.size() != n || failed_.size() != n || resting_.size() != n)
    throw IoError("checkpoint: trades/active does not hold one entry per trade of this run");
  const auto trades = reader.read<std::int64_t>("history/trade");
  const auto samples = reader.read<std::int64_t>("history/samples");
  const auto prices = reader.read<double>("history/price");
  const auto errors = reader.read<double>("history/standard_error");
  for (std::size_t k = 0; k < trades.size(); ++k)
    history_.push_back({trades[k], samples.at(k), prices.at(k), errors.at(k)});
  update_estimates();
}

// A trade that met the former targets but misses the new ones prevents the continuation: it has
// taken no samples since the evaluation at which it met the former ones.
std::string PricingModule::tighten_targets(bool was_evaluated) {
  if (has_total_target() && !history_.empty())
    return "with pricing.total_error, the former targets decided which trades were sampled";
  if (was_evaluated && std::count(failed_.begin(), failed_.end(), 1) > 0)
    return "trades were excluded because of numbers that are not finite, and the state before the "
           "last "
           "evaluation is not known";
  Index last = 0;
  for (const HistoryEntry& entry : history_) last = std::max(last, entry.samples);
  while (was_evaluated && !history_.empty() && history_.back().samples == last) {
    const auto i = static_cast<std::size_t>(history_.back().trade);
    converged_[i] = 0;
    active_[i] = 1;
    history_.pop_back();
  }
  if (history_.empty()) tilted_.request_choice();
  for (Index t = 0; t < trade_count(); ++t) {
    const auto i = static_cast<std::size_t>(t);
    if (converged_[i] != 0 && !targets(t).converged(engine_estimate(t)))
      return fmt::format(
          "trade `{}` met the former targets after {} samples, and was not sampled after that",
          excerpt(config_.trades[i].id), current_[i].samples);
  }
  return {};
}

/// Generated by the build (GsimBuiltinParts.cmake).
void register_builtin_conformance(Registry& registry);

}  // namespace gsim::pricing

namespace gsim {
void register_pricing_module(Registry& registry) {
  pricing::register_builtin_conformance(registry);
  pricing::register_builtin_payoffs(registry);
  pricing::register_builtin_path_models(registry);
  pricing::register_multilevel_module(registry);
  registry.add({"pricing", "option portfolios by Monte Carlo", [](const Registry& parts) {
                  return std::make_unique<pricing::PricingModule>(
                      parts.all<pricing::PayoffKind>(), parts.all<pricing::PathModelKind>());
                }});
}
}  // namespace gsim
