#pragma once
// Greeks of blocks on a CUDA device: the launches that simulate paths and evaluate payoffs are
// those of prices.

#include "kernels/pricing/greeks/adjoint/batch_sums.hpp"
#include "kernels/pricing/greeks/adjoint/script_fixings.hpp"
#include "kernels/pricing/greeks/adjoint/smoothed_gradients.hpp"
#include "kernels/pricing/greeks/derive_paths.hpp"
#include "kernels/pricing/greeks/greek_scratch.hpp"
#include "kernels/pricing/run_cuda.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Samples of the Greeks of a batch and of their controls: index = position of the Greek in the
/// batch * samples + sample.
struct CombineSamples {
  const GreekOfBatch* greek;
  const double *base, *base_control, *point, *point_control;  ///< GreekScratch
  double *out, *out_control;
  Index samples, tile_samples;

  GSIM_HD void operator()(Index i) const {
    const Index r = i / samples, s = i % samples;
    const GreekOfBatch& g = greek[r];
    const Index at_base = g.base * tile_samples, at_point = g.slot * tile_samples;
    out[r * tile_samples + s] =
        greek_sample<double>(g.row, g.points, base + at_base, point + at_point, tile_samples, s);
    out_control[r * tile_samples + s] = greek_sample<double>(
        g.row, g.points, base_control + at_base, point_control + at_point, tile_samples, s);
  }
};

/// The sums of the payoffs of consecutive entries, or of their controls, over one batch of samples:
/// index = position of the entry * batches + batch. The launch for the payoffs comes first.
template <class T, class Policy>
struct SweepBatches {
  const TradeView<T>* trade;
  const std::int32_t* active;
  const AdjointEntry<T>* entry;  ///< the first one
  Tile<T> tile;
  const double* base;  ///< samples of the trades, or of their controls
  double* sums;        ///< [sum][batch], from the first sum of the first entry on
  Index batches, block_samples, tile_samples;
  bool is_control;
  const double* script;  ///< the derivatives of a scripted payoff, which is the only entry

  GSIM_HD void operator()(Index i) const {
    constexpr Index lanes = LaneSums::lanes;
    const Index position = i / batches, batch = i % batches;
    const AdjointEntry<T>& e = entry[position];
    double* const out = sums + (e.first_sum - entry[0].first_sum) * batches + batch;
    if (!is_control)
      for (Index s = 0; s < e.sums; ++s) out[s * batches] = 0;
    const std::int32_t own_sum = is_control ? e.control_sum : e.payoff_sum;
    const AdjointSweep<T>* const sweep = is_control ? e.control : e.payoff;
    const Index sweeps = is_control ? e.control_sweeps : e.payoff_sweeps;
    const bool is_script = !is_control && e.swept == SweptPayoff::script;
    if (own_sum < 0 && sweeps == 0 && !is_script) return;
    const TradeView<T>& of_entry = trade[active[e.base]];
    const Index of_part = block_samples / parts_of_block;
    const Index first = batch / lanes * of_part, last = first + of_part;
    const auto put = [&](std::int32_t sum, T value) { out[sum * batches] += value; };
    const auto put_product = [&](std::int32_t sum, T a, T b) {
      out[sum * batches] = fma(a, b, out[sum * batches]);
    };
    const auto use = [&](const auto& evaluate, auto) {
      GSIM_NO_UNROLL
      for (Index s = first + batch % lanes; s < last; s += lanes) {
        if (own_sum >= 0) out[own_sum * batches] += base[e.base * tile_samples + s];
        GSIM_NO_UNROLL
        for (Index path = s; path < tile.stride; path += tile_samples)
          evaluate(path, [&](const auto& gradient, const auto& fixings, const auto&) {
            GSIM_NO_UNROLL
            for (Index i = 0; i < sweeps; ++i)
              sweep_columns<T>(sweep[i], gradient, fixings, put, put_product);
            if constexpr (requires { fixings.put_numbers(e.number, put); })
              fixings.put_numbers(e.number, put);
          });
      }
    };
    if (is_script)
      use(
          [&](Index path, const auto& of_group) {
            of_group(ScriptGradient<T>(),
                     ScriptFixings<T, T>{of_entry.payoff, tile, path, script + path, tile.stride},
                     T(0));
          },
          std::false_type());
    else
      with_swept_payoff<Policy, T>(is_control ? of_entry.control : of_entry.payoff,
                                   is_control ? SweptPayoff::own : e.swept, e.number, tile, use);
  }
};

