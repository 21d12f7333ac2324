#pragma once
// Greeks of blocks on the host. The payoffs in the market itself are kept for all stencils.

#include "kernels/pricing/greeks/adjoint/reverse_sweep.hpp"
#include "kernels/pricing/greeks/derive_paths.hpp"
#include "kernels/pricing/greeks/greek_scratch.hpp"
#include "kernels/pricing/run_host.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <class T, class Policy>
struct HostGreeks {
  const Executor* executor;
  const GreeksJob<T>* job;
  GreekLayout layout;

  /// Simulates the rows of the tile that belong to `path_job`.
  void simulate(const PathJob<T>& path_job, const GreekScratch& memory, Index first) const {
    const Scratch<T> scratch = memory.tile(path_job.paths, job->tile_samples);
    const HostRun<T, Policy> run{executor, &path_job, {}};
    run.fill_tile(scratch, first);
    simulate_launched(*executor, path_job, scratch, first, job->tile_samples,
                      /*memory_stride=*/0);
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
      add_row<true>(memory, stencil.first_result + r, first_of_block);
    }
  }

  /// Adds the samples of a Greek, and of its control, to the statistics `result`.
  template <bool has_control>
  void add_row(const GreekScratch& memory, Index result, bool first_of_block) const {
    LaneSums& sums = memory.sums[result];
    if (first_of_block) start_sums(sums, memory.row[0], has_control ? memory.row_control[0] : 0.0);
    add_samples<has_control>(sums, memory.row, memory.row_control, job->tile_samples);
  }

  /// Samples of the i-th active trade of `path_job` on the paths of the tile; those of an absent
  /// control are 0. Returns whether there is one.
  bool sample(const PathJob<T>& path_job, const GreekScratch& memory, Index i,
              const LaunchedTrade<T>*& launched, double* samples, double* controls) const {
    const Index n = job->tile_samples;
    const Scratch<T> scratch = memory.tile(path_job.paths, n, samples, controls);
    constexpr Index no_number = 0;  // only recorded and nested paths need that of their samples
    const HostRun<T, Policy> run{executor, &path_job, {}};
    const bool has_control = run.sample_trade(scratch, no_number, i, launched);
    if (!has_control)
      for (Index s = 0; s < n; ++s) controls[s] = 0;
    return has_control;
  }

  /// The samples of the trades in the market itself, which are added to the sums of the prices.
  void sample_base(const GreekScratch& memory, bool first_of_block) const {
    const Index n = job->tile_samples;
    const LaunchedTrade<T>* launched = job->base.launched;
    for (Index i = 0; i < job->base.active_trades; ++i) {
      double* const samples = memory.base + i * n;
      double* const controls = memory.base_control + i * n;
      const bool has_control = sample(job->base, memory, i, launched, samples, controls);
      if (!job->has_prices) continue;
      if (first_of_block) start_sums(memory.sums[i], samples[0], controls[0]);
      if (has_control)
        add_samples<true>(memory.sums[i], samples, controls, n);
      else
        add_samples<false>(memory.sums[i], samples, controls, n);
    }
  }

  void add_group(const GreekGroup<T>& group, const GreekScratch& memory,
                 bool first_of_block) const {
    const Tile<T> tile = memory.tile(job->base.paths, job->tile_samples).tile;
    for (Index a = 0; a < group.derived_assets; ++a)
      for (Index path = 0; path < tile.stride; path += lanes_of<packed<T>>)
        derive_paths<Policy, packed<T>>(group.derived[a], tile.data + path, tile.stride);
    for (Index k = group.first_stencil; k < group.last_stencil; ++k)
      add_stencil(job->stencil[k], memory, first_of_block);
  }

  void add_stencil(const GreekStencil<T>& stencil, const GreekScratch& memory,
                   bool first_of_block) const {
    const Index n = job->tile_samples;
    const LaunchedTrade<T>* launched[max_greek_points];
    for (int p = 0; p < stencil.points; ++p) launched[p] = stencil.point[p].launched;
    for (Index e = 0; e < stencil.entries; ++e) {
      for (int p = 0; p < stencil.points; ++p)
        sample(stencil.point[p], memory, e, launched[p], memory.point + p * n,
               memory.point_control + p * n);
      add_rows(stencil, e, memory, first_of_block);
    }
  }

  /// The sums of one payoff over the samples of the tile: means over antithetic paths.
  void sweep(const PayoffView<T>& terms, const AdjointSweep<T>* list, Index sweeps,
             const GreekScratch& memory) const {
    using P = PayoffGroup<T>;
    const Index n = job->tile_samples;
    const Tile<T> tile = memory.tile(job->base.paths, n).tile;
    for (Index s = 0; s < n; s += lanes_of<P>) {
      sweep_paths<Policy, P>(terms, list, sweeps, tile, s, [&](std::int32_t sum, P value) {
        store(memory.adjoint + sum * n + s, value);
      });
      if (tile.stride == n) continue;
      sweep_paths<Policy, P>(terms, list, sweeps, tile, s + n, [&](std::int32_t sum, P value) {
        double* const at = memory.adjoint + sum * n + s;
        store(at, P(0.5) * (load<P>(at) + value));
      });
    }
  }

  /// The adjoint Greeks of the trade of entry `e`.
  void add_adjoint(Index e, const GreekScratch& memory, bool first_of_block) const {
    const AdjointTable<T>& table = job->adjoint;
    const AdjointEntry<T>& entry = table.entry[e];
    const TradeView<T>& trade = job->base.trade[job->base.active[entry.base]];
    sweep(trade.payoff, entry.payoff, entry.payoff_sweeps, memory);
    if (entry.control != nullptr) sweep(trade.control, entry.control, entry.control_sweeps, memory);
    for (std::int32_t r = table.first_row[e]; r < table.first_row[e + 1]; ++r)
      entry.control != nullptr ? add_adjoint_row<true>(entry.base, r, memory, first_of_block)
                               : add_adjoint_row<false>(entry.base, r, memory, first_of_block);
  }

  template <bool has_control>
  void add_adjoint_row(Index base, std::int32_t r, const GreekScratch& memory,
                       bool first_of_block) const {
    // Four registers, because each is a chain of dependent operations.
    using D = Pack<double, 4 * lanes_of<packed<double>>>;
    static_assert(host_group_lanes % lanes_of<D> == 0);
    const AdjointRow& row = job->adjoint.row[r];
    const AdjointTerm* const term = job->adjoint.term;
    const Index n = job->tile_samples;
    for (Index s = 0; s < n; s += lanes_of<D>) {
      store(memory.row + s, adjoint_sample<D>(row.factor, memory.base + base * n, term, row.first,
                                              row.first_of_control, memory.adjoint, n, s));
      if constexpr (has_control)
        store(memory.row_control + s,
              adjoint_sample<D>(row.factor, memory.base_control + base * n, term,
                                row.first_of_control, row.last, memory.adjoint, n, s));
    }
    add_row<has_control>(memory, job->adjoint.first_result + r, first_of_block);
  }

  void run_block(Index block, std::byte* at) const {
    const GreekScratch memory(at, layout);
    const Index n = job->tile_samples;
    for (Index start = 0; start < job->block_samples; start += n) {
      const Index first = block * job->block_samples + start;
      simulate(job->base, memory, first);
      for (Index i = 0; i < job->others; ++i) simulate(job->other[i], memory, first);
      sample_base(memory, start == 0);
      for (Index e = 0; e < job->adjoint.entries; ++e) add_adjoint(e, memory, start == 0);
      for (Index g = 0; g < job->groups; ++g) add_group(job->group[g], memory, start == 0);
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
