#include "src/modules/pricing/greeks/greeks_engine.hpp"

#include <algorithm>
#include <cmath>

#include "gsim/core/error.hpp"
#include "gsim/exec/array.hpp"
#include "kernels/pricing/greeks/greek_scratch.hpp"
#include "src/modules/pricing/greeks/bumped_simulation.hpp"
#include "src/modules/pricing/greeks/derived_tiles.hpp"
#include "src/modules/pricing/greeks/smoothing.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {
using namespace pricing_kernels;
namespace {

using T = double;  // Greeks are differences, which float paths would not resolve

/// Host: the tiles fit a 1 MiB second-level cache. The samples of the market's own payoffs are read
/// once per stencil, in order, and count for a sixteenth.
constexpr Index host_tile_bytes = Index{384} << 10;
/// CUDA: limits for the tiles together, and for the samples of trades.
constexpr Index cuda_tile_bytes = Index{1} << 30, cuda_sample_bytes = Index{512} << 20;
constexpr Index cuda_tile_samples = Index{1} << 20;
/// Largest number of blocks of a job.
constexpr Index blocks_per_job = 1 << 12;

Index position_of(const std::vector<Index>& trades, Index trade) {
  return std::lower_bound(trades.begin(), trades.end(), trade) - trades.begin();
}

/// One simulation in the executor's memory.
struct Point {
  PathTables<T> tables;
  Array<std::int32_t> active;
  std::vector<LaunchedTrade<T>> launched;
  Array<std::int32_t> derived_row;  ///< empty: the paths are simulated
  Array<double> derived_scale, derived_shift;

  Point(const Executor& executor, const Simulation& simulation, const DerivedRows& derived = {})
      : tables(executor, simulation),
        active(executor, 0),
        derived_row(executor, std::span<const std::int32_t>(derived.row)),
        derived_scale(executor, std::span<const double>(derived.scale)),
        derived_shift(executor, std::span<const double>(derived.shift)) {}

  DerivedTile<T> derived() const {
    return {derived_row.size(), derived_row.view().data, derived_scale.view().data,
            derived_shift.view().data};
  }

  /// The job for the trades in `list`, without blocks and memory.
  PathJob<T> job(const Executor& executor, const std::vector<std::int32_t>& list,
                 Index block_samples, Index tile_samples) {
    active = Array<std::int32_t>(executor, std::span<const std::int32_t>(list));
    launched.clear();
    for (LaunchedTrade<T> l : tables.launched()) {
      const auto at = std::lower_bound(list.begin(), list.end(), l.position);
      if (at == list.end() || *at != l.position) continue;
      l.position = at - list.begin();
      launched.push_back(l);
    }
    PathJob<T> job{};
    job.paths = tables.paths();
    job.trade = tables.trades();
    job.models = tables.models().data();
    job.launched_models = static_cast<Index>(tables.models().size());
    job.active = active.view().data;
    job.active_trades = static_cast<Index>(list.size());
    job.launched = launched.data();
    job.launched_trades = static_cast<Index>(launched.size());
    job.block_samples = block_samples;
    job.tile_samples = tile_samples;
    return job;
  }
};

/// The active rows of a stencil, in executor memory.
struct ActiveStencil {
  std::vector<std::int32_t> entries, base, entry_of_row, first_row;
  std::vector<GreekRow> rows;
  std::vector<Index> greeks;  ///< of the rows
  Array<std::int32_t> base_memory, entry_memory;
  Array<GreekRow> row_memory;

  explicit ActiveStencil(const Executor& executor)
      : base_memory(executor, 0), entry_memory(executor, 0), row_memory(executor, 0) {}