/// The statistics of one block and adjoint Greek: index = position of the row * blocks + block.
template <class T>
struct FinishBatches {
  AdjointTable<T> table;
  const double* sums;        ///< as in SweepBatches
  BlockStatistics* results;  ///< of the tile's first block and the first row
  Index first_row, first_entry, blocks, rows;

  GSIM_HD void operator()(Index i) const {
    const Index position = i / blocks, block = i % blocks, batches = blocks * batches_of_block;
    const AdjointRow& row = table.row[first_row + position];
    const AdjointEntry<T>& entry = table.entry[table.entry_of_row[first_row + position]];
    const double* const at = sums +
                             (entry.first_sum - table.entry[first_entry].first_sum) * batches +
                             block * batches_of_block;
    results[block * rows + position] = block_statistics(batch_moments<double>(
        [&](int b) {
          return combined_sums<double>(table.term, row.first, row.first_of_control, at + b,
                                       batches);
        },
        [&](int b) {
          return combined_sums<double>(table.term, row.first_of_control, row.last, at + b, batches);
        }));
  }
};

/// Adds the samples of one lane of one block and Greek: index = (row * blocks + block) * lanes +
/// lane.
struct AddGreekLane {
  const double *samples, *control_samples;  ///< [row][tile_samples]
  LaneSums* sums;                           ///< [row][block]
  Index blocks, block_samples, tile_samples;

  GSIM_HD void operator()(Index i) const {
    const Index pair = i / LaneSums::lanes, row = pair / blocks, block = pair % blocks;
    const Index at = row * tile_samples + block * block_samples;
    sum_lane(samples + at, control_samples + at, true, block_samples,
             static_cast<int>(i % LaneSums::lanes), sums[pair]);
  }
};

/// Computes the paths of `samples` samples of all derived assets: index = (position of the asset *
/// paths per sample + path of the sample) * samples + sample.
template <class T, class Policy>
struct DerivePaths {
  const DerivedAsset<T>* derived;
  T* tile;
  Index samples, tile_samples, stride;
  std::int32_t paths_per_sample;

  GSIM_HD void operator()(Index i) const {
    const Index part = i / samples;
    derive_paths<Policy, T>(derived[part / paths_per_sample],
                            tile + part % paths_per_sample * tile_samples + i % samples, stride);
  }
};

template <class T, class Policy>
struct CudaGreeks {
  const Executor& executor;
  const GreeksJob<T>& job;
  GreekScratch memory;

  /// The samples of a batch, [slot][tile_samples].
  void evaluate(const TradeBatch<T>& batch, Index samples, double* out, double* control) const {
    const Scratch<T> scratch = memory.tile(job.base.paths, job.tile_samples, out, control);
    launch(executor, "pricing: evaluate", batch.slots * samples,
           EvaluateSample<T, Policy>{nullptr, nullptr, batch.slot, true, scratch.tile,
                                     scratch.weights, out, control, samples, job.tile_samples});
    exercise(batch, scratch, samples);
    constexpr Index no_number = 0;  // only recorded and nested paths need that of their samples
    for (Index i = 0; i < batch.launches; ++i) {
      const LaunchedInMarket<T>& l = batch.launched[i];
      const Index at = l.slot * job.tile_samples;
      sample_by_launcher(executor, *l.market, *l.trade,
                         memory.tile(l.market->paths, job.tile_samples, out, control), no_number,
                         samples, out + at, control + at);
    }
  }

