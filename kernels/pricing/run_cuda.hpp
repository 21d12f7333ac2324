#pragma once
// Simulation of blocks on a CUDA device. A tile holds many blocks. Where payoffs can be evaluated
// while paths are simulated (fused/sample_fused.hpp), one launch computes the samples of a batch of
// trades; otherwise one launch simulates the paths of the tile, and one evaluates a batch of trades
// on them. Two small launches add the samples in the same order as on the host.

#include <type_traits>

#include "kernels/pricing/fused/sample_fused.hpp"
#include "kernels/pricing/paths/run_group.hpp"
#include "kernels/pricing/paths/simulate_one_step.hpp"
#include "kernels/pricing/payoffs/evaluate.hpp"
#include "kernels/pricing/statistics/lane_sums.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Simulates sample `i` of the tile or, in the loop of one step, the i-th set of samples that share
/// blocks; with `by_driver` asset i / samples and its variants of sample i mod samples. Each loop,
/// and each scheme of the loop over one asset, is a separate kernel, so that each uses only the
/// registers that it needs.
template <class T, class Policy, PathLoop loop, StepScheme scheme = StepScheme::launched>
struct SimulateSample {
  PathTable<T> paths;
  Tile<T> tile;
  T *state, *normals, *weights;  ///< of Scratch
  Index first_sample;            ///< number in the run of the tile's first sample
  Index tile_samples;            ///< number of samples that a tile can hold
  Index samples;
  bool by_driver;  ///< PathLoop::general with drawn normals: a thread for each driver

  GSIM_HD void operator()(Index i) const {
    if constexpr (loop == PathLoop::one_step) {
      using Chunk = OneStepChunk<T>;
      const Index path = i / Chunk::lanes * Chunk::samples + i % Chunk::lanes;
      run_one_step<Policy>(paths, tile, path, static_cast<std::uint64_t>(first_sample + path));
    } else {
      PathTable<T> t = paths;
      t.loop = loop;
      t.scheme = scheme;
      t.tangents = 0;  // SimulateWithTangents has them, and needs more registers
      constexpr bool is_general = loop == PathLoop::general;
      const Index s = is_general && by_driver ? i % samples : i;
      const auto driver = static_cast<std::int32_t>(is_general && by_driver ? i / samples : -1);
      run_group<Policy, T, is_general>(t, tile, s, static_cast<std::uint64_t>(first_sample + s),
                                       {state + s, tile_samples}, normals + s, tile_samples,
                                       weights, driver);
    }
  }
};

/// The same in the general loop, with the derivatives of paths for Greeks.
template <class Policy>
struct SimulateWithTangents {
  PathTable<double> paths;
  Tile<double> tile;
  double *state, *normals, *weights;
  Index first_sample, tile_samples, samples;
  bool by_driver;  ///< false

  GSIM_HD void operator()(Index i) const {
    PathTable<double> t = paths;
    t.loop = PathLoop::general;
    t.scheme = StepScheme::launched;
    run_group<Policy, double>(t, tile, i, static_cast<std::uint64_t>(first_sample + i),
                              {state + i, tile_samples}, normals + i, tile_samples, weights);
  }
};

/// Samples of a batch of trades except launched payoffs, which have launchers of their own: index =
/// position of the trade in the batch * samples + sample. With `clears` the samples of absent
/// controls are 0.
template <class T, class Policy>
struct EvaluateSample {
  const TradeView<T>* trade;
  const std::int32_t* active;
  const TradeInMarket<T>* in_market;  ///< [position of the trade], in place of `active`; or null
  bool clears;
  Tile<T> tile;
  const T* weights;                         ///< likelihood ratios of the tile's samples, or null
  double *trade_samples, *control_samples;  ///< to be filled, [position of the trade][sample]
  Index samples, tile_samples;

  GSIM_HD void operator()(Index i) const {
    const Index position = i / samples, s = i % samples;
    const TradeView<T>& table =
        in_market != nullptr ? *in_market[position].trade : trade[active[position]];
    Tile<T> of_market = tile;
    if (in_market != nullptr) of_market.asset = in_market[position].asset;
    const Index antithetic_offset = tile.stride > tile_samples ? tile_samples : 0;
    if (clears && !table.has_control) control_samples[position * tile_samples + s] = 0;
    // The loops are not unrolled, so that every payoff is compiled into this kernel only once.
    GSIM_NO_UNROLL
    for (int which = 0; which < (table.has_control ? 2 : 1); ++which) {
      const PayoffView<T>& terms = which == 0 ? table.payoff : table.control;
      if (terms.formula == PayoffFormula::launched) continue;
      double value = 0;
      GSIM_NO_UNROLL
      for (int m = 0; m < (antithetic_offset > 0 ? 2 : 1); ++m) {
        T path_value = 0;
        evaluate_paths<Policy, T>(terms, of_market, s + m * antithetic_offset,
                                  s + m * antithetic_offset + 1, &path_value);
        const auto v = static_cast<double>(path_value);
        value = m == 0 ? v : 0.5 * (value + v);
      }
      value *= terms.discount;
      if (weights != nullptr) value *= static_cast<double>(weights[s]);
      (which == 0 ? trade_samples : control_samples)[position * tile_samples + s] = value;
    }
  }
};