  void select(const Executor& executor, const PlannedStencil& stencil,
              const std::vector<Index>& base_trades, std::span<const std::uint8_t> active,
              std::vector<std::uint8_t>& is_base_active) {
    for (std::vector<std::int32_t>* list : {&entries, &base, &entry_of_row, &first_row})
      list->clear();
    rows.clear();
    greeks.clear();
    for (std::size_t e = 0; e < stencil.entries.size(); ++e) {
      const std::size_t before = rows.size();
      for (const PlannedRow& planned : stencil.entries[e].rows) {
        if (active[static_cast<std::size_t>(planned.greek)] == 0) continue;
        GreekRow row{};
        std::copy(planned.coefficient.begin(), planned.coefficient.end(), row.coefficient);
        rows.push_back(row);
        greeks.push_back(planned.greek);
        entry_of_row.push_back(static_cast<std::int32_t>(entries.size()));
      }
      if (rows.size() == before) continue;
      const Index at = position_of(base_trades, stencil.entries[e].trade);
      entries.push_back(static_cast<std::int32_t>(e));
      base.push_back(static_cast<std::int32_t>(at));
      first_row.push_back(static_cast<std::int32_t>(before));
      is_base_active[static_cast<std::size_t>(at)] = 1;
    }
    first_row.push_back(static_cast<std::int32_t>(rows.size()));
    entry_memory = Array<std::int32_t>(executor, std::span<const std::int32_t>(entry_of_row));
    row_memory = Array<GreekRow>(executor, std::span<const GreekRow>(rows));
  }
  /// Replaces positions among the trades of the base simulation by those among its active ones.
  void set_base(const Executor& executor, const std::vector<std::int32_t>& position) {
    for (std::int32_t& b : base) b = position[static_cast<std::size_t>(b)];
    base_memory = Array<std::int32_t>(executor, std::span<const std::int32_t>(base));
  }
};

class GreeksEngine final : public PathEngine {
 public:
  GreeksEngine(const Executor& executor, const GreekPlan& plan, const GreekSimulations& simulations)
      : executor_(executor),
        plan_(&plan),
        base_trades_(simulations.base_trades),
        arithmetic_(simulations.base.arithmetic),
        block_samples_(simulations.base.block_samples),
        base_(executor, simulations.base),
        scratch_(executor, 0) {
    for (std::size_t k = 0; k < simulations.points.size(); ++k) {
      stencils_.emplace_back();
      for (std::size_t p = 0; p < simulations.points[k].size(); ++p) {
        const Simulation& s = simulations.points[k][p];
        stencils_.back().push_back(std::make_unique<Point>(
            executor, s,
            plan.stencils[k].is_smoothed
                ? DerivedRows{}
                : derived_rows(simulations.base, s, plan.stencils[k].points[p])));
      }
      active_.emplace_back(executor);
    }
  }

  std::vector<BlockStatistics> run(IndexRange blocks,
                                   std::span<const std::uint8_t> active) override {
    const std::size_t greeks = plan_->greeks.size();
    GSIM_EXPECT(active.size() == greeks);
    if (selected_.empty() || !std::equal(active.begin(), active.end(), selected_.begin()))
      select(active);
    std::vector<BlockStatistics> all(static_cast<std::size_t>(blocks.size()) * greeks);
    for (Index first = blocks.first; first < blocks.last && job_.rows > 0;
         first += blocks_per_job) {
      const IndexRange part{first, std::min(first + blocks_per_job, blocks.last)};
      Array<BlockStatistics> results(executor_, part.size() * job_.rows);
      job_.blocks = part;
      job_.results = results.view().data;
      arithmetic_ == Arithmetic::strict ? run_greeks_f64_strict(executor_, job_)
                                        : run_greeks_f64_fast(executor_, job_);
      const std::vector<BlockStatistics> list = results.to_host();
      for (std::size_t k = 0; k < list.size(); ++k) {
        const auto block = static_cast<std::size_t>(first - blocks.first) + k / greek_of_.size();
        all[block * greeks + static_cast<std::size_t>(greek_of_[k % greek_of_.size()])] = list[k];
      }
    }
    return all;
  }

  bool uses_device() const override { return executor_.is_cuda(); }
  double path_steps_per_block() const override {
    const PathTable<T>& p = base_.tables.paths();
    double simulations = 1;
    for (const auto& points : stencils_) simulations += static_cast<double>(points.size());
    return simulations * static_cast<double>(block_samples_) * p.paths_per_sample *
           static_cast<double>(p.steps) * p.assets;
  }
  double bytes() const override {
    double sum = base_.tables.bytes() + static_cast<double>(scratch_.size());
    for (const auto& points : stencils_)
      for (const auto& point : points) sum += point->tables.bytes();
    return sum;
  }

