#include "src/modules/pricing/multilevel/multilevel_module.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/random/sobol_directions.hpp"
#include "src/modules/pricing/checks/portfolio_input.hpp"
#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {
namespace {

constexpr Index first_levels = 3;
constexpr Index default_samples = Index{1} << 32;
constexpr std::size_t doubles = sizeof(LevelSums) / sizeof(double);

/// A node of a merge stack with its place, as exchanged between ranks.
struct PackedLevel {
  std::int64_t trade, level, replicate, node_level, index;
  LevelSums value;
};

}  // namespace

void MultilevelModule::describe(Section& top) {
  describe_pricing(top, config_, payoffs_, models_);
  describe_multilevel(top, config_, options_);
}

WorkPlan MultilevelModule::plan(const Context& context) {
  context_ = std::make_unique<Context>(context);
  GSIM_VALIDATE(!context.executor.is_cuda(),
                "device: the module multilevel runs on processors only, not on GPUs",
                "set device = \"cpu\" in the configuration, or give --device cpu");
  GSIM_VALIDATE(context.arithmetic == Arithmetic::strict,
                "arithmetic: the module multilevel computes with strict arithmetic only",
                "leave it out, or set arithmetic = \"strict\"");
  GSIM_VALIDATE(!context.stop.has_error_target(),
                "stop.relative_error and stop.absolute_error: the module multilevel has its own "
                "target, for the root-mean-square error",
                "leave them out, and set multilevel.target");
  const bool has_points = config_.options.sampling == Sampling::sobol;
  const Index finest = steps_of(options_, options_.levels - 1);
  GSIM_VALIDATE(
      !has_points || 2 * finest <= sobol_max_dimensions,
      fmt::format("the finest level has {} steps, and Sobol points have {} dimensions, two "
                  "of a step",
                  finest, sobol_max_dimensions),
      "lower multilevel.levels");
  PricingSetup setup = set_up_paths(config_, Arithmetic::strict, context.seed);
  try_trade_setups(config_, setup);
  const Index block = level_block_samples(config_.options);
  const Index samples = context.stop.max_samples > 0 ? context.stop.max_samples : default_samples;
  total_units_ = std::max((samples + block - 1) / block,
                          trade_count() * first_levels * first_blocks(replicates(), block));
  const Index limit = (samples + block - 1) / block;
  if (total_units_ > limit && context.warn)
    context.warn(fmt::format(
        "stop.samples = {} is raised to {}: {} blocks of {} samples for each of the first levels "
        "of every trade",
        samples, total_units_ * block, first_blocks(replicates(), block), block));
  if (context.warn)
    for (const std::string& line : unused_options(config_.options)) context.warn(line);
  WorkPlan plan;
  plan.unit_name = "block";
  plan.estimate_name = "trade";
  plan.total_units = total_units_;
  plan.summary =
      fmt::format("{} trade{}, root-mean-square error {:g}, {}{} times the steps per level",
                  trade_count(), trade_count() == 1 ? "" : "s", options_.target,
                  has_points ? "Sobol points, " : "", options_.refinement);
  plan.item_name = "samples";
  plan.items_per_unit = static_cast<double>(block);
  plan.samples_per_unit = block;
  plan.units_at_once = Index{context.planned_ranks()} * context.executor.threads();
  plan.has_own_targets = true;
  constexpr double process_bytes = 28e6, trade_bytes = 4000, run_bytes = 70e6;
  plan.bytes_per_rank = process_bytes + run_bytes +
                        static_cast<double>(trade_count()) *
                            (trade_bytes + static_cast<double>(options_.levels * replicates()) *
                                               (3.0 * sizeof(Stack::Node) * 20));
  plan.notes.push_back(fmt::format("at most {} levels, of {} to {} steps", options_.levels,
                                   options_.first_steps, finest));
  // The steps of the finest level are those that limit what the models can be.
  double end = 0;
  for (const TradeConfig& t : config_.trades) end = std::max(end, t.maturity);
  setup.simulation.grid.times.clear();
  for (Index k = 1; k <= finest; ++k)
    setup.simulation.grid.times.push_back(end * static_cast<double>(k) /
                                          static_cast<double>(finest));
  report_doubtful_input(config_, setup, {total_units_ * block, "stop.samples"}, context, {}, plan);
  return plan;
}

void MultilevelModule::prepare() {
  trades_.assign(config_.trades.size(), {});
  find_certain_trades();
  round_begin_ = 0;
  round_.clear();
  for (Index t = 0; t < trade_count(); ++t) {
    const Index levels = std::min(first_levels, 1 + finest_level(options_, config_, trade(t)));
    for (Index l = 0; l < levels; ++l)
      add_to_round(t, l, first_blocks(replicates(), level_block_samples(config_.options)));
  }
}