  /// The samples of the trades of a batch that may be exercised early, by one launch.
  void exercise(const TradeBatch<T>& batch, const Scratch<T>& scratch, Index samples) const {
    if (batch.targets == 0) return;
    ExerciseJob<T> call{};
    call.target = batch.exercised;
    call.targets = batch.targets;
    call.is_vanilla = batch.targets_are_vanilla;
    call.branches = job.base.paths.branches;
    call.tile = scratch.tile;
    call.samples = samples;
    call.antithetic_offset = scratch.tile.stride - job.tile_samples;
    call.sample = scratch.samples;
    call.control_sample = scratch.control_samples;
    batch.exercise(executor, call);
  }

  /// Simulates the rows of the tile that belong to `path_job`.
  void simulate(const PathJob<T>& path_job, Index first_sample, Index samples) const {
    const Scratch<T> scratch = memory.tile(path_job.paths, job.tile_samples);
    simulate_tile<T, Policy>(executor, path_job, scratch, first_sample, samples);
    simulate_launched(executor, path_job, scratch, first_sample, samples, job.tile_samples);
  }

  /// Adds the samples of the trades in the market itself to the sums of their prices.
  void add_prices(Index done, Index blocks) const {
    const PathJob<T>& base = job.base;
    launch(executor, "pricing: add", base.active_trades * blocks * LaneSums::lanes,
           AddLane<T>{base.trade, base.active, memory.base, memory.base_control, memory.sums,
                      blocks, job.block_samples, job.tile_samples});
    launch(executor, "pricing: finish", base.active_trades * blocks,
           FinishBlock{memory.sums, job.results + done * job.rows, blocks, job.rows,
                       job.block_samples});
  }

  void derive(const GreekGroup<T>& group, Index samples) const {
    const PathTable<T>& paths = job.base.paths;
    const Tile<T> tile = memory.tile(paths, job.tile_samples).tile;
    launch(executor, "pricing: derive", group.derived_assets * paths.paths_per_sample * samples,
           DerivePaths<T, Policy>{group.derived, tile.data, samples, job.tile_samples, tile.stride,
                                  paths.paths_per_sample});
  }

  void add_group(const GreekGroup<T>& group, Index done, Index blocks) const {
    const Index samples = blocks * job.block_samples;
    derive(group, samples);
    for (Index i = 0; i < group.batches; ++i) {
      const GreekBatch<T>& batch = group.batch[i];
      evaluate(batch.trades, samples, memory.point, memory.point_control);
      launch(executor, "pricing: combine", batch.greeks * samples,
             CombineSamples{batch.greek, memory.base, memory.base_control, memory.point,
                            memory.point_control, memory.row, memory.row_control, samples,
                            job.tile_samples});
      add_rows(batch.greeks, batch.first_result, done, blocks);
    }
  }

  /// Adds the samples of `rows` Greeks to their statistics, from `first_result` on.
  void add_rows(Index rows, Index first_result, Index done, Index blocks) const {
    launch(executor, "pricing: add", rows * blocks * LaneSums::lanes,
           AddGreekLane{memory.row, memory.row_control, memory.sums, blocks, job.block_samples,
                        job.tile_samples});
    launch(executor, "pricing: finish", rows * blocks,
           FinishBlock{memory.sums, job.results + done * job.rows + first_result, blocks, job.rows,
                       job.block_samples});
  }

  void add_adjoints(Index done, Index blocks) const {
    const AdjointTable<T>& table = job.adjoint;
    for (Index first = 0, last = 0; first < table.entries; first = last) {
      const auto is_script = [&](Index e) { return table.script[e].steps > 0; };
      while (last < table.entries &&
             table.first_sum[last + 1] - table.first_sum[first] <= job.sums_at_once &&
             (last == first || !(is_script(first) || is_script(last))))
        ++last;
      if (is_script(first)) derive_script(first, blocks * job.block_samples);
      add_adjoints(first, last, done, blocks);
    }
  }

