#pragma once
// Paths of one asset that are simulated and evaluated by the same thread: the states of payoffs are
// updated at each fixing, so that no path is stored.

#include "kernels/pricing/fused/fused_normals.hpp"
#include "kernels/pricing/fused/fused_path.hpp"
#include "kernels/pricing/fused/fused_state.hpp"
#include "kernels/pricing/paths/run_group.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Steps of a group of a model with `normals` normals per step: those of one Philox block.
GSIM_HD constexpr int fused_steps(int normals) { return normals_per_block / normals; }

/// The bits of all steps of a group.
template <int steps>
inline constexpr std::uint32_t every_step = (1u << steps) - 1;

/// A thread's paths at the ends of the steps of a group.
template <class T, int steps, int paths>
struct FusedPaths {
  FusedSpots<T> at[steps][paths];
};

/// Starts the states of all slots of a batch.
template <class Policy, int paths, class T>
GSIM_HD void start_slots(const FusedBatch<T>& batch, const FusedWords<T>& words) {
  GSIM_NO_UNROLL
  for (int s = 0; s < batch.slots; ++s) {
    const FusedSlot<T>& slot = batch.slot[s];
    with_fused_functor<Policy>(slot.formula, *slot.terms, [&](const auto& functor) {
      const auto state = functor.start();
      for (int m = 0; m < paths; ++m) words.store(m, slot.first_word, state);
    });
  }
}

/// Prevents compilers from computing what depends on x before the payoff is known that uses it.
template <class T>
GSIM_HD void hide([[maybe_unused]] T& x) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 8)
    asm volatile("" : "+d"(x));
  else
    asm volatile("" : "+f"(x));
#endif
}

/// Updates the state of a slot by its fixings in a group of steps.
template <class Policy, int steps, int paths, class T>
GSIM_HD void update_slot(const FusedFixings<T>& fixings, FusedPaths<T, steps, paths>& group,
                         const FusedWords<T>& words) {
  GSIM_UNROLL
  for (int j = 0; j < steps; ++j) {
    GSIM_UNROLL
    for (int m = 0; m < paths; ++m) {
      hide(group.at[j][m].spot);
      hide(group.at[j][m].log_spot);
    }
  }
  with_fused_functor<Policy>(
      static_cast<PayoffFormula>(fixings.formula),
      *fixings.terms, [&](const auto& functor) __attribute__((always_inline)) {
        using State = typename std::decay_t<decltype(functor)>::State;
        State state[paths];
        for (int m = 0; m < paths; ++m)
          state[m] = words.template load<State>(m, fixings.first_word);
        Index i = fixings.first;
        const auto fix = [&](int j) __attribute__((always_inline)) {
          for (int m = 0; m < paths; ++m) functor.on_fixing(state[m], i, group.at[j][m]);
          ++i;
        };
        if (fixings.steps == every_step<steps>) {
          GSIM_UNROLL
          for (int j = 0; j < steps; ++j) fix(j);
        } else {
          GSIM_UNROLL
          for (int j = 0; j < steps; ++j)
            if ((fixings.steps >> j & 1) != 0) fix(j);
        }
        for (int m = 0; m < paths; ++m) words.store(m, fixings.first_word, state[m]);
      });
}

