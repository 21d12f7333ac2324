#include "src/modules/pricing/greeks/greeks_engine.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/exec/array.hpp"
#include "kernels/pricing/greeks/greek_scratch.hpp"
#include "src/modules/pricing/greeks/active_adjoints.hpp"
#include "src/modules/pricing/greeks/active_stencil.hpp"
#include "src/modules/pricing/greeks/greek_tile.hpp"

namespace gsim::pricing {
using namespace pricing_kernels;
namespace {

using T = double;  // Greeks are differences, which float paths would not resolve

/// Host: the tile fits a 1 MiB second-level cache. The samples of the market's own payoffs are read
/// once per stencil, in order, and count for a sixteenth.
constexpr Index host_tile_bytes = Index{384} << 10;
/// CUDA: limits for the tile, and for the samples of trades.
constexpr Index cuda_tile_bytes = Index{1} << 30, cuda_sample_bytes = Index{512} << 20;
constexpr Index cuda_tile_samples = Index{1} << 20;
/// Largest number of blocks of a job.
constexpr Index blocks_per_job = 1 << 12;

/// One market in the executor's memory.
struct Point {
  PathTables<T> tables;
  bool has_paths;  ///< or only trades, on paths of others
  Array<std::int32_t> active;
  std::vector<LaunchedTrade<T>> launched;

  Point(const Executor& executor, const Simulation& simulation, const TileRows& rows)
      : tables(executor, simulation, /*keeps_image=*/false, &rows),
        has_paths(rows.are_simulated),
        active(executor, 0) {}

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

/// The samples of the Greeks of one GreekSimulations.
class SimulationsEngine {
 public:
  /// `trades` is the number of trades of the run.
  SimulationsEngine(const Executor& executor, const GreekPlan& plan,
                    const GreekSimulations& simulations, Index trades)
      : executor_(executor),
        plan_(&plan),
        trades_(trades),
        has_prices_(simulations.has_prices),
        base_trades_(simulations.base_trades),
        planned_(simulations.stencils),
        arithmetic_(simulations.base.arithmetic),
        block_samples_(simulations.base.block_samples),
        records_(executor, 0),
        derived_(executor, 0),
        scratch_(executor, 0) {
    const PathLoop loop = PathTables<T>(Executor::host(1), simulations.base).paths().loop;
    const GreekTile tile = plan_greek_tile(simulations, loop);
    base_ = std::make_unique<Point>(executor, simulations.base, tile.base);
    for (std::size_t k = 0; k < simulations.points.size(); ++k) {
      stencils_.emplace_back();
      for (std::size_t p = 0; p < simulations.points[k].size(); ++p) {
        const PointRows& rows = tile.stencils[k].points[p];
        stencils_.back().push_back(std::make_unique<Point>(
            executor, simulations.points[k][p],
            TileRows{rows.assets, tile.base.count, {}, {}, rows.is_simulated}));
        number_of_others_ += rows.is_simulated ? 1 : 0;
      }
      active_.emplace_back(executor);
    }
    store_derived(tile);
    std::vector<std::int32_t> log_rows;
    for (const AssetRows& rows : tile.base.assets) log_rows.push_back(rows.log);
    adjoints_ = std::make_unique<ActiveAdjoints>(
        executor, simulations.adjoints, std::move(log_rows), tile.tangent_rows, tile.base.count);
  }

  /// Selects the trades and the Greeks with a non-zero flag.
  void select(std::span<const std::uint8_t> priced, std::span<const std::uint8_t> active) {
    std::vector<std::uint8_t> is_base_active(base_trades_.size());
    for (std::size_t t = 0; t < base_trades_.size() && has_prices_; ++t)
      is_base_active[t] = priced[static_cast<std::size_t>(base_trades_[t])];
    for (std::size_t k = 0; k < stencils_.size(); ++k)
      active_[k].select(executor_, plan_->stencils[planned_[k]], base_trades_, active,
                        is_base_active);
    adjoints_->select(executor_, base_trades_, active, is_base_active);
    std::vector<std::int32_t> base_list, position(base_trades_.size());
    for (std::size_t t = 0; t < base_trades_.size(); ++t) {
      position[t] = static_cast<std::int32_t>(base_list.size());
      if (is_base_active[t] != 0) base_list.push_back(static_cast<std::int32_t>(t));
    }
    job_ = {};
    job_.has_prices =
        has_prices_ && std::any_of(priced.begin(), priced.end(), [](auto p) { return p != 0; });
    result_of_.clear();
    if (job_.has_prices)
      for (const std::int32_t t : base_list)
        result_of_.push_back(base_trades_[static_cast<std::size_t>(t)]);
    for (ActiveStencil& a : active_) a.set_base(executor_, position);
    adjoints_->set_base(executor_, position);
    plan_tile(static_cast<Index>(base_list.size()));
    job_.base = base_->job(executor_, base_list, block_samples_, job_.tile_samples);
    add_adjoints();
    jobs_.clear();
    others_.clear();
    for (std::size_t k = 0; k < stencils_.size(); ++k)
      if (!active_[k].rows.empty()) add_stencil(k);
    job_.stencil = jobs_.data();
    job_.stencils = static_cast<Index>(jobs_.size());
    job_.rows = static_cast<Index>(result_of_.size());
    job_.other = others_.data();
    job_.others = static_cast<Index>(others_.size());
    allocate();
  }

