#include "src/modules/pricing/greeks/greeks_engine.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/exec/array.hpp"
#include "kernels/pricing/greeks/greek_scratch.hpp"
#include "src/modules/pricing/greeks/active_adjoints.hpp"
#include "src/modules/pricing/greeks/active_stencil.hpp"
#include "src/modules/pricing/greeks/greek_batches.hpp"
#include "src/modules/pricing/greeks/greek_point.hpp"
#include "src/modules/pricing/greeks/greek_tile.hpp"

namespace gsim::pricing {
using namespace pricing_kernels;
namespace {

using T = double;
using Point = GreekPoint;

/// Host: the tile fits a 1 MiB second-level cache. The samples of the market's own payoffs are read
/// once per stencil, in order, and count for a sixteenth.
constexpr Index host_tile_bytes = Index{384} << 10;
/// CUDA: limits for the tile, and for the samples of trades.
constexpr Index cuda_tile_bytes = Index{4} << 30, cuda_sample_bytes = Index{512} << 20;
constexpr Index cuda_tile_samples = Index{1} << 20;
/// Largest number of blocks of a job.
constexpr Index blocks_per_job = 1 << 12;

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
        tables_(executor, 0),
        records_(executor, 0),
        derived_(executor, 0),
        batches_(executor),
        scratch_(executor, 0) {
    const PathTables<T> base_alone(Executor::host(1), simulations.base);
    const GreekTile tile =
        plan_greek_tile(simulations, base_alone.paths().loop, derived_rows(base_alone.paths()));
    struct PlannedPoint {
      Point* point;
      const Simulation* market;
      TileRows rows;
    };
    base_ = std::make_unique<Point>(executor, true);
    std::vector<PlannedPoint> points{{base_.get(), &simulations.base, tile.base}};
    for (std::size_t k = 0; k < simulations.points.size(); ++k) {
      stencils_.emplace_back();
      for (std::size_t p = 0; p < simulations.points[k].size(); ++p) {
        const PointRows& rows = tile.stencils[k].points[p];
        stencils_.back().push_back(std::make_unique<Point>(executor, rows.is_simulated));
        points.push_back({stencils_.back().back().get(),
                          &simulations.points[k][p],
                          {rows.assets, tile.base.count, {}, {}, rows.is_simulated}});
        number_of_others_ += rows.is_simulated ? 1 : 0;
      }
      active_.emplace_back();
    }
    pack_in(tables_, [&](TablePacker& packer) {
      for (const PlannedPoint& p : points) p.point->tables.pack(packer, *p.market, p.rows);
    });
    store_derived(tile);
    SweepRows rows{{}, tile.tangent_rows, tile.base.count};
    for (const AssetRows& asset : tile.base.assets) rows.logs.push_back(asset.log);
    adjoints_ = std::make_unique<ActiveAdjoints>(executor, simulations.adjoints, rows);
  }

  /// Selects the trades and the Greeks with a non-zero flag, for calls of run() with up to
  /// `blocks` blocks, if memory allows it, in one tile.
  void select(std::span<const std::uint8_t> priced, std::span<const std::uint8_t> active,
              Index blocks) {
    std::vector<std::uint8_t> is_base_active(base_trades_.size());
    for (std::size_t t = 0; t < base_trades_.size() && has_prices_; ++t)
      is_base_active[t] = priced[static_cast<std::size_t>(base_trades_[t])];
    for (std::size_t k = 0; k < stencils_.size(); ++k)
      active_[k].select(plan_->stencils[planned_[k]], base_trades_, active, is_base_active);
    adjoints_->select(executor_, base_trades_, active, base_->tables.launched(), is_base_active);
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
    for (ActiveStencil& a : active_) a.set_base(position);
    adjoints_->set_base(executor_, position);
    const bool has_stencils = std::any_of(active_.begin(), active_.end(),
                                          [](const ActiveStencil& a) { return !a.rows.empty(); });
    plan_tile(has_stencils || executor_.is_cuda() ? static_cast<Index>(base_list.size()) : 0,
              blocks);
    job_.base = base_->job(executor_, base_list, block_samples_, job_.tile_samples);
    jobs_.clear();
    job_groups_.clear();
    others_.clear();
    jobs_.reserve(stencils_.size());  // batches point to them
    for (const Group& group : groups_) add_group(group);
    add_adjoints();
    job_.stencil = jobs_.data();
    job_.rows = static_cast<Index>(result_of_.size());
    job_.other = others_.data();
    job_.others = static_cast<Index>(others_.size());
    if (executor_.is_cuda()) make_batches(base_list);
    job_.group = job_groups_.data();
    job_.groups = static_cast<Index>(job_groups_.size());
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
    return static_cast<double>(tables_.size()) + static_cast<double>(scratch_.size()) +
           static_cast<double>(records_.size()) * double{sizeof(DerivedRecord<T>)} +
           adjoints_->bytes();
  }

