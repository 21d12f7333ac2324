#pragma once
// The reverse sweeps of a payoff over many samples on the host.

#include "gsim/pricing/sample_payoff.hpp"
#include "kernels/pricing/greeks/adjoint/script_fixings.hpp"
#include "kernels/pricing/greeks/adjoint/script_job.hpp"
#include "kernels/pricing/greeks/adjoint/smoothed_gradients.hpp"
#include "kernels/pricing/greeks/adjoint/terminal_sweep.hpp"
#include "kernels/pricing/greeks/greek_scratch.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// What derives scripted payoffs.
template <class T>
struct HostScript {
  const Executor* executor;
  void (*derive)(const Executor&, const ScriptDerivativesJob<T>&);
  ScriptDerivativesJob<T> job;  ///< without paths
  T* memory;                    ///< script_numbers()
};

/// Adds the sums of one payoff to `sums`, [sum][lane]. Its derivatives are stored in `derivatives`,
/// for some samples at a time.
template <class T, class Policy>
struct HostSweep {
  using P = PayoffGroup<T>;
  static_assert(LaneSums::lanes % lanes_of<P> == 0);
  const PayoffView<T>* terms;
  SweptPayoff swept;
  const T* number;  ///< of a smoothed or scripted payoff
  const AdjointSweep<T>* list;
  Index sweeps;
  const Tile<T>* tile;
  Index tile_samples, paths_per_sample;
  T* derivatives;
  double* sums;
  HostScript<T> script = {};

  /// Over the paths of samples [first, last) of the tile.
  void run(Index first, Index last) const {
    if (swept == SweptPayoff::script) return run_script(first, last);
    if (sweeps == 0) return;
    Index rows = 0;
    bool has_one_date = true;  // and sweeps are in the order of the assets
    for (Index i = 0; i < sweeps; ++i) {
      rows += list[i].arrays() * list[i].dates;
      has_one_date =
          has_one_date && list[i].dates == 1 && (i == 0 || list[i].position > list[i - 1].position);
    }
    const auto range_from = [&](Index from, Index most) {
      const Index left = last - from;
      return SampleRange<T>{tile,         from, left < most ? left : most,
                            tile_samples, most, most * paths_per_sample};
    };
    const auto use = [&](const auto& evaluate, auto is_terminal) {
      if constexpr (is_terminal.value) {
        if (has_one_date) {  // one row at a time holds derivatives by an asset
          const Index most = samples_of_derivatives((terminal_rows + 1) * paths_per_sample);
          for (Index from = first; from < last; from += most)
            add_terminal(range_from(from, most), evaluate);
          return;
        }
      }
      const Index most = samples_of_derivatives(rows * paths_per_sample);
      for (Index from = first; from < last; from += most) add(range_from(from, most), evaluate);
    };
    with_swept_payoff<Policy, P>(*terms, swept, number, *tile, use);
  }

 private:
  void run_script(Index first, Index last) const {
    ScriptDerivativesJob<T> job = script.job;
    const ScriptSize& size = job.entry->script;
    Index arrays = 0;
    for (Index i = 0; i < sweeps; ++i) arrays += list[i].arrays() * list[i].dates;
    const Index most = script_samples(script_numbers_of_sample(size, arrays, paths_per_sample));
    HostSweep of_range = *this;
    of_range.derivatives = script.memory;
    job.row = most * paths_per_sample;
    job.derivative = script.memory + arrays * job.row;
    job.memory = job.derivative + size.derivatives * job.row;
    job.tape_row = most;
    for (Index from = first; from < last; from += most) {
      const Index left = last - from;
      job.paths = left < most ? left : most;
      for (Index m = 0; m < paths_per_sample; ++m, job.has_steps = true) {
        job.first = from + m * tile_samples;
        job.offset = m * most;
        script.derive(*script.executor, job);
      }
      const SampleRange<T> range{tile, from, job.paths, tile_samples, most, job.row};
      of_range.add(range, [&](Index path, const auto& of_group) {
        const Index at = path - from, d = at - at / tile_samples * (tile_samples - most);
        of_group(ScriptGradient<P>(),
                 ScriptFixings<P, T>{*terms, *tile, path, job.derivative + d, job.row}, P(T(0)));
      });
    }
  }

  /// Calls use(path in the tile, offset in a row) for all groups of paths of a range, in order of
  /// the samples.
  template <class Use>
  GSIM_HD void for_all_groups(const SampleRange<T>& range, const Use& use) const {
    for (Index s = 0; s < range.samples; s += lanes_of<P>)
      for (Index path = range.first + s, d = s; path < tile->stride;
           path += tile_samples, d += range.width)
        use(path, d);
  }

  template <class Evaluate>
  void add(const SampleRange<T>& range, const Evaluate& evaluate) const {
    const Index row = range.row;
    for_all_groups(range, [&](Index path, Index d) {
      evaluate(path, [&](const auto& gradient, const auto& fixings, const auto&) {
        T* at = derivatives + d;
        const auto put = [&, lane = d % LaneSums::lanes](std::int32_t sum, P value) {
          double* const to = sums + sum * LaneSums::lanes + lane;
          store(to, load<P>(to) + value);
        };
        for (Index i = 0; i < sweeps; ++i) {
          const AdjointSweep<T>& sweep = list[i];
          T* const here_at = at + (sweep.has_changes ? sweep.dates * row : 0);
          sweep_asset<P>(sweep, gradient, fixings, put, [&](Index j, P here, P later) {
            if (sweep.has_changes) store(at + j * row, later);
            if (sweep.has_tangents) store(here_at + j * row, here);
          });
          at += sweep.arrays() * sweep.dates * row;
        }
        if constexpr (requires { fixings.put_numbers(number, put); })
          fixings.put_numbers(number, put);
      });
    });
    const T* at = derivatives;
    for (Index i = 0; i < sweeps; ++i) {
      const T* const here = at + (list[i].has_changes ? list[i].dates * row : 0);
      add_columns(list[i], StoredDerivatives<T>{range, at, here}, sums);
      at += list[i].arrays() * list[i].dates * row;
    }
  }

  /// Sweeps with one date of a payoff that depends on the last fixing alone, for which G_j = H_j.
  template <class Evaluate>
  void add_terminal(const SampleRange<T>& range, const Evaluate& evaluate) const {
    T *const by_spot = derivatives, *const spot = by_spot + range.row,
             *const out = spot + range.row;
    const Index last = terms->fixings - 1;
    for_all_groups(range, [&](Index path, Index d) {
      evaluate(path, [&](auto gradient, const auto& fixings, const P& underlying) {
        store(by_spot + d, gradient.at(last, fixings));
        store(spot + d, underlying);
      });
    });
    const bool is_extreme =
        terms->combination == Combination::best_of || terms->combination == Combination::worst_of;
    Index asset = 0;
    for (Index i = 0; i < sweeps; ++i) {
      for (; is_extreme && asset <= list[i].position; ++asset)
        derive_selected(*terms, asset, range, by_spot, spot, out);
      sweep_terminal(list[i], *terms, range, TerminalGradient<T>{by_spot, spot}, out, sums);
      add_columns(list[i], StoredDerivatives<T>{range, out, out}, sums);
    }
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
