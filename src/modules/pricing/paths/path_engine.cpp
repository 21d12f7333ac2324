#include "src/modules/pricing/paths/path_engine.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/exec/array.hpp"
#include "kernels/pricing/paths/scratch.hpp"
#include "src/modules/pricing/paths/fused_batches.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {
using namespace pricing_kernels;
namespace {

/// Host: a tile with its values and samples fits a 32 KiB first-level cache if few trades read it.
/// With many trades, whose tables pass through the cache once per tile, a larger tile is used that
/// leaves room in a 1 MiB second-level cache. Rows of the small tile are short, so that the records
/// of a path are spread over the sets of the first-level cache.
constexpr Index small_tile_bytes = Index{24} << 10, large_tile_bytes = Index{256} << 10;
constexpr Index few_trades = 16;
/// CUDA: limit for the tile, and for the samples of the trades that are evaluated together.
constexpr Index cuda_tile_bytes = Index{1} << 30;
constexpr Index cuda_sample_bytes = Index{512} << 20;
constexpr Index cuda_tile_samples = Index{1} << 22;
/// Largest number of blocks of a job, whose results are in executor memory together.
constexpr Index blocks_per_job = 1 << 14;

/// The largest number of samples that is a multiple of `unit`, divides block_samples and gives a
/// tile of at most `tile_bytes`; `unit` if there is none.
Index host_tile_samples(Index block_samples, Index unit, Index bytes_per_sample, Index tile_bytes) {
  for (Index parts = 1; parts < block_samples; ++parts) {
    const Index samples = block_samples / parts;
    if (block_samples % parts != 0 || samples % unit != 0) continue;
    if (samples * bytes_per_sample <= tile_bytes) return samples;
  }
  return unit;
}

void launch_paths(const Executor& executor, Arithmetic arithmetic, const PathJob<double>& job) {
  arithmetic == Arithmetic::strict ? run_paths_f64_strict(executor, job)
                                   : run_paths_f64_fast(executor, job);
}
void launch_paths(const Executor& executor, Arithmetic arithmetic, const PathJob<float>& job) {
  arithmetic == Arithmetic::strict ? run_paths_f32_strict(executor, job)
                                   : run_paths_f32_fast(executor, job);
}

/// The engine with path arithmetic in T.
template <class T>
class PathEngineOf final : public NestedPathEngine {
 public:
  PathEngineOf(const Executor& executor, const Simulation& simulation)
      : executor_(executor),
        arithmetic_(simulation.arithmetic),
        trades_(static_cast<Index>(simulation.trades.size())),
        tables_(executor, simulation, /*keeps_image=*/executor.is_cuda()),
        fused_(executor, simulation, tables_),
        branches_(executor, 0),
        scratch_(executor, 0) {
    job_.paths = tables_.paths();
    job_.trade = tables_.trades();
    job_.models = tables_.models().data();
    job_.launched_models = static_cast<Index>(tables_.models().size());
    job_.block_samples = simulation.block_samples;
    if (executor.is_cuda()) {
      job_.asset = *tables_.on_host(job_.paths.asset);
      std::vector<std::int32_t> all(simulation.trades.size());
      std::iota(all.begin(), all.end(), 0);
      plan_cuda(all);
    } else {
      plan_host(trades_);
    }
  }

  std::vector<BlockStatistics> run(IndexRange blocks,
                                   std::span<const std::uint8_t> active) override {
    const Index trades = static_cast<Index>(active.size());
    GSIM_EXPECT(trades == trades_);
    std::vector<std::int32_t> list;
    for (Index i = 0; i < trades; ++i)
      if (active[static_cast<std::size_t>(i)] != 0) list.push_back(static_cast<std::int32_t>(i));
    if (executor_.is_cuda() && list != planned_) plan_cuda(list);
    const std::vector<std::int32_t>& order = executor_.is_cuda() ? fused_.order() : list;
    std::vector<BlockStatistics> all(
        static_cast<std::size_t>(std::max(Index{0}, blocks.size()) * trades));
    for (Index first = blocks.first; first < blocks.last && !list.empty();
         first += blocks_per_job) {
      const IndexRange part{first, std::min(first + blocks_per_job, blocks.last)};
      const std::vector<BlockStatistics> results = run_active(part, order);
      for (std::size_t k = 0; k < results.size(); ++k) {
        const Index block = part.first - blocks.first + static_cast<Index>(k / list.size());
        all[static_cast<std::size_t>(block * trades + order[k % order.size()])] = results[k];
      }
    }
    return all;
  }

  void set_branches(std::span<const PathBranch> branches) override {
    branches_ = Array<PathBranch>(executor_, branches);
    job_.paths.branches = {branches_.view().data, job_.block_samples};
  }

  bool uses_device() const override { return executor_.is_cuda(); }

  double path_steps_per_block() const override {
    const PathTable<T>& p = job_.paths;
    return static_cast<double>(job_.block_samples) * p.paths_per_sample *
           static_cast<double>(p.steps) * p.assets;
  }
  double bytes() const override {
    return tables_.bytes() + fused_.bytes() + static_cast<double>(scratch_.size());
  }