 private:
  /// Stencils [first, last), whose derived assets are in the tile together.
  struct Group {
    std::size_t first, last;
    Index first_derived, derived_assets;
  };

  /// The number of rows of derived paths that the stencils of a group may have. On a host the tile
  /// of a single stencil is large for its cache; on a device larger groups need fewer launches.
  Index derived_rows(const PathTable<T>& p) const {
    if (!executor_.is_cuda()) return 0;
    const Index bytes_per_row = p.records * p.paths_per_sample * block_samples_ * Index{sizeof(T)};
    return cuda_tile_bytes / 2 / std::max(bytes_per_row, Index{1});
  }

  /// Copies the derived records to the executor's memory.
  void store_derived(const GreekTile& tile) {
    std::vector<DerivedRecord<T>> records;
    for (const StencilGroup& group : tile.groups)
      for (const auto& of_asset : group.derived)
        records.insert(records.end(), of_asset.begin(), of_asset.end());
    records_ = Array<DerivedRecord<T>>(executor_, std::span<const DerivedRecord<T>>(records));
    const DerivedRecord<T>* at = records_.view().data;
    std::vector<DerivedAsset<T>> assets;
    for (const StencilGroup& group : tile.groups) {
      groups_.push_back({group.first, group.last, static_cast<Index>(assets.size()),
                         static_cast<Index>(group.derived.size())});
      for (const auto& of_asset : group.derived) {
        assets.push_back({static_cast<Index>(of_asset.size()), at});
        at += of_asset.size();
      }
    }
    derived_ = Array<DerivedAsset<T>>(executor_, std::span<const DerivedAsset<T>>(assets));
  }

  /// Adds the stencils of a group with active Greeks, if there are any.
  void add_group(const Group& group) {
    const auto first = static_cast<Index>(jobs_.size());
    for (std::size_t k = group.first; k < group.last; ++k)
      if (!active_[k].rows.empty()) add_stencil(k);
    const auto last = static_cast<Index>(jobs_.size());
    if (last == first) return;
    job_groups_.push_back({group.derived_assets, derived_.view().data + group.first_derived, first,
                           last, nullptr, 0});
  }

  /// CUDA: the batches of all groups.
  void make_batches(const std::vector<std::int32_t>& base_list) {
    const Index column = job_.tile_samples * Index{sizeof(double)};
    batches_.clear(job_.tile_samples);
    batches_.add_market(job_.base, base_list);
    std::vector<const ActiveStencil*> active;
    for (const ActiveStencil& a : active_)
      if (!a.rows.empty()) active.push_back(&a);
    for (const GreekGroup<T>& group : job_groups_) {
      batches_.begin_group();
      for (auto k = static_cast<std::size_t>(group.first_stencil);
           k < static_cast<std::size_t>(group.last_stencil); ++k)
        batches_.add_stencil(jobs_[k], *active[k], cuda_sample_bytes / (2 * column));
    }
    batches_.finish(executor_);
    job_.base_trades = batches_.market();
    for (std::size_t g = 0; g < job_groups_.size(); ++g) {
      const std::span<const GreekBatch<T>> batches = batches_.of_group(g);
      job_groups_[g].batch = batches.data();
      job_groups_[g].batches = static_cast<Index>(batches.size());
    }
  }

  void add_adjoints() {
    job_.adjoint = adjoints_->table();
    job_.adjoint.sweep_exercised =
        arithmetic_ == Arithmetic::strict
            ? [](const Executor& e, const ExercisedSweepJob<T>& j) { sweep_exercised_strict(e, j); }
            : [](const Executor& e, const ExercisedSweepJob<T>& j) { sweep_exercised_fast(e, j); };
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
    stencil.entries = static_cast<Index>(a.entries.size());
    stencil.first_result = static_cast<Index>(result_of_.size());
    stencil.base = a.base.data();
    stencil.row = a.rows.data();
    stencil.first_row = a.first_row.data();
    for (const Index greek : a.greeks) result_of_.push_back(trades_ + greek);
    jobs_.push_back(stencil);
  }

