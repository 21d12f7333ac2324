#include "src/modules/pricing/paths/path_engine.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/exec/array.hpp"
#include "kernels/pricing/paths/scratch.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {
using namespace pricing_kernels;
namespace {

/// Host: a tile, its values and samples fit a 32 KiB first-level cache while a few trades read it;
/// for many trades, whose programs pass through the cache once a tile, they leave room in a 1 MiB
/// second-level cache. Rows of the small tile are short, so that a path's records spread over the
/// sets of the first level.
constexpr Index small_tile_bytes = Index{24} << 10, large_tile_bytes = Index{256} << 10;
constexpr Index few_trades = 16;
/// CUDA: bound of the tile, and of the samples of the trades evaluated at once.
constexpr Index cuda_tile_bytes = Index{1} << 30;
constexpr Index cuda_sample_bytes = Index{512} << 20;
constexpr Index cuda_tile_samples = Index{1} << 22;
/// Blocks whose results are on the executor at once.
constexpr Index sample_blocks_a_job = 4096;

/// The largest divisor of block_samples that `unit` divides and that keeps a tile in the cache.
Index host_tile_samples(Index block_samples, Index unit, Index bytes_a_sample, Index tile_bytes) {
  for (Index parts = 1; parts < block_samples; ++parts) {
    const Index samples = block_samples / parts;
    if (block_samples % parts != 0 || samples % unit != 0) continue;
    if (samples * bytes_a_sample <= tile_bytes) return samples;
  }
  return unit;
}

// Kernels fill the same layout without this module's headers.
static_assert(sizeof(BlockSums) == sizeof(BlockStatistics) &&
              offsetof(BlockSums, m_xy) == offsetof(BlockStatistics, m_xy) &&
              offsetof(BlockSums, lanes_counted) == offsetof(BlockStatistics, lanes) &&
              offsetof(BlockSums, q_yy_yy) == offsetof(BlockStatistics, q_yy_yy));

/// Path arithmetic in one type, behind the choice of precision.
class Runner {
 public:
  virtual ~Runner() = default;
  virtual std::vector<BlockSums> run(IndexRange blocks,
                                     const std::vector<std::int32_t>& active) = 0;
  virtual double bytes() const = 0;
};

void launch_paths(const Executor& executor, Arithmetic arithmetic, const PathJob<double>& job) {
  arithmetic == Arithmetic::strict ? run_paths_f64_strict(executor, job)
                                   : run_paths_f64_fast(executor, job);
}
void launch_paths(const Executor& executor, Arithmetic arithmetic, const PathJob<float>& job) {
  arithmetic == Arithmetic::strict ? run_paths_f32_strict(executor, job)
                                   : run_paths_f32_fast(executor, job);
}

template <class T>
class TypedRunner final : public Runner {
 public:
  TypedRunner(const Executor& executor, const Simulation& simulation)
      : executor_(executor),
        arithmetic_(simulation.arithmetic),
        tables_(executor, simulation),
        scratch_(executor, 0) {
    job_.paths = tables_.paths();
    job_.trade = tables_.trades();
    job_.models = tables_.models().data();
    job_.plugged_models = static_cast<Index>(tables_.models().size());
    job_.block_samples = simulation.block_samples;
    const Index trades = static_cast<Index>(simulation.trades.size());
    executor.is_cuda() ? plan_cuda(trades) : plan_host(trades);
    job_.scratch = scratch_.view().data;
  }

  std::vector<BlockSums> run(IndexRange blocks, const std::vector<std::int32_t>& active) override {
    std::vector<BlockSums> all;
    const Index trades = static_cast<Index>(active.size());
    if (blocks.empty() || trades == 0) return all;
    const Array<std::int32_t> list(executor_, std::span<const std::int32_t>(active));
    const std::vector<PluggedTrade<T>> plugged = plugged_among(active);
    Array<BlockSums> results(executor_, std::min(blocks.size(), sample_blocks_a_job) * trades);
    for (Index first = blocks.first; first < blocks.last; first += sample_blocks_a_job) {
      PathJob<T> job = job_;
      job.blocks = {first, std::min(first + sample_blocks_a_job, blocks.last)};
      job.active = list.view().data;
      job.active_trades = trades;
      job.plugged = plugged.data();
      job.plugged_trades = static_cast<Index>(plugged.size());
      job.results = results.view().data;
      launch_paths(executor_, arithmetic_, job);
      const auto part = results.to_host();
      all.insert(all.end(), part.begin(), part.begin() + job.blocks.size() * trades);
    }
    return all;
  }

