#pragma once
// Simulation of blocks on the host: each worker processes whole blocks, in tiles that fit its
// cache. Results do not depend on the tile size, because samples are numbered and sums have fixed
// lanes.

#include "kernels/pricing/paths/run_group.hpp"
#include "kernels/pricing/paths/simulate_one_step.hpp"
#include "kernels/pricing/payoffs/evaluate.hpp"
#include "kernels/pricing/statistics/lane_sums.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Adds `count` samples x and, with `control`, samples y of the control variate to the sums of a
/// trade; `count` is a multiple of the number of lanes.
template <bool control>
inline __attribute__((noinline)) void add_samples(LaneSums& sums, const double* x, const double* y,
                                                  Index count) {
  using D = packed<double>;
  constexpr int width = lanes_of<D>, parts = LaneSums::lanes / width;
  D sum_x[parts], sum_xx[parts], sum_y[parts], sum_yy[parts], sum_xy[parts];
  for (int i = 0; i < parts; ++i) {
    sum_x[i] = load<D>(sums.x + i * width);
    sum_xx[i] = load<D>(sums.xx + i * width);
    if constexpr (control) {
      sum_y[i] = load<D>(sums.y + i * width);
      sum_yy[i] = load<D>(sums.yy + i * width);
      sum_xy[i] = load<D>(sums.xy + i * width);
    }
  }
  for (Index s = 0; s < count; s += LaneSums::lanes) {
    for (int i = 0; i < parts; ++i) {
      const D dx = load<D>(x + s + i * width) - D(sums.shift_x);
      sum_x[i] = sum_x[i] + dx;
      sum_xx[i] = fma(dx, dx, sum_xx[i]);
      if constexpr (control) {
        const D dy = load<D>(y + s + i * width) - D(sums.shift_y);
        sum_y[i] = sum_y[i] + dy;
        sum_yy[i] = fma(dy, dy, sum_yy[i]);
        sum_xy[i] = fma(dx, dy, sum_xy[i]);
      }
    }
  }
  for (int i = 0; i < parts; ++i) {
    store(sums.x + i * width, sum_x[i]);
    store(sums.xx + i * width, sum_xx[i]);
    if constexpr (control) {
      store(sums.y + i * width, sum_y[i]);
      store(sums.yy + i * width, sum_yy[i]);
      store(sums.xy + i * width, sum_xy[i]);
    }
  }
}

/// Multiplies samples by their likelihood ratios under importance sampling.
template <class T>
inline void apply_weights(const T* weights, Index count, double* samples) {
  if (weights == nullptr) return;
  for (Index s = 0; s < count; ++s) samples[s] *= static_cast<double>(weights[s]);
}

/// Samples of one payoff over a tile of `count` samples.
template <class T, class Policy>
inline __attribute__((noinline)) void sample_tile(const PayoffView<T>& terms,
                                                  const Scratch<T>& scratch, Index count,
                                                  double* samples) {
  const Index paths = scratch.tile.stride, antithetic_offset = paths > count ? count : 0;
  using P = PayoffGroup<T>;
  static_assert(host_group_lanes % lanes_of<P> == 0);
  evaluate_paths<Policy, P>(terms, scratch.tile, 0, paths, scratch.values);
  discount_samples(terms.discount, scratch.values, count, antithetic_offset, samples);
  apply_weights(scratch.weights, count, samples);
}

template <class T, class Policy>
struct HostRun {
  const Executor* executor;
  const PathJob<T>* job;
  ScratchLayout layout;

  /// Samples of a launched payoff over a tile, whose first sample is number `first` of the run.
  void sample_launched(const LaunchedTrade<T>& launched, const Scratch<T>& scratch,
                       Index first) const {
    sample_by_launcher(*executor, *job, launched, scratch, first, job->tile_samples,
                       scratch.samples, scratch.control_samples);
    apply_weights(scratch.weights, job->tile_samples, scratch.samples);
  }