/// Simulates the samples of a thread, sample[s] of the run with normals[s], each a path or a path
/// and its antithetic path, and updates the states of all slots. The tables of a PlainPath have
/// entries for all steps of the last group. Sets the contribution of tilted jumps to the logarithms
/// of the samples' likelihood ratios.
template <class Policy, int paths_per_sample, class Path, class T, class Normals>
GSIM_HD void simulate_fused(const Path& path, const FusedBatch<T>& batch,
                            const std::uint64_t (&sample)[Path::samples],
                            const Normals (&normals)[Path::samples], const FusedWords<T>& words,
                            T (&log_ratio)[Path::samples]) {
  constexpr int n = Path::normals, steps = fused_steps(n), samples = Path::samples,
                paths = samples * paths_per_sample;
  typename Path::State state[paths];
  GSIM_UNROLL
  for (int m = 0; m < paths; ++m) state[m] = path.start();
  GSIM_NO_UNROLL
  for (std::int32_t g = 0; g < batch.groups; ++g) {
    const std::uint32_t records = Path::has_extremes ? batch.group[g].records : 0;
    const typename BlockArgument<Normals>::type block(g);
    Draws<T, normals_per_block> drawn[samples];
    GSIM_UNROLL
    for (int s = 0; s < samples; ++s) drawn[s] = normals[s].block(block);
    FusedPaths<T, steps, paths> ends;
    GSIM_UNROLL
    for (int j = 0; j < steps; ++j) {
      GSIM_UNROLL
      for (int m = 0; m < paths; ++m) {
        const bool is_antithetic = m % paths_per_sample > 0;
        T z[n];
        for (int i = 0; i < n; ++i) {
          const T value = drawn[m / paths_per_sample][j * n + i];
          z[i] = is_antithetic ? -value : value;
        }
        path.step(g * steps + j, state[m], z, sample[m / paths_per_sample], is_antithetic);
        ends.at[j][m].log_spot = path.log_spot(state[m]);
        if constexpr (Path::has_extremes) {
          ends.at[j][m].highest = path.maximum(state[m]);
          ends.at[j][m].lowest = path.minimum(state[m]);
          if ((records >> j & 1) != 0) path.start_extremes(state[m]);
        }
      }
    }
    const FusedGroup group = batch.group[g];
    if (group.steps == 0) continue;
    const auto set_spots = [&](int j) __attribute__((always_inline)) {
      GSIM_UNROLL
      for (int m = 0; m < paths; ++m) ends.at[j][m].spot = path.spot(ends.at[j][m].log_spot);
    };
    if (group.steps == every_step<steps>) {  // the exponentials share their constants
      GSIM_UNROLL
      for (int j = 0; j < steps; ++j) set_spots(j);
    } else {
      GSIM_UNROLL
      for (int j = 0; j < steps; ++j)
        if ((group.steps >> j & 1) != 0) set_spots(j);
    }
    GSIM_NO_UNROLL
    for (std::int32_t f = group.first; f < group.last; ++f)
      update_slot<Policy>(batch.fixings[f], ends, words);
  }
  GSIM_UNROLL
  for (int s = 0; s < samples; ++s) log_ratio[s] = path.log_ratio(state[s * paths_per_sample]);
}

/// Simulates samples i + k `threads` of the tile for all k < Path::samples and evaluates the trades
/// of a batch on them. `prepared`: normals are stored before the simulation.
template <class T, class Policy, class Path, int paths_per_sample, bool prepared>
struct SampleFused {
  static constexpr int samples = Path::samples, paths = samples * paths_per_sample;

  PathTable<T> table;
  AssetTable<T> asset;
  RoundKeys keys;  ///< of PathTable::normals
  FusedBatch<T> batch;
  T* normals;  ///< Scratch::normals
  double *trade_samples,
      *control_samples;  ///< to be filled, [position of the trade][sample]
  Index first_sample, tile_samples, threads;

  GSIM_HD void operator()(Index i) const {
#if defined(__CUDA_ARCH__)
    __shared__ T memory[samples * fused_words * fused_threads];
    const FusedWords<T> words{memory + threadIdx.x, fused_threads, fused_words / paths_per_sample};
#else
    T memory[samples * fused_words];
    const FusedWords<T> words{memory, 1, fused_words / paths_per_sample};
#endif
    start_slots<Policy, paths>(batch, words);
    std::uint64_t sample[samples];
    T log_ratio[samples], of_jumps[samples];
    GSIM_UNROLL
    for (int s = 0; s < samples; ++s) {
      sample[s] = static_cast<std::uint64_t>(first_sample + i + s * threads);
      log_ratio[s] = T(0);
    }
    const Path path(table, asset);
    if constexpr (prepared) {
      StoredNormals<T> drawn[samples];
      GSIM_UNROLL
      for (int s = 0; s < samples; ++s) {
        T* const stored = normals + i + s * threads;
        log_ratio[s] = prepare_normals<Policy, T, false>(table, sample[s], stored, tile_samples);
        drawn[s] = StoredNormals<T>(stored, tile_samples, table.steps * table.factors);
      }
      simulate_fused<Policy, paths_per_sample>(path, batch, sample, drawn, words, of_jumps);
    } else {
      KeyedNormals<T, Policy> drawn[samples];
      GSIM_UNROLL
      for (int s = 0; s < samples; ++s) drawn[s] = {keys, sample[s]};
      simulate_fused<Policy, paths_per_sample>(path, batch, sample, drawn, words, of_jumps);
    }
    GSIM_UNROLL
    for (int s = 0; s < samples; ++s) log_ratio[s] = log_ratio[s] + of_jumps[s];
    finish_slots(words, log_ratio, i);
  }