  double bytes() const override { return tables_.bytes() + static_cast<double>(scratch_.size()); }

 private:
  std::vector<PluggedTrade<T>> plugged_among(const std::vector<std::int32_t>& active) const {
    std::vector<PluggedTrade<T>> found;
    for (PluggedTrade<T> plugged : tables_.plugged()) {
      const auto at = std::lower_bound(active.begin(), active.end(), plugged.position);
      if (at == active.end() || *at != plugged.position) continue;
      plugged.position = at - active.begin();
      found.push_back(plugged);
    }
    return found;
  }
  Index tile_bytes_a_sample() const {
    const auto& p = job_.paths;
    return p.records * p.rows * p.mirrors * Index{sizeof(T)};
  }
  void plan_host(Index trades) {
    const Index values = job_.paths.mirrors * Index{sizeof(T)} + 2 * Index{sizeof(double)};
    job_.tile_samples =
        host_tile_samples(job_.block_samples, host_group_lanes, tile_bytes_a_sample() + values,
                          trades <= few_trades ? small_tile_bytes : large_tile_bytes);
    job_.trades_at_once = 1;
    const auto layout =
        scratch_layout(job_.paths, job_.tile_samples, host_group_lanes, Index{1}, trades);
    scratch_.resize_discard(layout.bytes * executor_.threads());
  }
  void plan_cuda(Index trades) {
    const auto& p = job_.paths;
    const Index state =
        (general_slots(p) + (p.prepares_normals ? p.steps * p.factors : 0)) * Index{sizeof(T)};
    const Index samples =
        std::min(cuda_tile_samples, cuda_tile_bytes / (tile_bytes_a_sample() + state));
    job_.tile_samples = std::max(Index{1}, samples / job_.block_samples) * job_.block_samples;
    job_.trades_at_once = std::clamp(cuda_sample_bytes / (16 * job_.tile_samples), Index{1},
                                     std::max(Index{1}, trades));
    const auto layout =
        scratch_layout(p, job_.tile_samples, job_.tile_samples, job_.trades_at_once,
                       job_.trades_at_once * (job_.tile_samples / job_.block_samples));
    scratch_.resize_discard(layout.bytes);
  }

  Executor executor_;
  Arithmetic arithmetic_;
  PathTables<T> tables_;
  Array<std::byte> scratch_;
  PathJob<T> job_{};
};

std::unique_ptr<Runner> make_runner(const Executor& executor, const Simulation& simulation) {
  if (simulation.precision == Precision::float64)
    return std::make_unique<TypedRunner<double>>(executor, simulation);
  return std::make_unique<TypedRunner<float>>(executor, simulation);
}

}  // namespace

struct PathEngine::Impl {
  std::unique_ptr<Runner> runner;
  Index trades;
  double path_steps_per_block;
};

PathEngine::PathEngine(Executor executor, const Simulation& simulation)
    : impl_(std::make_unique<Impl>()) {
  impl_->runner = make_runner(executor, simulation);
  impl_->trades = static_cast<Index>(simulation.trades.size());
  impl_->path_steps_per_block = static_cast<double>(simulation.block_samples) *
                                (simulation.antithetic ? 2 : 1) *
                                static_cast<double>(simulation.grid.times.size()) *
                                static_cast<double>(simulation.assets.size());
}
PathEngine::~PathEngine() = default;

std::vector<BlockStatistics> PathEngine::run(IndexRange blocks,
                                             std::span<const std::uint8_t> active) {
  GSIM_EXPECT(static_cast<Index>(active.size()) == impl_->trades);
  std::vector<std::int32_t> list;
  for (Index i = 0; i < impl_->trades; ++i)
    if (active[static_cast<std::size_t>(i)] != 0) list.push_back(static_cast<std::int32_t>(i));
  const auto sums = impl_->runner->run(blocks, list);
  std::vector<BlockStatistics> results(
      static_cast<std::size_t>(std::max(Index{0}, blocks.size()) * impl_->trades));
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const std::size_t block = k / list.size();
    const auto trade = static_cast<std::size_t>(list[k % list.size()]);
    results[block * static_cast<std::size_t>(impl_->trades) + trade] =
        std::bit_cast<BlockStatistics>(sums[k]);
  }
  return results;
}

double PathEngine::path_steps_per_block() const { return impl_->path_steps_per_block; }
double PathEngine::bytes() const { return impl_->runner->bytes(); }

}  // namespace gsim::pricing