 private:
  /// Builds the job for the active Greeks, and allocates its memory.
  void select(std::span<const std::uint8_t> active) {
    selected_.assign(active.begin(), active.end());
    std::vector<std::uint8_t> is_base_active(base_trades_.size());
    for (std::size_t k = 0; k < stencils_.size(); ++k)
      active_[k].select(executor_, plan_->stencils[k], base_trades_, active, is_base_active);
    std::vector<std::int32_t> base_list, position(base_trades_.size());
    for (std::size_t t = 0; t < base_trades_.size(); ++t) {
      position[t] = static_cast<std::int32_t>(base_list.size());
      if (is_base_active[t] != 0) base_list.push_back(static_cast<std::int32_t>(t));
    }
    job_ = {};
    greek_of_.clear();
    job_.slots = 1;
    for (std::size_t k = 0; k < stencils_.size(); ++k) {
      active_[k].set_base(executor_, position);
      if (active_[k].rows.empty()) continue;
      job_.slots = std::max(job_.slots, static_cast<std::int32_t>(1 + stencils_[k].size()));
    }
    plan_tile(static_cast<Index>(base_list.size()));
    job_.base = base_.job(executor_, base_list, block_samples_, job_.tile_samples);
    jobs_.clear();
    for (std::size_t k = 0; k < stencils_.size(); ++k)
      if (!active_[k].rows.empty()) add_stencil(k);
    job_.stencil = jobs_.data();
    job_.stencils = static_cast<Index>(jobs_.size());
    job_.rows = static_cast<Index>(greek_of_.size());
    allocate();
  }

  void add_stencil(std::size_t k) {
    const ActiveStencil& a = active_[k];
    GreekStencil<T> stencil{};
    stencil.points = static_cast<std::int32_t>(stencils_[k].size());
    for (std::size_t p = 0; p < stencils_[k].size(); ++p) {
      Point& point = *stencils_[k][p];
      stencil.point[p] = point.job(executor_, a.entries, block_samples_, job_.tile_samples);
      stencil.derived[p] = point.derived();
      if (stencil.derived[p].rows > 0) stencil.point[p].paths = base_.tables.paths();
    }
    stencil.entries = static_cast<Index>(a.entries.size());
    stencil.rows = static_cast<Index>(a.rows.size());
    stencil.first_result = static_cast<Index>(greek_of_.size());
    stencil.base = a.base_memory.view().data;
    stencil.entry_of_row = a.entry_memory.view().data;
    stencil.row = a.row_memory.view().data;
    stencil.first_row = a.first_row.data();
    greek_of_.insert(greek_of_.end(), a.greeks.begin(), a.greeks.end());
    jobs_.push_back(stencil);
  }

  /// Chooses the size of a tile.
  void plan_tile(Index base_trades) {
    const PathTable<T>& p = base_.tables.paths();
    const Index tile = job_.slots * p.records * p.rows * p.paths_per_sample * Index{sizeof(T)};
    if (executor_.is_cuda()) {
      const Index prepared = p.prepares_normals ? p.steps * p.factors : 0;
      const Index state = (general_slots(p) + prepared) * job_.slots * Index{sizeof(T)};
      const Index samples = 2 * base_trades * Index{sizeof(double)};
      const Index most = std::min({cuda_tile_samples, cuda_tile_bytes / (tile + state + 1),
                                   cuda_sample_bytes / (samples + 1)});
      job_.tile_samples = std::max(Index{1}, most / block_samples_) * block_samples_;
      return;
    }
    const Index limit = host_tile_bytes / (tile + base_trades);
    job_.tile_samples = host_group_lanes;
    for (Index n = block_samples_; n >= host_group_lanes; n /= 2)
      if (block_samples_ % n == 0 && n % host_group_lanes == 0 && n <= limit) {
        job_.tile_samples = n;
        break;
      }
  }

  void allocate() {
    Index largest_entry = 1, most_entries = 1;
    for (const ActiveStencil& a : active_) {
      most_entries = std::max(most_entries, static_cast<Index>(a.entries.size()));
      for (std::size_t e = 0; e + 1 < a.first_row.size(); ++e)
        largest_entry = std::max(largest_entry, Index{a.first_row[e + 1] - a.first_row[e]});
    }
    job_.entries_at_once = 1;
    if (executor_.is_cuda()) {
      const Index per_entry = 2 * (max_greek_points + largest_entry) * Index{sizeof(double)};
      job_.entries_at_once =
          std::clamp(cuda_sample_bytes / (per_entry * job_.tile_samples), Index{1}, most_entries);
    }
    job_.rows_at_once = job_.entries_at_once * largest_entry;
    job_.block_samples = block_samples_;
    const bool cuda = executor_.is_cuda();
    const Index blocks = job_.tile_samples / block_samples_;
    const GreekLayout layout = greek_layout(job_, cuda ? job_.tile_samples : host_group_lanes,
                                            cuda ? job_.rows_at_once * blocks : job_.rows);
    const Index bytes = layout.bytes * (cuda ? Index{1} : Index{executor_.threads()});
    if (bytes > scratch_.size()) scratch_.resize_discard(bytes);
    job_.scratch = scratch_.view().data;
  }