void MultilevelModule::find_certain_trades() {
  const PricingSetup setup = set_up(config_, Arithmetic::strict, context_->seed);
  for (std::size_t t = 0; t < trades_.size(); ++t) trades_[t].is_certain = setup.is_certain[t] != 0;
}

void MultilevelModule::add_to_round(Index t, Index level, Index blocks) {
  std::vector<LevelState>& levels = trades_[static_cast<std::size_t>(t)].levels;
  if (static_cast<Index>(levels.size()) <= level) {
    levels.push_back({});
    levels.back().replicates.resize(static_cast<std::size_t>(replicates()));
  }
  LevelState& state = levels[static_cast<std::size_t>(level)];
  round_.push_back({t, level, {state.blocks, state.blocks + blocks}});
  state.blocks += blocks;
}

Index MultilevelModule::round_end() const {
  Index end = round_begin_;
  for (const PlannedBlocks& p : round_) end += p.blocks.size();
  return end;
}

Index MultilevelModule::next_evaluation(Index done) const {
  if (done < round_begin_) return round_begin_;
  const Index end = round_end();
  return done < end ? std::min(end, total_units_) : total_units_;
}

std::vector<MultilevelModule::PlannedBlocks> MultilevelModule::part_of_round(
    IndexRange units) const {
  std::vector<PlannedBlocks> part;
  Index at = round_begin_;
  for (const PlannedBlocks& p : round_) {
    const Index first = std::max(units.first, at),
                last = std::min(units.last, at + p.blocks.size());
    if (first < last)
      part.push_back({p.trade, p.level, {p.blocks.first + first - at, p.blocks.first + last - at}});
    at += p.blocks.size();
  }
  return part;
}

Index MultilevelModule::work_of_block(const PlannedBlocks& planned) const {
  return static_cast<Index>(level_cost(options_, config_, trade(planned.trade), planned.level));
}

Index MultilevelModule::work_of(std::span<const PlannedBlocks> parts) const {
  Index work = 0;
  for (const PlannedBlocks& p : parts) work += p.blocks.size() * work_of_block(p);
  return work;
}

std::vector<MultilevelModule::PlannedBlocks> MultilevelModule::part_of_rank(
    IndexRange units) const {
  const std::vector<PlannedBlocks> parts = part_of_round(units);
  // The number of blocks at least half of whose work is before `end`.
  const auto blocks_before = [&](Index end) {
    Index blocks = 0, begin = 0;
    for (const PlannedBlocks& p : parts) {
      const Index work = work_of_block(p);
      const Index before = (2 * std::max<Index>(end - begin, 0) + work) / (2 * work);
      blocks += std::min(before, p.blocks.size());
      begin += p.blocks.size() * work;
    }
    return blocks;
  };
  const Communicator& ranks = context_->communicator;
  const IndexRange mine = shares_.divide(ranks, {0, work_of(parts)}).range(ranks.rank());
  return part_of_round(
      {units.first + blocks_before(mine.first), units.first + blocks_before(mine.last)});
}

void MultilevelModule::advance(Index first, Index count) {
  const Communicator& ranks = context_->communicator;
  const std::vector<PlannedBlocks> mine = part_of_rank({first, first + count});
  std::vector<PackedLevel> local;
  double seconds = 0;
  ranks.agree([&] {
    const RegionTimer::Scope simulating(context_->timer.get(), "paths");
    const Stopwatch stopwatch;
    for (const PlannedBlocks& p : mine) {
      LevelSamplerTables sampler(config_, options_, trade(p.trade), p.level, *context_);
      const std::vector<LevelSums> sums = sampler.run(p.blocks);
      std::vector<Stack> stacks(static_cast<std::size_t>(replicates()));
      for (Index b = p.blocks.first; b < p.blocks.last; ++b)
        stacks[static_cast<std::size_t>(b % replicates())].push_block(
            b / replicates(), sums[static_cast<std::size_t>(b - p.blocks.first)]);
      for (std::size_t r = 0; r < stacks.size(); ++r)
        for (const Stack::Node& n : stacks[r].nodes())
          local.push_back(
              {p.trade, p.level, static_cast<std::int64_t>(r), n.level, n.index, n.value});
    }
    seconds = stopwatch.seconds();
  });
  shares_.measure(ranks, work_of(mine), seconds);
  const RegionTimer::Scope reducing(context_->timer.get(), "reduce");
  for (const PackedLevel& n : ranks.allgather<PackedLevel>(local))
    trades_[static_cast<std::size_t>(n.trade)]
        .levels[static_cast<std::size_t>(n.level)]
        .replicates[static_cast<std::size_t>(n.replicate)]
        .push({static_cast<int>(n.node_level), n.index, n.value});
}