 private:
  /// Statistics of blocks for the trades listed in `active`, [block][active trade]; on CUDA, the
  /// trades are those of the plan, in its order.
  std::vector<BlockStatistics> run_active(IndexRange blocks,
                                          const std::vector<std::int32_t>& active) {
    const auto trades = static_cast<Index>(active.size());
    const Array<std::int32_t> list(executor_, std::span<const std::int32_t>(active));
    const std::vector<LaunchedTrade<T>> launched = launched_among(active);
    Array<BlockStatistics> results(executor_, blocks.size() * trades);
    PathJob<T> job = job_;
    job.blocks = blocks;
    job.active = list.view().data;
    job.active_trades = trades;
    job.fused = fused_.batches().data();
    job.fused_batches = static_cast<Index>(fused_.batches().size());
    job.fused_trades = fused_.trades();
    job.launched = launched.data();
    job.launched_trades = static_cast<Index>(launched.size());
    job.results = results.view().data;
    launch_paths(executor_, arithmetic_, job);
    return results.to_host();
  }
  /// The launched payoffs of the trades in `active`, with `position` an index in it.
  std::vector<LaunchedTrade<T>> launched_among(const std::vector<std::int32_t>& active) const {
    std::vector<LaunchedTrade<T>> launched_active;
    const auto others = active.begin() + fused_.trades();  // ascending
    for (LaunchedTrade<T> launched : tables_.launched()) {
      const auto at = std::lower_bound(others, active.end(), launched.position);
      if (at == active.end() || *at != launched.position) continue;
      launched.position = at - active.begin();
      launched_active.push_back(launched);
    }
    return launched_active;
  }
  Index tile_bytes_per_sample() const {
    const auto& p = job_.paths;
    return p.records * p.rows * p.paths_per_sample * Index{sizeof(T)};
  }
  /// Chooses the size of a tile, and allocates the scratch memory of all threads.
  void plan_host(Index trades) {
    const Index values = job_.paths.paths_per_sample * Index{sizeof(T)} + 2 * Index{sizeof(double)};
    job_.tile_samples =
        host_tile_samples(job_.block_samples, host_group_lanes, tile_bytes_per_sample() + values,
                          trades <= few_trades ? small_tile_bytes : large_tile_bytes);
    job_.trades_at_once = 1;
    const auto layout =
        scratch_layout(job_.paths, job_.tile_samples, host_group_lanes, Index{1}, trades);
    scratch_.resize_discard(layout.bytes * executor_.threads());
    job_.scratch = scratch_.view().data;
  }
  /// For the trades in `active`: chooses those that are evaluated while paths are simulated, the
  /// size of a tile, and the number of trades that are evaluated together, and allocates scratch
  /// memory.
  void plan_cuda(const std::vector<std::int32_t>& active) {
    const auto& p = job_.paths;
    fused_.choose(active);
    planned_ = active;
    const auto trades = static_cast<Index>(active.size());
    const bool has_tile = fused_.trades() < trades;
    const Index prepared = p.prepares_normals ? p.steps * p.factors : 0;
    const Index state = (has_tile ? general_slots(p) : 0) + prepared;
    const Index bytes = (has_tile ? tile_bytes_per_sample() : 0) + state * Index{sizeof(T)};
    constexpr Index bytes_of_sample_and_control = 2 * sizeof(double);
    // A batch of fused trades is evaluated together.
    const Index samples = std::min(
        {cuda_tile_samples, cuda_tile_bytes / std::max(Index{1}, bytes),
         cuda_sample_bytes / (bytes_of_sample_and_control * std::max(Index{1}, fused_.largest()))});
    job_.tile_samples = std::max(Index{1}, samples / job_.block_samples) * job_.block_samples;
    const Index at_once =
        std::clamp(cuda_sample_bytes / (bytes_of_sample_and_control * job_.tile_samples), Index{1},
                   std::max(Index{1}, trades - fused_.trades()));
    job_.trades_at_once = std::max(at_once, fused_.largest());
    const auto layout =
        scratch_layout(p, job_.tile_samples, job_.tile_samples, job_.trades_at_once,
                       job_.trades_at_once * (job_.tile_samples / job_.block_samples), has_tile);
    if (layout.bytes > scratch_.size()) scratch_.resize_uninitialised(layout.bytes);
    job_.scratch = scratch_.view().data;
  }

  Executor executor_;
  Arithmetic arithmetic_;
  Index trades_;
  PathTables<T> tables_;
  FusedBatches<T> fused_;              ///< CUDA
  std::vector<std::int32_t> planned_;  ///< CUDA: the active trades of the plan
  Array<PathBranch> branches_;         ///< of a nested simulation
  Array<std::byte> scratch_;
  PathJob<T> job_{};
};

}  // namespace

std::unique_ptr<NestedPathEngine> make_nested_engine(Executor executor,
                                                     const Simulation& simulation) {
  if (simulation.precision == Precision::float64)
    return std::make_unique<PathEngineOf<double>>(executor, simulation);
  return std::make_unique<PathEngineOf<float>>(executor, simulation);
}

std::unique_ptr<PathEngine> make_path_engine(Executor executor, const Simulation& simulation) {
  return make_nested_engine(std::move(executor), simulation);
}

}  // namespace gsim::pricing
