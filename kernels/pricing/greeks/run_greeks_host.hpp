#pragma once
// Greeks of blocks on the host. The payoffs in the market itself are kept if there are stencils.

#include "kernels/pricing/greeks/adjoint/batch_sums.hpp"
#include "kernels/pricing/greeks/adjoint/sweep_host.hpp"
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
  template <bool has_control>
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
        if constexpr (has_control)
          store(memory.row_control + s,
                greek_sample<D>(row, stencil.points, control, memory.point_control, n, s));
      }
      LaneSums& sums = memory.sums[stencil.first_result + r];
      if (first_of_block)
        start_sums(sums, memory.row[0], has_control ? memory.row_control[0] : 0.0);
      add_samples<has_control>(sums, memory.row, memory.row_control, n);
    }
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

  static bool is_launched(const PathJob<T>& path_job, Index i) {
    return path_job.trade[path_job.active[i]].payoff.formula == PayoffFormula::launched;
  }

  /// The samples of the trades in the market itself, which are added to the sums of the prices, and
  /// the sums of adjoint Greeks; `start` is the tile's first sample in the block.
  void sample_base(const GreekScratch& memory, Index start) const {
    const Index n = job->tile_samples;
    const Index stride = keeps_samples(*job) ? n : 0;
    const AdjointTable<T>& adjoint = job->adjoint;
    const LaunchedTrade<T>* launched = job->base.launched;
    Index entry = 0;
    for (Index i = 0; i < job->base.active_trades; ++i) {
      double* const samples = memory.base + i * stride;
      double* const controls = memory.base_control + i * stride;
      const bool is_entry = entry < adjoint.entries && adjoint.entry[entry].base == i;
      const bool is_read =
          job->has_prices || job->groups > 0 || (is_entry && adjoint.entry[entry].needs_samples());
      bool has_control = false;
      if (is_read)
        has_control = sample(job->base, memory, i, launched, samples, controls);
      else if (is_launched(job->base, i))
        ++launched;
      if (job->has_prices) {
        if (start == 0) start_sums(memory.sums[i], samples[0], controls[0]);
        if (has_control)
          add_samples<true>(memory.sums[i], samples, controls, n);
        else
          add_samples<false>(memory.sums[i], samples, controls, n);
      }
      if (is_entry) add_adjoint(adjoint.entry[entry++], memory, start, samples, controls);
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
      bool has_control = false;
      for (int p = 0; p < stencil.points; ++p)
        has_control = sample(stencil.point[p], memory, e, launched[p], memory.point + p * n,
                             memory.point_control + p * n);
      has_control ? add_rows<true>(stencil, e, memory, first_of_block)
                  : add_rows<false>(stencil, e, memory, first_of_block);
    }
  }

  /// Adds the sums of one payoff over the paths of samples [first, last) of the tile to `sums`,
  /// those of a part of the block.
  void sweep(const PayoffView<T>& terms, SweptPayoff swept, const T* number,
             const AdjointSweep<T>* list, Index sweeps, const GreekScratch& memory, Index first,
             Index last, double* sums, HostScript<T> script = {}) const {
    const PathTable<T>& paths = job->base.paths;
    const Tile<T> tile = memory.tile(paths, job->tile_samples).tile;
    const HostSweep<T, Policy> sweep{&terms,
                                     swept,
                                     number,
                                     list,
                                     sweeps,
                                     &tile,
                                     job->tile_samples,
                                     paths.paths_per_sample,
                                     memory.derivatives,
                                     sums,
                                     script};
    sweep.run(first, last);
  }

  /// Adds the sums of a trade with early exercise over the
  /// samples [first, last) of the tile to those of a part of the block.
  void sweep_exercised(const AdjointEntry<T>& entry, const GreekScratch& memory, Index first,
                       Index last, Index part) const {
    const Scratch<T> scratch = memory.tile(job->base.paths, job->tile_samples);
    ExercisedSweepJob<T> call{};
    call.target = job->adjoint.exercised + entry.exercised;
    call.targets = 1;
    call.tile = scratch.tile;
    call.tile_samples = job->tile_samples;
    call.values = scratch.values;
    call.sums = memory.adjoint + part * job->adjoint.sums * LaneSums::lanes;
    call.sum_stride = LaneSums::lanes;
    call.first = first;
    call.last = last;
    job->adjoint.sweep_exercised(*executor, call);
  }

  /// Adds the samples [first, last) of one quantity to `sums`, those of a part of the block.
  static void add_to_batches(const double* samples, Index first, Index last, double* sums) {
    using D = packed<double>;
    for (Index s = first; s < last; s += lanes_of<D>) {
      double* const at = sums + s % LaneSums::lanes;
      store(at, load<D>(at) + load<D>(samples + s));
    }
  }

  /// Adds the sums of the trade of an entry over the tile, whose first sample is number `start` of
  /// the block. `samples` and `controls` are those of the trade.
  void add_adjoint(const AdjointEntry<T>& entry, const GreekScratch& memory, Index start,
                   const double* samples, const double* controls) const {
    constexpr Index lanes = LaneSums::lanes;
    const TradeView<T>& trade = job->base.trade[job->base.active[entry.base]];
    HostScript<T> script{executor, job->derive_script, {}, memory.script};
    script.job.trade = job->base.trade;
    script.job.active = job->base.active;
    script.job.entry = &entry;
    script.job.tile = memory.tile(job->base.paths, job->tile_samples).tile;
    const Index n = job->tile_samples, of_part = job->block_samples / parts_of_block;
    for (Index first = 0, last = 0; first < n; first = last) {
      const Index part = (start + first) / of_part, end = (part + 1) * of_part - start;
      last = end < n ? end : n;
      double* const sums = memory.adjoint + (part * job->adjoint.sums + entry.first_sum) * lanes;
      if (start + first == part * of_part)
        for (Index i = 0; i < entry.sums * lanes; ++i) sums[i] = 0;
      if (entry.exercised >= 0) sweep_exercised(entry, memory, first, last, part);
      if (entry.payoff_sum >= 0)
        add_to_batches(samples, first, last, sums + entry.payoff_sum * lanes);
      if (entry.control_sum >= 0)
        add_to_batches(controls, first, last, sums + entry.control_sum * lanes);
      sweep(trade.payoff, entry.swept, entry.number, entry.payoff, entry.payoff_sweeps, memory,
            first, last, sums, script);
      if (entry.control != nullptr)
        sweep(trade.control, SweptPayoff::own, nullptr, entry.control, entry.control_sweeps, memory,
              first, last, sums);
    }
  }

  /// The means of one adjoint Greek of an entry over the batches, or of its control: terms [first,
  /// last). That of batch b is at means[b * stride].
  void combine_batches(Index e, std::int32_t first, std::int32_t last, const GreekScratch& memory,
                       double* means, Index stride) const {
    constexpr Index lanes = LaneSums::lanes;
    const AdjointTable<T>& table = job->adjoint;
    for (Index b = 0; b < batches_of_block; b += lanes) {
      const double* const sums = memory.adjoint + b * table.sums + table.entry[e].first_sum * lanes;
      double combined[lanes];
      store(combined, combined_sums<Pack<double, lanes>>(table.term, first, last, sums, lanes));
      for (Index l = 0; l < lanes; ++l) means[(b + l) * stride] = combined[l];
    }
  }

  /// The statistics of the adjoint Greeks of entry `e` over a block, of a pack of Greeks at a time.
  void finish_adjoint(Index e, const GreekScratch& memory, BlockStatistics* results) const {
    using D = packed<double>;
    constexpr int width = lanes_of<D>;
    const AdjointTable<T>& table = job->adjoint;
    const std::int32_t end = table.first_row[e + 1];
    double x[batches_of_block * width] = {}, y[batches_of_block * width] = {};
    for (std::int32_t first = table.first_row[e]; first < end; first += width) {
      const int rows = end - first < width ? end - first : width;
      for (int i = 0; i < rows; ++i) {
        const AdjointRow& row = table.row[first + i];
        combine_batches(e, row.first, row.first_of_control, memory, x + i, width);
        combine_batches(e, row.first_of_control, row.last, memory, y + i, width);
      }
      const BatchMoments<D> moments =
          batch_moments<D>([&](int b) { return load<D>(x + b * width); },
                           [&](int b) { return load<D>(y + b * width); });
      for (int i = 0; i < rows; ++i)
        results[table.first_result + first + i] = block_statistics(moments, i);
    }
  }

  void run_block(Index block, std::byte* at) const {
    const GreekScratch memory(at, layout);
    const Index n = job->tile_samples;
    for (Index start = 0; start < job->block_samples; start += n) {
      const Index first = block * job->block_samples + start;
      simulate(job->base, memory, first);
      for (Index i = 0; i < job->others; ++i) simulate(job->other[i], memory, first);
      sample_base(memory, start);
      for (Index g = 0; g < job->groups; ++g) add_group(job->group[g], memory, start == 0);
    }
    BlockStatistics* results = job->results + (block - job->blocks.first) * job->rows;
    for (Index r = 0; r < host_sums(*job); ++r)
      results[r] = finish_sums(memory.sums[r], static_cast<double>(job->block_samples));
    for (Index e = 0; e < job->adjoint.entries; ++e) finish_adjoint(e, memory, results);
  }
};

/// The layout of the scratch memory of a job, and the number of its parts.
template <class T>
inline GreekLayout layout_of(const GreeksJob<T>& job) {
  return greek_layout(job, host_group_lanes, host_sums(job));
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