Level MultilevelModule::level_of(Index t, std::size_t level) const {
  const TradeState& state = trades_[static_cast<std::size_t>(t)];
  const auto l = static_cast<Index>(level);
  return {{},
          level_cost(options_, config_, trade(t), l),
          state.levels[level].blocks,
          state.is_certain || has_certain_level(options_, config_, trade(t), l)};
}

void MultilevelModule::update(Index t) {
  TradeState& state = trades_[static_cast<std::size_t>(t)];
  std::vector<Level> levels;
  for (std::size_t l = 0; l < state.levels.size(); ++l) {
    Level level = level_of(t, l);
    for (const Stack& s : state.levels[l].replicates)
      if (!s.empty()) level.replicates.push_back(s.total());
    // A run that stops within a round may have planned a level of which it has too few samples.
    if (static_cast<Index>(level.replicates.size()) < std::min<Index>(2, replicates())) break;
    levels.push_back(std::move(level));
  }
  if (levels.empty()) return;
  const auto last = static_cast<Index>(levels.size()) - 1;
  state.estimate =
      estimate_levels(levels, options_.refinement, has_no_bias(options_, config_, trade(t), last));
}

void MultilevelModule::update_estimates() {
  for (Index t = 0; t < trade_count(); ++t) update(t);
}

Module::Evaluation MultilevelModule::evaluate(Index done) {
  Evaluation result;
  // The end of a run may lie within a round.
  const bool is_end_of_round = done == round_end();
  if (is_end_of_round) {
    round_begin_ = done;
    round_.clear();
  }
  for (Index t = 0; t < trade_count(); ++t) {
    TradeState& state = trades_[static_cast<std::size_t>(t)];
    const double target = target_of(options_, trade(t));
    update(t);
    const double quantity = std::fabs(trade(t).quantity);
    if (quantity == 0) state.has_converged = true;
    if (is_end_of_round && !state.has_converged && !state.is_at_finest) {
      std::vector<Level> levels;
      for (std::size_t l = 0; l < state.levels.size(); ++l) {
        Level level = level_of(t, l);
        level.replicates.resize(static_cast<std::size_t>(replicates()));
        levels.push_back(std::move(level));
      }
      const NextSamples next = next_samples(
          levels, state.estimate, target / quantity, options_.refinement,
          level_block_samples(config_.options), finest_level(options_, config_, trade(t)));
      state.has_converged = next.has_converged;
      state.is_at_finest = next.is_at_finest;
      for (std::size_t l = 0; l < next.blocks.size(); ++l)
        if (next.blocks[l] > 0) add_to_round(t, static_cast<Index>(l), next.blocks[l]);
    }
    StopRule rule;
    rule.absolute_error = target;
    const double error = quantity * state.estimate.rms_error;
    result.add(trade(t).id, error / std::fabs(trade(t).quantity * state.estimate.value), error,
               rule, state.has_converged);
  }
  result.all_converged = result.converged == result.judged;
  return result;
}

std::string MultilevelModule::health() {
  for (Index t = 0; t < trade_count(); ++t)
    for (const LevelState& level : trades_[static_cast<std::size_t>(t)].levels)
      for (const Stack& s : level.replicates)
        for (const Stack::Node& n : s.nodes())
          if (!std::isfinite(n.value.mean + n.value.m2 + n.value.fine_m2))
            return fmt::format(
                "trade `{}`: a payoff is not a finite number; check the trade's amounts and its "
                "asset's rates and volatilities",
                excerpt(trade(t).id));
  return {};
}

std::vector<Estimate> MultilevelModule::estimates() const {
  std::vector<Estimate> list;
  for (Index t = 0; t < trade_count(); ++t) {
    const TradeState& state = trades_[static_cast<std::size_t>(t)];
    Estimate e;
    e.name = trade(t).id;
    e.unit = "currency";
    if (!state.estimate.levels.empty()) {
      e.mean = trade(t).quantity * state.estimate.value;
      e.standard_error = std::fabs(trade(t).quantity) * state.estimate.standard_error;
    }
    for (const LevelDiagnostics& d : state.estimate.levels) e.count += d.samples;
    e.converged = state.has_converged;
    e.degrees_of_freedom = replicates() - 1;
    e.remark = fmt::format("remaining bias about {:.2g}",
                           std::fabs(trade(t).quantity) * state.estimate.bias);
    if (std::isnan(e.standard_error))
      e.remark =
          "all samples of a level have the same payoff, so that the error is unknown; price it "
          "with module = \"pricing\", which has importance sampling";
    else if (state.is_at_finest)
      e.remark += "; the bias may exceed its part of the target: raise multilevel.levels";
    list.push_back(std::move(e));
  }
  return list;
}