  Executor executor_;
  const GreekPlan* plan_;
  std::vector<Index> base_trades_;
  Arithmetic arithmetic_;
  Index block_samples_;
  Point base_;
  std::vector<std::vector<std::unique_ptr<Point>>> stencils_;
  std::vector<ActiveStencil> active_;   ///< [stencil]
  std::vector<std::uint8_t> selected_;  ///< the active Greeks of the job
  std::vector<GreekStencil<T>> jobs_;   ///< of the stencils with active Greeks
  std::vector<Index> greek_of_;         ///< the Greek of each result of a block
  Array<std::byte> scratch_;
  GreeksJob<T> job_{};
};

}  // namespace

GreekSimulations set_up_greeks(const GreekPlan& plan, const PricingConfig& config,
                               const PricingSetup& setup) {
  GreekSimulations all;
  SmoothedPortfolio smoothed;
  if (std::any_of(plan.stencils.begin(), plan.stencils.end(),
                  [](const PlannedStencil& s) { return s.is_smoothed; }))
    smoothed = smoothed_portfolio(config, setup);
  for (const PlannedStencil& stencil : plan.stencils) {
    std::vector<Index> trades;
    for (const PlannedEntry& entry : stencil.entries) trades.push_back(entry.trade);
    all.base_trades.insert(all.base_trades.end(), trades.begin(), trades.end());
    std::vector<Simulation>& points = all.points.emplace_back();
    std::vector<Index> smoothed_trades;
    if (stencil.is_smoothed)
      for (const Index t : trades) smoothed_trades.push_back(position_of(smoothed.trades, t));
    for (const std::vector<MarketBump>& bumps : stencil.points) {
      points.push_back(stencil.is_smoothed ? bumped_simulation(smoothed.config, smoothed.setup,
                                                               bumps, smoothed_trades)
                                           : bumped_simulation(config, setup, bumps, trades));
      points.back().unused = unused_assets(points.back());
    }
  }
  std::sort(all.base_trades.begin(), all.base_trades.end());
  all.base_trades.erase(std::unique(all.base_trades.begin(), all.base_trades.end()),
                        all.base_trades.end());
  all.base = unbumped_simulation(setup, all.base_trades);
  return all;
}

std::vector<GreekControl> greek_controls(const GreekPlan& plan,
                                         const GreekSimulations& simulations) {
  constexpr double relative_rounding = 1e-11;
  std::vector<GreekControl> controls(plan.greeks.size());
  for (std::size_t k = 0; k < plan.stencils.size(); ++k)
    for (std::size_t e = 0; e < plan.stencils[k].entries.size(); ++e) {
      const PlannedEntry& entry = plan.stencils[k].entries[e];
      const Index at = position_of(simulations.base_trades, entry.trade);
      const TradeSetup& base = simulations.base.trades[static_cast<std::size_t>(at)];
      if (base.control == TradeSetup::Control::none || plan.stencils[k].is_smoothed) continue;
      for (const PlannedRow& row : entry.rows) {
        GreekControl& control = controls[static_cast<std::size_t>(row.greek)];
        control.exists = true;
        for (std::size_t p = 0; p < simulations.points[k].size(); ++p) {
          const TradeSetup& trade = simulations.points[k][p].trades[e];
          control.expectation +=
              row.coefficient[p] * (trade.control_expectation - base.control_expectation);
          control.rounding +=
              relative_rounding * std::fabs(row.coefficient[p] * base.control_expectation);
        }
      }
    }
  return controls;
}

std::unique_ptr<PathEngine> make_greeks_engine(Executor executor, const GreekPlan& plan,
                                               const GreekSimulations& simulations) {
  return std::make_unique<GreeksEngine>(executor, plan, simulations);
}

}  // namespace gsim::pricing
