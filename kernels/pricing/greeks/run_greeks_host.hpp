#pragma once
// Greeks of blocks on the host. A tile of each bumped market has the samples of the tile of the
// market itself, whose payoffs are kept for all stencils.

#include "kernels/pricing/greeks/greek_scratch.hpp"
#include "kernels/pricing/run_host.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <class T, class Policy>
struct HostGreeks {
  const Executor* executor;
  const GreeksJob<T>* job;
  GreekLayout layout;

  /// Simulates a tile of `path_job` in slot `slot`.
  Scratch<T> simulate(const PathJob<T>& path_job, const GreekScratch& memory, Index slot,
                      Index first) const {
    const Scratch<T> scratch = memory.simulation(path_job.paths, slot, job->tile_samples,
                                                 host_group_lanes, nullptr, nullptr);
    const HostRun<T, Policy> run{executor, &path_job, {}};
    run.fill_tile(scratch, first);
    simulate_launched(*executor, path_job, scratch, first, job->tile_samples,
                      /*memory_stride=*/0);
    return scratch;
  }

  /// Computes a tile from that of the market itself, in slot 0, which has the same layout.
  void derive(const DerivedTile<T>& derived, const PathTable<T>& paths, const GreekScratch& memory,
              Index slot) const {
    using P = packed<T>;
    const auto tile_of = [&](Index at) {
      return memory.simulation(paths, at, job->tile_samples, host_group_lanes, nullptr, nullptr)
          .tile;
    };
    const Tile<T> from = tile_of(0), to = tile_of(slot);
    for (Index r = 0; r < derived.rows; ++r) {
      const Index at = derived.row[r] * from.stride;
      const P scale(derived.scale[r]), shift(derived.shift[r]);
      for (Index i = 0; i < from.stride; i += lanes_of<P>)
        store(to.data + at + i, fma(load<P>(from.data + at + i), scale, shift));
    }
  }

  /// Adds the rows of entry `entry`, whose samples at the points are in the scratch memory.
  void add_rows(const GreekStencil<T>& stencil, Index entry, const GreekScratch& memory,
                bool first_of_block) const {
    using D = packed<double>;
    const Index n = job->tile_samples;
    const double* base = memory.base + stencil.base[entry] * n;
    const double* control = memory.base_control + stencil.base[entry] * n;
    for (std::int32_t r = stencil.first_row[entry]; r < stencil.first_row[entry + 1]; ++r) {
      const GreekRow& row = stencil.row[r];
      for (Index s = 0; s < n; s += lanes_of<D>) {
        store(memory.row + s, greek_sample<D>(row, stencil.points, base, memory.point, n, s));
        store(memory.row_control + s,
              greek_sample<D>(row, stencil.points, control, memory.point_control, n, s));
      }
      LaneSums& sums = memory.sums[stencil.first_result + r];
      if (first_of_block) start_sums(sums, memory.row[0], memory.row_control[0]);
      add_samples<true>(sums, memory.row, memory.row_control, n);
    }
  }

  /// Samples of the i-th active trade of `path_job` on the paths of a tile; those of an absent
  /// control are 0.
  void sample(const PathJob<T>& path_job, Scratch<T> scratch, Index i,
              const LaunchedTrade<T>*& launched, double* samples, double* controls) const {
    scratch.samples = samples;
    scratch.control_samples = controls;
    constexpr Index no_number = 0;  // only recorded and nested paths need that of their samples
    const HostRun<T, Policy> run{executor, &path_job, {}};
    if (!run.sample_trade(scratch, no_number, i, launched))
      for (Index s = 0; s < job->tile_samples; ++s) controls[s] = 0;
  }

  void add_stencil(const GreekStencil<T>& stencil, const GreekScratch& memory, Index first,
                   bool first_of_block) const {
    const LaunchedTrade<T>* launched[max_greek_points];
    for (int p = 0; p < stencil.points; ++p) {
      launched[p] = stencil.point[p].launched;
      if (stencil.derived[p].rows > 0)
        derive(stencil.derived[p], stencil.point[p].paths, memory, 1 + p);
      else
        simulate(stencil.point[p], memory, 1 + p, first);
    }
    const Index n = job->tile_samples;
    for (Index e = 0; e < stencil.entries; ++e) {
      for (int p = 0; p < stencil.points; ++p)
        sample(
            stencil.point[p],
            memory.simulation(stencil.point[p].paths, 1 + p, n, host_group_lanes, nullptr, nullptr),
            e, launched[p], memory.point + p * n, memory.point_control + p * n);
      add_rows(stencil, e, memory, first_of_block);
    }
  }

  void run_block(Index block, std::byte* at) const {
    const GreekScratch memory(at, layout);
    const Index n = job->tile_samples;
    for (Index start = 0; start < job->block_samples; start += n) {
      const Index first = block * job->block_samples + start;
      const Scratch<T> scratch = simulate(job->base, memory, 0, first);
      const LaunchedTrade<T>* launched = job->base.launched;
      for (Index i = 0; i < job->base.active_trades; ++i)
        sample(job->base, scratch, i, launched, memory.base + i * n, memory.base_control + i * n);
      for (Index k = 0; k < job->stencils; ++k)
        add_stencil(job->stencil[k], memory, first, start == 0);
    }
    BlockStatistics* results = job->results + (block - job->blocks.first) * job->rows;
    for (Index r = 0; r < job->rows; ++r)
      results[r] = finish_sums(memory.sums[r], static_cast<double>(job->block_samples));
  }
};

/// The layout of the scratch memory of a job, and the number of its parts.
template <class T>
inline GreekLayout layout_of(const GreeksJob<T>& job) {
  return greek_layout(job, host_group_lanes, job.rows);
}

template <class T, class Policy>
void run_greeks(const Executor& executor, const GreeksJob<T>& job) {
  const HostGreeks<T, Policy> run{&executor, &job, layout_of(job)};
  executor.pool().run(
      job.blocks.size(),
      [](void* context, Index chunk, int worker) {
        const auto& r = *static_cast<const HostGreeks<T, Policy>*>(context);
        r.run_block(r.job->blocks.first + chunk, r.job->scratch + worker * r.layout.bytes);
      },
      const_cast<void*>(static_cast<const void*>(&run)));
}

}  // namespace pricing_kernels
GSIM_TARGET_END