 private:
  /// Writes the samples of all slots: the mean over the paths of each, discounted and weighted.
  GSIM_HD void finish_slots(const FusedWords<T>& words, const T (&log_ratio)[samples],
                            Index i) const {
    double weight[samples];
    GSIM_UNROLL
    for (int s = 0; s < samples; ++s)
      weight[s] =
          prepared && table.tilt != nullptr ? static_cast<double>(exp<Policy>(log_ratio[s])) : 1.0;
    GSIM_NO_UNROLL
    for (int k = 0; k < batch.slots; ++k) {
      const FusedSlot<T>& slot = batch.slot[k];
      double* const to =
          (slot.is_control ? control_samples : trade_samples) + slot.trade * tile_samples + i;
      with_fused_functor<Policy>(slot.formula, *slot.terms, [&](const auto& functor) {
        using State = typename std::decay_t<decltype(functor)>::State;
        const auto value_of_path = [&](int m) {
          const auto state = words.template load<State>(m, slot.first_word);
          return static_cast<double>(functor.value(state));
        };
        GSIM_UNROLL
        for (int s = 0; s < samples; ++s) {
          double value = value_of_path(s * paths_per_sample);
          if constexpr (paths_per_sample == 2)
            value = 0.5 * (value + value_of_path(s * paths_per_sample + 1));
          value *= slot.terms->discount;
          if (prepared && table.tilt != nullptr) value *= weight[s];
          to[s * threads] = value;
        }
      });
    }
  }
};

/// Simulates `samples` samples and evaluates the trades of a batch on them; the first one is number
/// `first` of the run.
template <class T, class Policy>
void sample_fused(const Executor& executor, const PathJob<T>& job, const FusedBatch<T>& batch,
                  const Scratch<T>& scratch, Index first, Index samples) {
  const auto sample = [&](auto kernel) {
    using Kernel = typename decltype(kernel)::type;
    const Index threads = samples / Kernel::samples;
    launch(executor, "pricing: sample", threads,
           Kernel{job.paths, job.asset, RoundKeys(job.paths.normals), batch, scratch.normals,
                  scratch.samples, scratch.control_samples, first, job.tile_samples, threads},
           fused_threads);
  };
  const auto sample_along = [&](auto path) {
    using Path = typename decltype(path)::type;
    const bool prepared = job.paths.prepares_normals;
    if (job.paths.paths_per_sample == 1)
      prepared ? sample(std::type_identity<SampleFused<T, Policy, Path, 1, true>>{})
               : sample(std::type_identity<SampleFused<T, Policy, Path, 1, false>>{});
    else
      prepared ? sample(std::type_identity<SampleFused<T, Policy, Path, 2, true>>{})
               : sample(std::type_identity<SampleFused<T, Policy, Path, 2, false>>{});
  };
  with_scheme(job.paths.scheme, [&](auto scheme) {
    using Scheme = decltype(scheme);
    constexpr StepScheme value = value_of(Scheme{});
    if (job.paths.loop == PathLoop::general)
      sample_along(std::type_identity<GeneralPath<Policy, T, value>>{});
    else if constexpr (HasOneAssetLoop<Scheme>)
      sample_along(std::type_identity<PlainPath<Policy, T, value>>{});
  });
}

}  // namespace pricing_kernels
GSIM_TARGET_END