/// Multiplies sample `i` of a launched payoff by its path's likelihood ratio.
template <class T>
struct ApplyWeight {
  const T* weights;
  double* sample;

  GSIM_HD void operator()(Index i) const { sample[i] *= static_cast<double>(weights[i]); }
};

/// Sums of the samples of one lane of a block, whose samples are bx and, with `control`, by.
GSIM_HD void sum_lane(const double* bx, const double* by, bool control, Index block_samples,
                      int lane, LaneSums& out) {
  const double shift_x = bx[0], shift_y = control ? by[0] : 0.0;
  double sx = 0, sxx = 0, sy = 0, syy = 0, sxy = 0;
  for (Index s = lane; s < block_samples; s += LaneSums::lanes) {
    const double dx = bx[s] - shift_x;
    sx += dx;
    sxx = __builtin_fma(dx, dx, sxx);
    if (control) {
      const double dy = by[s] - shift_y;
      sy += dy;
      syy = __builtin_fma(dy, dy, syy);
      sxy = __builtin_fma(dx, dy, sxy);
    }
  }
  if (lane == 0) {
    out.shift_x = shift_x;
    out.shift_y = shift_y;
  }
  out.x[lane] = sx;
  out.xx[lane] = sxx;
  out.y[lane] = sy;
  out.yy[lane] = syy;
  out.xy[lane] = sxy;
}

/// Adds the samples of one lane of one block and trade: index = (position of the trade * blocks +
/// block) * lanes + lane.
template <class T>
struct AddLane {
  const TradeView<T>* trade;
  const std::int32_t* active;
  const double *trade_samples, *control_samples;  ///< as in EvaluateSample
  LaneSums* sums;                                 ///< [trade][block]
  Index blocks, block_samples, tile_samples;

  GSIM_HD void operator()(Index i) const {
    const Index pair = i / LaneSums::lanes, position = pair / blocks, block = pair % blocks;
    const Index at = position * tile_samples + block * block_samples;
    sum_lane(trade_samples + at, control_samples + at, trade[active[position]].has_control,
             block_samples, static_cast<int>(i % LaneSums::lanes), sums[pair]);
  }
};

/// The statistics of one block and trade from its lanes: index = position of the trade * blocks +
/// block.
struct FinishBlock {
  const LaneSums* sums;
  BlockStatistics* results;  ///< of the tile's first block and the batch's first trade
  Index blocks, trades, block_samples;

  GSIM_HD void operator()(Index i) const {
    const Index position = i / blocks, block = i % blocks;
    results[block * trades + position] = finish_sums(sums[i], static_cast<double>(block_samples));
  }
};

/// Up to this number of samples each driver of several assets has a thread of its own, which draws
/// the normals that it needs: a GPU has room for about 80,000 threads of this kernel, and would
/// wait for the latency of each instruction with fewer.
inline constexpr Index few_samples = 1 << 16;

/// Simulates `samples` samples of the tile; the first one is number `first` of the run.
template <class T, class Policy>
void simulate_tile(const Executor& executor, const PathJob<T>& job, const Scratch<T>& scratch,
                   Index first, Index samples) {
  const PathTable<T>& paths = job.paths;
  const bool by_driver = paths.loop == PathLoop::general && paths.tangents == 0 &&
                         paths.assets > 1 && !paths.prepares_normals && samples <= few_samples;
  const auto simulate = [&](auto kernel, Index threads) {
    using Kernel = typename decltype(kernel)::type;
    launch(executor, "pricing: simulate", threads,
           Kernel{paths, scratch.tile, scratch.state, scratch.normals, scratch.weights, first,
                  job.tile_samples, samples, by_driver});
  };
  switch (job.paths.loop) {
    case PathLoop::general:
      if constexpr (std::is_same_v<T, double>)
        if (job.paths.tangents > 0)
          return simulate(std::type_identity<SimulateWithTangents<Policy>>{}, samples);
      return simulate(std::type_identity<SimulateSample<T, Policy, PathLoop::general>>{},
                      by_driver ? samples * paths.assets : samples);
    case PathLoop::one_asset:
      return with_scheme(job.paths.scheme, [&](auto scheme) {
        using Scheme = decltype(scheme);
        if constexpr (HasOneAssetLoop<Scheme>)
          simulate(std::type_identity<
                       SimulateSample<T, Policy, PathLoop::one_asset, value_of(Scheme{})>>{},
                   samples);
      });
    case PathLoop::one_step:
      return simulate(std::type_identity<SimulateSample<T, Policy, PathLoop::one_step>>{},
                      samples / OneStepChunk<T>::samples_per_block);
    case PathLoop::none:
      return;
  }
}