  /// Writes the statistics of blocks to `all`, [block][trades and Greeks], for the selected ones.
  void run(IndexRange blocks, std::span<BlockStatistics> all) {
    const std::size_t columns = static_cast<std::size_t>(trades_) + plan_->greeks.size();
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
        const auto block = static_cast<std::size_t>(first - blocks.first) + k / result_of_.size();
        all[block * columns + static_cast<std::size_t>(result_of_[k % result_of_.size()])] =
            list[k];
      }
    }
  }

  double path_steps_per_block() const {
    const PathTable<T>& p = base_->tables.paths();
    const double simulated = std::max(p.simulated, p.assets) + number_of_others_ * p.assets;
    return static_cast<double>(block_samples_) * p.paths_per_sample * static_cast<double>(p.steps) *
           simulated;
  }
  double bytes() const {
    double sum = base_->tables.bytes() + static_cast<double>(scratch_.size()) +
                 static_cast<double>(records_.size()) * double{sizeof(DerivedRecord<T>)} +
                 adjoints_->bytes();
    for (const auto& points : stencils_)
      for (const auto& point : points) sum += point->tables.bytes();
    return sum;
  }

 private:
  /// Copies the derived records to the executor's memory.
  void store_derived(const GreekTile& tile) {
    std::vector<DerivedRecord<T>> records;
    for (const StencilRows& stencil : tile.stencils)
      for (const auto& of_asset : stencil.derived)
        records.insert(records.end(), of_asset.begin(), of_asset.end());
    records_ = Array<DerivedRecord<T>>(executor_, std::span<const DerivedRecord<T>>(records));
    const DerivedRecord<T>* at = records_.view().data;
    std::vector<DerivedAsset<T>> assets;
    for (const StencilRows& stencil : tile.stencils) {
      first_derived_.push_back(static_cast<Index>(assets.size()));
      for (const auto& of_asset : stencil.derived) {
        assets.push_back({static_cast<Index>(of_asset.size()), at});
        at += of_asset.size();
      }
    }
    first_derived_.push_back(static_cast<Index>(assets.size()));
    derived_ = Array<DerivedAsset<T>>(executor_, std::span<const DerivedAsset<T>>(assets));
  }

  void add_adjoints() {
    job_.adjoint = adjoints_->table();
    job_.adjoint.first_result = static_cast<Index>(result_of_.size());
    for (const Index greek : adjoints_->greeks()) result_of_.push_back(trades_ + greek);
  }

  void add_stencil(std::size_t k) {
    const ActiveStencil& a = active_[k];
    GreekStencil<T> stencil{};
    stencil.points = static_cast<std::int32_t>(stencils_[k].size());
    for (std::size_t p = 0; p < stencils_[k].size(); ++p) {
      Point& point = *stencils_[k][p];
      stencil.point[p] = point.job(executor_, a.entries, block_samples_, job_.tile_samples);
      if (point.has_paths) others_.push_back(stencil.point[p]);
    }
    stencil.derived = derived_.view().data + first_derived_[k];
    stencil.derived_assets = first_derived_[k + 1] - first_derived_[k];
    stencil.entries = static_cast<Index>(a.entries.size());
    stencil.rows = static_cast<Index>(a.rows.size());
    stencil.first_result = static_cast<Index>(result_of_.size());
    stencil.base = a.base_memory.view().data;
    stencil.entry_of_row = a.entry_memory.view().data;
    stencil.row = a.row_memory.view().data;
    stencil.first_row = a.first_row.data();
    for (const Index greek : a.greeks) result_of_.push_back(trades_ + greek);
    jobs_.push_back(stencil);
  }