  /// The derivatives of the scripted payoff of entry `e` on the paths of `samples` samples.
  void derive_script(Index e, Index samples) const {
    ScriptDerivativesJob<T> of_paths{};
    of_paths.trade = job.base.trade;
    of_paths.active = job.base.active;
    of_paths.entry = job.adjoint.entry + e;
    of_paths.tile = memory.tile(job.base.paths, job.tile_samples).tile;
    of_paths.derivative = memory.script;
    of_paths.row = of_paths.tile.stride;
    const ScriptSize& size = job.adjoint.script[e];
    of_paths.memory = memory.script + size.derivatives * of_paths.row;
    of_paths.tape_row = script_paths(size, of_paths.row);
    for (Index path = 0; path < of_paths.tile.stride; path += job.tile_samples)
      for (Index s = 0; s < samples; s += of_paths.paths) {
        const Index left = samples - s;
        of_paths.first = of_paths.offset = path + s;
        of_paths.paths = left < of_paths.tape_row ? left : of_paths.tape_row;
        job.derive_script(executor, of_paths);
      }
  }

  /// The sums of the trades with early exercise among entries [first, last).
  void sweep_exercised(Index first, Index last, const Tile<T>& tile, Index batches) const {
    const AdjointTable<T>& table = job.adjoint;
    Index from = 0;
    while (from < table.exercised_targets && table.entry_of_exercised[from] < first) ++from;
    Index to = from;
    while (to < table.exercised_targets && table.entry_of_exercised[to] < last) ++to;
    if (to == from) return;
    ExercisedSweepJob<T> call{};
    call.target = table.exercised + from;
    call.targets = to - from;
    call.tile = tile;
    call.tile_samples = job.tile_samples;
    call.sums = memory.adjoint;
    call.sum_stride = call.batches = batches;
    call.first_sum = table.first_sum[first];
    call.block_samples = job.block_samples;
    table.sweep_exercised(executor, call);
  }

  /// The adjoint Greeks of entries [first, last).
  void add_adjoints(Index first, Index last, Index done, Index blocks) const {
    const AdjointTable<T>& table = job.adjoint;
    const Index batches = blocks * batches_of_block;
    const Tile<T> tile = memory.tile(job.base.paths, job.tile_samples).tile;
    for (const bool is_control : {false, true})
      launch(executor, "pricing: sweep", (last - first) * batches,
             SweepBatches<T, Policy>{job.base.trade, job.base.active, table.entry + first, tile,
                                     is_control ? memory.base_control : memory.base, memory.adjoint,
                                     batches, job.block_samples, job.tile_samples, is_control,
                                     memory.script});
    sweep_exercised(first, last, tile, batches);
    const Index row = table.first_row[first], rows = table.first_row[last] - row;
    launch(executor, "pricing: finish", rows * blocks,
           FinishBatches<T>{table, memory.adjoint,
                            job.results + done * job.rows + table.first_result + row, row, first,
                            blocks, job.rows});
  }
};

/// The layout of the scratch memory of a job.
template <class T>
inline GreekLayout layout_of(const GreeksJob<T>& job) {
  return greek_layout(job, job.tile_samples, device_sums(job));
}

template <class T, class Policy>
void run_greeks(const Executor& executor, const GreeksJob<T>& job) {
  const CudaGreeks<T, Policy> run{executor, job, GreekScratch(job.scratch, layout_of(job))};
  const Index tile_blocks = job.tile_samples / job.block_samples;
  for (Index done = 0; done < job.blocks.size(); done += tile_blocks) {
    const Index left = job.blocks.size() - done;
    const Index blocks = left < tile_blocks ? left : tile_blocks;
    const Index samples = blocks * job.block_samples;
    const Index first_sample = (job.blocks.first + done) * job.block_samples;
    run.simulate(job.base, first_sample, samples);
    for (Index i = 0; i < job.others; ++i) run.simulate(job.other[i], first_sample, samples);
    run.evaluate(job.base_trades, samples, run.memory.base, run.memory.base_control);
    if (job.has_prices) run.add_prices(done, blocks);
    run.add_adjoints(done, blocks);
    for (Index g = 0; g < job.groups; ++g) run.add_group(job.group[g], done, blocks);
  }
}

}  // namespace pricing_kernels
GSIM_TARGET_END
