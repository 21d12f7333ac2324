#pragma once
// Greeks of blocks on a CUDA device: the launches that simulate paths and evaluate payoffs are
// those of prices, on one tile for the market and one for each point of a stencil.

#include "kernels/pricing/greeks/greek_scratch.hpp"
#include "kernels/pricing/run_cuda.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Samples of the Greeks of a batch of entries and of their controls: index = position of the row
/// in the batch * samples + sample.
struct CombineSamples {
  const GreekRow* row;               ///< of the batch
  const std::int32_t* entry_of_row;  ///< [row] of the stencil
  const std::int32_t* base_of_entry;
  const double *base, *base_control, *point, *point_control;  ///< GreekScratch
  double *out, *out_control;
  Index first_entry, entries_at_once, samples, tile_samples;
  int points;

  GSIM_HD void operator()(Index i) const {
    const Index r = i / samples, s = i % samples;
    const Index entry = entry_of_row[r];
    const Index at_base = base_of_entry[entry] * tile_samples;
    const Index at_point = (entry - first_entry) * tile_samples;
    const Index stride = entries_at_once * tile_samples;
    out[r * tile_samples + s] =
        greek_sample<double>(row[r], points, base + at_base, point + at_point, stride, s);
    out_control[r * tile_samples + s] = greek_sample<double>(row[r], points, base_control + at_base,
                                                             point_control + at_point, stride, s);
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

/// Computes the paths of `samples` samples from those in a tile of the same layout: index =
/// (position of the row * paths per sample + path of the sample) * samples + sample.
template <class T>
struct DeriveTile {
  DerivedTile<T> derived;
  const T* from;
  T* to;
  Index samples, tile_samples, stride;
  std::int32_t paths_per_sample;

  GSIM_HD void operator()(Index i) const {
    const Index part = i / samples, r = part / paths_per_sample;
    const Index at = derived.row[r] * stride + part % paths_per_sample * tile_samples + i % samples;
    to[at] = fma(from[at], derived.scale[r], derived.shift[r]);
  }
};

/// Sets the samples of absent controls to 0: index = position of the trade * samples + sample.
template <class T>
struct ClearControls {
  const TradeView<T>* trade;
  const std::int32_t* active;
  double* control_samples;  ///< [position of the trade][tile_samples]
  Index samples, tile_samples;

  GSIM_HD void operator()(Index i) const {
    const Index position = i / samples;
    if (!trade[active[position]].has_control)
      control_samples[position * tile_samples + i % samples] = 0;
  }
};

template <class T, class Policy>
struct CudaGreeks {
  const Executor& executor;
  const GreeksJob<T>& job;
  GreekScratch memory;

  /// Samples of `trades` trades of `path_job` from position `first` on.
  void evaluate(const PathJob<T>& path_job, const Scratch<T>& scratch, Index samples, Index first,
                Index trades) const {
    launch(executor, "pricing: evaluate", trades * samples,
           EvaluateSample<T, Policy>{path_job.trade, path_job.active + first, scratch.tile,
                                     scratch.weights, scratch.samples, scratch.control_samples,
                                     samples, job.tile_samples});
    launch(executor, "pricing: clear", trades * samples,
           ClearControls<T>{path_job.trade, path_job.active + first, scratch.control_samples,
                            samples, job.tile_samples});
    constexpr Index no_number = 0;  // only recorded and nested paths need that of their samples
    sample_launched(executor, path_job, scratch, no_number, samples, first, trades);
  }

  /// Simulates the tile of `path_job` in slot `slot`; its samples will go to the given arrays.
  Scratch<T> simulate(const PathJob<T>& path_job, Index slot, Index first_sample, Index samples,
                      double* values, double* controls) const {
    const Scratch<T> scratch = memory.simulation(path_job.paths, slot, job.tile_samples,
                                                 job.tile_samples, values, controls);
    simulate_tile<T, Policy>(executor, path_job, scratch, first_sample, samples);
    simulate_launched(executor, path_job, scratch, first_sample, samples, job.tile_samples);
    return scratch;
  }

  /// Computes the tile of a slot from that of the market itself, in slot 0.
  void derive(const DerivedTile<T>& derived, const PathTable<T>& paths, Index slot,
              Index samples) const {
    const auto tile_of = [&](Index at) {
      return memory.simulation(paths, at, job.tile_samples, job.tile_samples, nullptr, nullptr)
          .tile;
    };
    const Tile<T> from = tile_of(0), to = tile_of(slot);
    launch(executor, "pricing: derive", derived.rows * paths.paths_per_sample * samples,
           DeriveTile<T>{derived, from.data, to.data, samples, job.tile_samples, from.stride,
                         paths.paths_per_sample});
  }

  void add_stencil(const GreekStencil<T>& stencil, Index done, Index blocks) const {
    const Index samples = blocks * job.block_samples;
    const Index first_sample = (job.blocks.first + done) * job.block_samples;
    const Index stride = job.entries_at_once * job.tile_samples;
    for (int p = 0; p < stencil.points; ++p)
      if (stencil.derived[p].rows > 0)
        derive(stencil.derived[p], stencil.point[p].paths, 1 + p, samples);
      else
        simulate(stencil.point[p], 1 + p, first_sample, samples, nullptr, nullptr);
    for (Index first = 0; first < stencil.entries; first += job.entries_at_once) {
      const Index left = stencil.entries - first;
      const Index entries = left < job.entries_at_once ? left : job.entries_at_once;
      for (int p = 0; p < stencil.points; ++p)
        evaluate(
            stencil.point[p],
            memory.simulation(stencil.point[p].paths, 1 + p, job.tile_samples, job.tile_samples,
                              memory.point + p * stride, memory.point_control + p * stride),
            samples, first, entries);
      const Index row = stencil.first_row[first];
      const Index rows = stencil.first_row[first + entries] - row;
      launch(executor, "pricing: combine", rows * samples,
             CombineSamples{stencil.row + row, stencil.entry_of_row + row, stencil.base,
                            memory.base, memory.base_control, memory.point, memory.point_control,
                            memory.row, memory.row_control, first, job.entries_at_once, samples,
                            job.tile_samples, stencil.points});
      launch(executor, "pricing: add", rows * blocks * LaneSums::lanes,
             AddGreekLane{memory.row, memory.row_control, memory.sums, blocks, job.block_samples,
                          job.tile_samples});
      launch(executor, "pricing: finish", rows * blocks,
             FinishBlock{memory.sums, job.results + done * job.rows + stencil.first_result + row,
                         blocks, job.rows, job.block_samples});
    }
  }
};

template <class T>
inline GreekLayout layout_of(const GreeksJob<T>& job) {
  return greek_layout(job, job.tile_samples,
                      job.rows_at_once * (job.tile_samples / job.block_samples));
}

template <class T, class Policy>
void run_greeks(const Executor& executor, const GreeksJob<T>& job) {
  const CudaGreeks<T, Policy> run{executor, job, GreekScratch(job.scratch, layout_of(job))};
  const Index tile_blocks = job.tile_samples / job.block_samples;
  for (Index done = 0; done < job.blocks.size(); done += tile_blocks) {
    const Index left = job.blocks.size() - done;
    const Index blocks = left < tile_blocks ? left : tile_blocks;
    const Index samples = blocks * job.block_samples;
    const Scratch<T> scratch =
        run.simulate(job.base, 0, (job.blocks.first + done) * job.block_samples, samples,
                     run.memory.base, run.memory.base_control);
    run.evaluate(job.base, scratch, samples, 0, job.base.active_trades);
    for (Index k = 0; k < job.stencils; ++k) run.add_stencil(job.stencil[k], done, blocks);
  }
}

}  // namespace pricing_kernels
GSIM_TARGET_END