  /// Chooses the size of a tile.
  void plan_tile(Index base_trades) {
    const PathTable<T>& p = base_->tables.paths();
    const Index tile = p.records * p.rows * p.paths_per_sample * Index{sizeof(T)};
    if (executor_.is_cuda()) {
      const Index prepared = p.prepares_normals ? p.steps * p.factors : 0;
      const Index state = (general_slots(p) + prepared) * Index{sizeof(T)};
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
    const Index largest_adjoint = adjoints_->largest_entry();
    job_.entries_at_once = job_.adjoints_at_once = 1;
    if (executor_.is_cuda()) {
      const auto at_once = [&](Index values_per_entry, Index entries) {
        const Index per_entry = values_per_entry * Index{sizeof(double)} * job_.tile_samples;
        return std::clamp(cuda_sample_bytes / per_entry, Index{1}, std::max(Index{1}, entries));
      };
      job_.entries_at_once = at_once(2 * (max_greek_points + largest_entry), most_entries);
      job_.adjoints_at_once =
          at_once(job_.adjoint.sums + 2 * largest_adjoint + 1, job_.adjoint.entries);
    }
    job_.rows_at_once =
        std::max(job_.entries_at_once * largest_entry, job_.adjoints_at_once * largest_adjoint);
    job_.block_samples = block_samples_;
    const bool cuda = executor_.is_cuda();
    const GreekLayout layout = greek_layout(job_, cuda ? job_.tile_samples : host_group_lanes,
                                            cuda ? device_sums(job_) : job_.rows);
    const Index bytes = layout.bytes * (cuda ? Index{1} : Index{executor_.threads()});
    if (bytes > scratch_.size()) scratch_.resize_discard(bytes);
    job_.scratch = scratch_.view().data;
  }

  Executor executor_;
  const GreekPlan* plan_;
  Index trades_;
  bool has_prices_;
  std::vector<Index> base_trades_;
  std::vector<std::size_t> planned_;  ///< the plan's index of each stencil
  Arithmetic arithmetic_;
  Index block_samples_;
  std::unique_ptr<Point> base_;
  std::vector<std::vector<std::unique_ptr<Point>>> stencils_;
  double number_of_others_ = 0;  ///< points with a simulation of their own
  Array<DerivedRecord<T>> records_;
  Array<DerivedAsset<T>> derived_;
  std::vector<Index> first_derived_;   ///< [stencil], and the end
  std::vector<ActiveStencil> active_;  ///< [stencil]
  std::unique_ptr<ActiveAdjoints> adjoints_;
  std::vector<GreekStencil<T>> jobs_;  ///< of the stencils with active Greeks
  std::vector<PathJob<T>> others_;     ///< points with a simulation of their own
  std::vector<Index> result_of_;       ///< the trade, or the Greek after all trades, of each result
                                       ///< of a block
  Array<std::byte> scratch_;
  GreeksJob<T> job_{};
};

class GreeksEngine final : public PathEngine {
 public:
  GreeksEngine(Executor executor, const GreekPlan& plan,
               const std::vector<GreekSimulations>& simulations, Index trades)
      : executor_(std::move(executor)),
        trades_(static_cast<std::size_t>(trades)),
        greeks_(plan.greeks.size()) {
    for (const GreekSimulations& s : simulations) engines_.emplace_back(executor_, plan, s, trades);
  }

  std::vector<BlockStatistics> run(IndexRange blocks,
                                   std::span<const std::uint8_t> active) override {
    GSIM_EXPECT(active.size() == trades_ + greeks_);
    if (!std::equal(active.begin(), active.end(), selected_.begin(), selected_.end())) {
      selected_.assign(active.begin(), active.end());
      for (SimulationsEngine& engine : engines_)
        engine.select(active.first(trades_), active.last(greeks_));
    }
    std::vector<BlockStatistics> all(static_cast<std::size_t>(blocks.size()) * active.size());
    for (SimulationsEngine& engine : engines_) engine.run(blocks, all);
    return all;
  }

  bool uses_device() const override { return executor_.is_cuda(); }
  double path_steps_per_block() const override {
    double sum = 0;
    for (const SimulationsEngine& engine : engines_) sum += engine.path_steps_per_block();
    return sum;
  }
  double bytes() const override {
    double sum = 0;
    for (const SimulationsEngine& engine : engines_) sum += engine.bytes();
    return sum;
  }

 private:
  Executor executor_;
  std::size_t trades_, greeks_;
  std::deque<SimulationsEngine> engines_;
  std::vector<std::uint8_t> selected_;  ///< the active trades and Greeks of the jobs
};

}  // namespace

std::unique_ptr<PathEngine> make_greeks_engine(Executor executor, const GreekPlan& plan,
                                               const std::vector<GreekSimulations>& simulations,
                                               Index trades) {
  return std::make_unique<GreeksEngine>(std::move(executor), plan, simulations, trades);
}

}  // namespace gsim::pricing
