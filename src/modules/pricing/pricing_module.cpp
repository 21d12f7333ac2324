#include "pricing_module.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/log.hpp"
#include "gsim/modules/pricing.hpp"
#include "limits.hpp"
#include "memory_forecast.hpp"
#include "sampling_risks.hpp"

namespace gsim::pricing {
namespace {

// Without a limit of the user's: enough for 1e-3 of most prices, and an end.
constexpr Index default_samples = Index{1} << 24;

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

double path_steps_per_block(const Simulation& s) {
  return static_cast<double>(s.block_samples) * (s.antithetic ? 2 : 1) *
         static_cast<double>(s.assets.size()) * static_cast<double>(s.grid.times.size());
}

// A set of points is whole in every scrambling: less than one set cannot be sampled.
void note_sobol(const Context& context, const Simulation& s, WorkPlan& plan) {
  plan.notes.push_back(fmt::format("Sobol points, {} independent scramblings of {} dimensions",
                                   s.replicates, sobol_dimensions(s)));
  const Index least = s.replicates * s.block_samples;
  if (context.stop.max_samples <= 0 || context.stop.max_samples >= least || !context.warn) return;
  context.warn(
      fmt::format("stop.samples = {} is rounded up to {}: one block of {} points in each of "
                  "pricing.replicates = {} scramblings",
                  context.stop.max_samples, least, s.block_samples, s.replicates));
}

}  // namespace

void PricingModule::configure(Section& top) { describe_pricing(top, config_, payoffs_, models_); }

WorkPlan PricingModule::plan(const Context& context) {
  context_ = std::make_unique<Context>(context);
  const Index samples = context.stop.max_samples > 0 ? context.stop.max_samples : default_samples;
  check_samples(config_.options, samples);
  setup_ = set_up(config_, context.arithmetic, context.seed);
  const Simulation& s = setup_.simulation;
  check_limits(config_, setup_);
  schedule_ = {(samples + s.block_samples - 1) / s.block_samples, s.sampling, s.replicates};

  WorkPlan plan;
  plan.unit_name = "block";
  plan.total_units = schedule_.total();
  plan.summary = fmt::format("{}, {}, {}", counted(config_.trades.size(), "trade", "trades"),
                             counted(s.assets.size(), "asset", "assets"),
                             counted(static_cast<std::size_t>(s.grid.records), "date", "dates"));
  plan.rate_name = "path-steps";
  plan.rate_per_unit = path_steps_per_block(s);
  plan.samples_per_unit = s.block_samples;
  plan.bytes_per_rank = memory_forecast(s, context.executor, schedule_);
  plan.notes.push_back(fmt::format("{} a path, at most {} samples a trade, {} a block",
                                   counted(s.grid.times.size(), "time step", "time steps"),
                                   schedule_.total() * s.block_samples, s.block_samples));
  if (s.sampling == Sampling::sobol) note_sobol(context, s, plan);
  for (const std::string& risk :
       sampling_risks(config_, setup_, schedule_.total() * s.block_samples))
    if (context.warn) context.warn(risk);
  for (const std::string& warning : config_.market.warnings)
    if (context.warn) context.warn(warning);
  for (const SkippedTrade& t : config_.skipped) {
    plan.notes.push_back(fmt::format("skipped: {}", t.reason));
    plan.skipped.push_back({t.id, t.reason});
  }
  if (!config_.skipped.empty() && context.warn)
    context.warn(fmt::format("{} skipped because of bad data; the results list them",
                             counted(config_.skipped.size(), "trade is", "trades are")));
  return plan;
}

void PricingModule::prepare() {
  const auto n = config_.trades.size();
  sums_ = SampleSums(trade_count(), setup_.simulation.replicates);
  active_.assign(n, 1);
  converged_.assign(n, 0);
  current_.assign(n, estimate_price({}, {}, 1, config_.options.confidence));
  history_.clear();
}

PathEngine& PricingModule::engine() {
  if (!engine_) engine_ = std::make_unique<PathEngine>(context_->executor, setup_.simulation);
  return *engine_;
}

void PricingModule::advance(Index first, Index count) {
  if (config_.trades.empty()) return;
  sums_.advance(engine(), context_->communicator, first, count, active_, context_->timer.get());
}

PriceEstimate PricingModule::estimate(Index trade) const {
  const auto i = static_cast<std::size_t>(trade);
  return estimate_price(sums_.of_trade(trade), setup_.simulation.trades[i],
                        config_.trades[i].quantity, config_.options.confidence,
                        setup_.is_certain[i] != 0);
}

Module::Evaluation PricingModule::evaluate(Index) {
  Evaluation result;
  result.all_converged = context_->stop.has_error_target();
  for (Index t = 0; t < trade_count(); ++t) {
    const auto i = static_cast<std::size_t>(t);
    if (active_[i] == 0) continue;
    current_[i] = estimate(t);
    const PriceEstimate& e = current_[i];
    history_.push_back({t, e.samples, e.price, e.standard_error});
    // Never by an error that is unknown: it is NaN, and meets no target.
    if (context_->stop.converged(named(t))) {
      converged_[i] = 1;
      active_[i] = 0;
      continue;
    }
    result.all_converged = false;
    const double error =
        std::isnan(e.standard_error) ? std::numeric_limits<double>::infinity() : e.standard_error;
    result.worst_absolute_error = std::max(result.worst_absolute_error, error);
    if (e.price != 0)
      result.worst_relative_error =
          std::max(result.worst_relative_error, error / std::fabs(e.price));
  }
  return result;
}

void PricingModule::update_estimates() {
  for (Index t = 0; t < trade_count(); ++t) current_[static_cast<std::size_t>(t)] = estimate(t);
}

std::string PricingModule::health() {
  const Index bad = sums_.first_not_finite();
  if (bad < 0) return {};
  return fmt::format("trade `{}`: a payoff is not a finite number",
                     shown(config_.trades[static_cast<std::size_t>(bad)].id));
}

Estimate PricingModule::named(Index trade) const {
  const auto i = static_cast<std::size_t>(trade);
  Estimate e;
  e.name = config_.trades[i].id;
  e.mean = current_[i].price;
  e.standard_error = current_[i].standard_error;
  e.count = current_[i].samples;
  e.unit = "currency";
  e.converged = converged_[i] != 0;
  e.degrees = setup_.simulation.replicates - 1;
  return e;
}

TradeState PricingModule::state_of(Index trade) const {
  const auto i = static_cast<std::size_t>(trade);
  const TradeProgram& program = setup_.simulation.trades[i];
  return {&config_.trades[i], &program, &current_[i], setup_.is_certain[i] != 0,
          control_deviation(sums_.of_trade(trade), program)};
}

std::vector<Estimate> PricingModule::estimates() const {
  std::vector<Estimate> list;
  for (Index t = 0; t < trade_count(); ++t) {
    list.push_back(named(t));
    list.back().remark = remark(config_, state_of(t));
  }
  return list;
}

void PricingModule::save(DatasetWriter& writer) const {
  sums_.save(writer);
  writer.write("trades/active", active_);
  writer.write("trades/converged", converged_);
  write_history(writer);
}

void PricingModule::restore(DatasetReader& reader) {
  prepare();
  sums_.restore(reader);
  active_ = reader.read<std::uint8_t>("trades/active");
  converged_ = reader.read<std::uint8_t>("trades/converged");
  if (active_.size() != config_.trades.size() || converged_.size() != active_.size())
    throw IoError("checkpoint: trades/active does not hold one entry per trade of this run");
  const auto trades = reader.read<std::int64_t>("history/trade");
  const auto samples = reader.read<std::int64_t>("history/samples");
  const auto prices = reader.read<double>("history/price");
  const auto errors = reader.read<double>("history/standard_error");
  for (std::size_t k = 0; k < trades.size(); ++k)
    history_.push_back({trades[k], samples.at(k), prices.at(k), errors.at(k)});
  update_estimates();
}

}  // namespace gsim::pricing

namespace gsim {
std::unique_ptr<Module> make_pricing_module() { return std::make_unique<pricing::PricingModule>(); }

void register_pricing_module(Registry& registry) {
  registry.add({"pricing", "option portfolios by Monte Carlo", [](const Registry& all) {
                  return std::make_unique<pricing::PricingModule>(
                      all.all<pricing::PayoffKind>(), all.all<pricing::PathModelKind>());
                }});
}
}  // namespace gsim