  /// Samples of the i-th active trade over a tile, whose first sample is number `first` of the run,
  /// and of its control if it has one; returns whether it does. `launched` is the next trade that
  /// launchers evaluate, and is advanced.
  bool sample_trade(const Scratch<T>& scratch, Index first, Index i,
                    const LaunchedTrade<T>*& launched) const {
    const TradeView<T>& trade = job->trade[job->active[i]];
    if (trade.payoff.formula == PayoffFormula::launched)
      sample_launched(*launched++, scratch, first);
    else
      sample_tile<T, Policy>(trade.payoff, scratch, job->tile_samples, scratch.samples);
    if (trade.has_control && trade.control.formula != PayoffFormula::launched)
      sample_tile<T, Policy>(trade.control, scratch, job->tile_samples, scratch.control_samples);
    return trade.has_control;
  }

  /// Evaluates all active trades on the paths of the tile, the first of which is that of sample
  /// `first` of the run, and adds the samples to their sums.
  void add_tile(const Scratch<T>& scratch, Index first, bool first_of_block) const {
    const Index count = job->tile_samples;
    const LaunchedTrade<T>* launched = job->launched;
    for (Index i = 0; i < job->active_trades; ++i) {
      LaneSums& sums = scratch.sums[i];
      const bool has_control = sample_trade(scratch, first, i, launched);
      if (first_of_block)
        start_sums(sums, scratch.samples[0], has_control ? scratch.control_samples[0] : 0.0);
      if (has_control)
        add_samples<true>(sums, scratch.samples, scratch.control_samples, count);
      else
        add_samples<false>(sums, scratch.samples, scratch.control_samples, count);
    }
  }

  /// Simulates the tile's samples; the first one is number `first` of the run.
  void fill_tile(const Scratch<T>& scratch, Index first) const {
    using P = packed<T>;
    const PathTable<T>& t = job->paths;
    switch (t.loop) {
      case PathLoop::one_step:
        return fill_tile_one_step<P, Policy>(t, scratch.tile, static_cast<std::uint64_t>(first),
                                             job->tile_samples);
      case PathLoop::one_asset:
        return with_scheme(t.scheme, [&](auto scheme) {
          using Scheme = decltype(scheme);
          if constexpr (HasOneAssetLoop<Scheme>) {
            using Model = typename Scheme::template OneAsset<Policy, P, T>;
            fill_groups<Pack<T, registers_of<Model>() * lanes_of<P>>>(scratch, first);
          }
        });
      case PathLoop::none:
        return;
      default:
        return fill_groups<P>(scratch, first);
    }
  }

  /// Simulates the samples of the tile in groups of lanes_of<P> samples.
  template <class P>
  void fill_groups(const Scratch<T>& scratch, Index first) const {
    constexpr Index width = lanes_of<P>;
    static_assert(width <= host_group_lanes);
    for (Index path = 0; path < job->tile_samples; path += width)
      run_group<Policy, P>(job->paths, scratch.tile, path, static_cast<std::uint64_t>(first + path),
                           {scratch.state, width}, scratch.normals, width, scratch.weights);
  }

  void run_block(Index block, std::byte* memory) const {
    const Scratch<T> scratch(job->paths, memory, layout, job->tile_samples);
    for (Index start = 0; start < job->block_samples; start += job->tile_samples) {
      const Index first = block * job->block_samples + start;
      fill_tile(scratch, first);
      simulate_launched(*executor, *job, scratch, first, job->tile_samples, /*memory_stride=*/0);
      add_tile(scratch, first, start == 0);
    }
    BlockStatistics* results = job->results + (block - job->blocks.first) * job->active_trades;
    for (Index i = 0; i < job->active_trades; ++i)
      results[i] = finish_sums(scratch.sums[i], static_cast<double>(job->block_samples));
  }
};

template <class T, class Policy>
void run_paths(const Executor& executor, const PathJob<T>& job) {
  const HostRun<T, Policy> run{&executor, &job,
                               scratch_layout(job.paths, job.tile_samples, host_group_lanes,
                                              /*trades=*/1, job.active_trades)};
  executor.pool().run(
      job.blocks.size(),
      [](void* context, Index chunk, int worker) {
        const auto& r = *static_cast<const HostRun<T, Policy>*>(context);
        r.run_block(r.job->blocks.first + chunk, r.job->scratch + worker * r.layout.bytes);
      },
      const_cast<void*>(static_cast<const void*>(&run)));
}

}  // namespace pricing_kernels
GSIM_TARGET_END