  /// Chooses the size of a tile, with the samples of `base_trades` trades.
  void plan_tile(Index base_trades, Index blocks) {
    const PathTable<T>& p = base_->tables.paths();
    Index tile = p.records * p.rows * p.paths_per_sample * Index{sizeof(T)};
    if (executor_.is_cuda()) {
      tile += adjoints_->largest_script().derivatives * p.paths_per_sample * Index{sizeof(T)};
      const Index prepared = p.prepares_normals ? p.steps * p.factors : 0;
      const Index state = (general_slots(p) + prepared) * Index{sizeof(T)};
      const Index samples = 2 * base_trades * Index{sizeof(double)};
      const Index most = std::min({cuda_tile_samples, cuda_tile_bytes / (tile + state + 1),
                                   cuda_sample_bytes / (samples + 1)});
      job_.tile_samples =
          std::clamp(most / block_samples_, Index{1}, std::max(Index{1}, blocks)) * block_samples_;
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
    job_.sums_at_once = job_.adjoint.sums;
    job_.derivative_rows =
        executor_.is_cuda() ? 0
                            : adjoints_->largest_payoff() * base_->tables.paths().paths_per_sample;
    job_.script_numbers =
        executor_.is_cuda()
            ? script_numbers_of_tile(adjoints_->largest_script(),
                                     job_.tile_samples * base_->tables.paths().paths_per_sample)
            : script_numbers(adjoints_->largest_script(), adjoints_->largest_payoff(),
                             base_->tables.paths().paths_per_sample);
    job_.derive_script = [](const Executor& e, const ScriptDerivativesJob<T>& j) {
      derive_script_f64_strict(e, j);
    };
    if (arithmetic_ == Arithmetic::fast)
      job_.derive_script = [](const Executor& e, const ScriptDerivativesJob<T>& j) {
        derive_script_f64_fast(e, j);
      };
    if (executor_.is_cuda()) {
      const Index per_sum = job_.tile_samples / block_samples_ * batches_of_block;
      job_.sums_at_once = std::min(job_.sums_at_once,
                                   std::max(cuda_sample_bytes / (per_sum * Index{sizeof(double)}),
                                            adjoints_->largest_entry()));
    }
    job_.slots_at_once = executor_.is_cuda() ? batches_.most_slots() : max_greek_points;
    job_.rows_at_once = executor_.is_cuda() ? std::max(batches_.most_greeks(), Index{1}) : Index{1};
    job_.block_samples = block_samples_;
    const bool cuda = executor_.is_cuda();
    const GreekLayout layout = greek_layout(job_, cuda ? job_.tile_samples : host_group_lanes,
                                            cuda ? device_sums(job_) : host_sums(job_));
    const Index bytes = layout.bytes * (cuda ? Index{1} : Index{executor_.threads()});
    if (bytes > scratch_.size()) scratch_.resize_uninitialised(bytes);
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
  Array<std::byte> tables_;      ///< of all points
  double number_of_others_ = 0;  ///< points with a simulation of their own
  Array<DerivedRecord<T>> records_;
  Array<DerivedAsset<T>> derived_;
  std::vector<Group> groups_;
  std::vector<ActiveStencil> active_;  ///< [stencil]
  std::unique_ptr<ActiveAdjoints> adjoints_;
  std::vector<GreekStencil<T>> jobs_;  ///< of the stencils with active Greeks
  std::vector<GreekGroup<T>> job_groups_;
  GreekBatches batches_;            ///< CUDA
  std::vector<PathJob<T>> others_;  ///< points with a simulation of their own
  std::vector<Index> result_of_;    ///< the trade, or the Greek after all trades, of each result
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
    if (blocks.size() > planned_blocks_ ||
        !std::equal(active.begin(), active.end(), selected_.begin(), selected_.end())) {
      selected_.assign(active.begin(), active.end());
      planned_blocks_ = std::max(planned_blocks_, blocks.size());
      for (SimulationsEngine& engine : engines_)
        engine.select(active.first(trades_), active.last(greeks_), planned_blocks_);
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
  Index planned_blocks_ = 0;
};

}  // namespace

std::unique_ptr<PathEngine> make_greeks_engine(Executor executor, const GreekPlan& plan,
                                               const std::vector<GreekSimulations>& simulations,
                                               Index trades) {
  return std::make_unique<GreeksEngine>(std::move(executor), plan, simulations, trades);
}

}  // namespace gsim::pricing