/// Samples of the launched payoffs among the batch of `trades` from position `first` on; the first
/// of the samples is number `first_sample` of the run.
template <class T>
void sample_launched(const Executor& executor, const PathJob<T>& job, const Scratch<T>& scratch,
                     Index first_sample, Index samples, Index first, Index trades) {
  for (Index k = 0; k < job.launched_trades; ++k) {
    const LaunchedTrade<T>& launched = job.launched[k];
    if (launched.position < first || launched.position >= first + trades) continue;
    const Index offset = (launched.position - first) * job.tile_samples;
    double* const sample = scratch.samples + offset;
    sample_by_launcher(executor, job, launched, scratch, first_sample, samples, sample,
                       scratch.control_samples + offset);
    if (scratch.weights != nullptr)
      launch(executor, "pricing: apply weights", samples, ApplyWeight<T>{scratch.weights, sample});
  }
}

/// Adds the samples of `trades` trades from position `first` on in the list of active trades:
/// statistics of `blocks` blocks, the first of which is the `done`-th of the job.
template <class T>
void add_samples(const Executor& executor, const PathJob<T>& job, const Scratch<T>& scratch,
                 Index done, Index blocks, Index first, Index trades) {
  launch(executor, "pricing: add", trades * blocks * LaneSums::lanes,
         AddLane<T>{job.trade, job.active + first, scratch.samples, scratch.control_samples,
                    scratch.sums, blocks, job.block_samples, job.tile_samples});
  launch(executor, "pricing: finish", trades * blocks,
         FinishBlock{scratch.sums, job.results + done * job.active_trades + first, blocks,
                     job.active_trades, job.block_samples});
}

/// The trades that are evaluated on stored paths. The arguments are as in add_samples().
template <class T, class Policy>
void run_on_tile(const Executor& executor, const PathJob<T>& job, const Scratch<T>& scratch,
                 Index done, Index blocks) {
  const Index samples = blocks * job.block_samples;
  const Index first_sample = (job.blocks.first + done) * job.block_samples;
  simulate_tile<T, Policy>(executor, job, scratch, first_sample, samples);
  simulate_launched(executor, job, scratch, first_sample, samples, job.tile_samples);
  for (Index first = job.fused_trades; first < job.active_trades; first += job.trades_at_once) {
    const Index remaining = job.active_trades - first;
    const Index trades = remaining < job.trades_at_once ? remaining : job.trades_at_once;
    launch(executor, "pricing: evaluate", trades * samples,
           EvaluateSample<T, Policy>{job.trade, job.active + first, nullptr, false, scratch.tile,
                                     scratch.weights, scratch.samples, scratch.control_samples,
                                     samples, job.tile_samples});
    sample_launched(executor, job, scratch, first_sample, samples, first, trades);
    add_samples(executor, job, scratch, done, blocks, first, trades);
  }
}

template <class T, class Policy>
void run_paths(const Executor& executor, const PathJob<T>& job) {
  const bool has_tile = job.fused_trades < job.active_trades;
  const ScratchLayout layout =
      scratch_layout(job.paths, job.tile_samples, job.tile_samples, job.trades_at_once,
                     job.trades_at_once * (job.tile_samples / job.block_samples), has_tile);
  const Scratch<T> scratch(job.paths, job.scratch, layout, job.tile_samples);
  const Index tile_blocks = job.tile_samples / job.block_samples;
  for (Index done = 0; done < job.blocks.size(); done += tile_blocks) {
    const Index left = job.blocks.size() - done;
    const Index blocks = left < tile_blocks ? left : tile_blocks;
    Index first = 0;
    for (Index b = 0; b < job.fused_batches; ++b) {
      const FusedBatch<T>& batch = job.fused[b];
      sample_fused<T, Policy>(executor, job, batch, scratch,
                              (job.blocks.first + done) * job.block_samples,
                              blocks * job.block_samples);
      add_samples(executor, job, scratch, done, blocks, first, batch.trades);
      first += batch.trades;
    }
    if (has_tile) run_on_tile<T, Policy>(executor, job, scratch, done, blocks);
  }
}

}  // namespace pricing_kernels
GSIM_TARGET_END