void MultilevelModule::save(DatasetWriter& w) const {
  std::vector<std::int64_t> nodes, levels, round;
  std::vector<double> values;
  for (Index t = 0; t < trade_count(); ++t) {
    const TradeState& state = trades_[static_cast<std::size_t>(t)];
    for (std::size_t l = 0; l < state.levels.size(); ++l) {
      levels.insert(levels.end(), {t, static_cast<Index>(l), state.levels[l].blocks});
      for (std::size_t r = 0; r < state.levels[l].replicates.size(); ++r)
        for (const Stack::Node& n : state.levels[l].replicates[r].nodes()) {
          nodes.insert(nodes.end(),
                       {t, static_cast<Index>(l), static_cast<Index>(r), n.level, n.index});
          const auto list = std::bit_cast<std::array<double, doubles>>(n.value);
          values.insert(values.end(), list.begin(), list.end());
        }
    }
  }
  for (const PlannedBlocks& p : round_)
    round.insert(round.end(), {p.trade, p.level, p.blocks.first, p.blocks.last});
  std::vector<std::uint8_t> converged, at_finest;
  for (const TradeState& state : trades_) {
    converged.push_back(state.has_converged ? 1 : 0);
    at_finest.push_back(state.is_at_finest ? 1 : 0);
  }
  w.write("multilevel/level", levels, 3);
  w.write("multilevel/node", nodes, 5);
  w.write("multilevel/value", values, doubles);
  w.write("multilevel/round", round, 4);
  w.write("multilevel/round_begin", std::vector<std::int64_t>{round_begin_});
  w.write("multilevel/converged", converged);
  w.write("multilevel/at_finest", at_finest);
}

void MultilevelModule::restore(DatasetReader& r) {
  trades_.assign(config_.trades.size(), {});
  find_certain_trades();
  round_.clear();
  const auto check = [](bool holds) {
    if (!holds)
      throw IoError("checkpoint: the datasets of multilevel/ are not those of this run's trades");
  };
  const auto levels = r.read<std::int64_t>("multilevel/level");
  for (std::size_t i = 0; i + 3 <= levels.size(); i += 3) {
    check(levels[i] >= 0 && levels[i] < trade_count());
    LevelState state;
    state.replicates.resize(static_cast<std::size_t>(replicates()));
    state.blocks = levels[i + 2];
    trades_[static_cast<std::size_t>(levels[i])].levels.push_back(std::move(state));
  }
  const auto nodes = r.read<std::int64_t>("multilevel/node");
  const auto values = r.read<double>("multilevel/value");
  check(nodes.size() / 5 == values.size() / doubles);
  for (std::size_t i = 0; i < nodes.size() / 5; ++i) {
    const std::int64_t* n = &nodes[5 * i];
    check(n[0] >= 0 && n[0] < trade_count());
    auto& of_trade = trades_[static_cast<std::size_t>(n[0])].levels;
    check(n[1] >= 0 && n[1] < static_cast<Index>(of_trade.size()) && n[2] >= 0 &&
          n[2] < replicates());
    std::array<double, doubles> list;
    std::copy_n(&values[doubles * i], doubles, list.begin());
    of_trade[static_cast<std::size_t>(n[1])]
        .replicates[static_cast<std::size_t>(n[2])]
        .nodes()
        .push_back({static_cast<int>(n[3]), n[4], std::bit_cast<LevelSums>(list)});
  }
  const auto round = r.read<std::int64_t>("multilevel/round");
  for (std::size_t i = 0; i + 4 <= round.size(); i += 4) {
    check(round[i] >= 0 && round[i] < trade_count() && round[i + 1] >= 0 &&
          round[i + 1] <
              static_cast<Index>(trades_[static_cast<std::size_t>(round[i])].levels.size()));
    round_.push_back({round[i], round[i + 1], {round[i + 2], round[i + 3]}});
  }
  round_begin_ = r.read<std::int64_t>("multilevel/round_begin").at(0);
  const auto converged = r.read<std::uint8_t>("multilevel/converged");
  const auto at_finest = r.read<std::uint8_t>("multilevel/at_finest");
  check(converged.size() == trades_.size() && at_finest.size() == trades_.size());
  for (std::size_t t = 0; t < trades_.size(); ++t) {
    trades_[t].has_converged = converged[t] != 0;
    trades_[t].is_at_finest = at_finest[t] != 0;
  }
  update_estimates();
}

void register_multilevel_module(Registry& registry) {
  registry.add({"multilevel", "options by multilevel Monte Carlo, with Sobol points too",
                [](const Registry& parts) {
                  return std::make_unique<MultilevelModule>(parts.all<PayoffKind>(),
                                                            parts.all<PathModelKind>());
                }});
}

}  // namespace gsim::pricing
