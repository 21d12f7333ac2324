#pragma once
// Paths of one asset that are simulated and evaluated by the same thread: the states of payoffs are
// updated at each fixing, so that no path is stored.

#include "gsim/pricing/simulate_path.hpp"
#include "kernels/pricing/fused/fused_normals.hpp"
#include "kernels/pricing/fused/fused_state.hpp"
#include "kernels/pricing/path_models/dispatch.hpp"
#include "kernels/pricing/paths/scratch.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Steps of a group of a model with `normals` normals per step: those of one Philox block.
GSIM_HD constexpr int fused_steps(int normals) { return normals_per_block / normals; }

/// Number of samples that a thread simulates at the same time, so that it uses constants and tables
/// for several paths.
template <class Model>
GSIM_HD constexpr int samples_per_thread() {
  if constexpr (requires { Model::samples_per_thread; })
    return Model::samples_per_thread;
  else
    return 1;
}

/// The bits of all steps of a group.
template <int steps>
inline constexpr std::uint32_t every_step = (1u << steps) - 1;

/// The log-spots and spots of a thread's paths at the ends of the steps of a group.
template <class T, int steps, int paths>
struct FusedPaths {
  T log_spot[steps][paths], spot[steps][paths];
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
GSIM_HD void update_slot(const FusedFixings<T>& fixings, FusedPaths<T, steps, paths>& at,
                         const FusedWords<T>& words) {
  for (int j = 0; j < steps; ++j) {
    for (int m = 0; m < paths; ++m) {
      hide(at.spot[j][m]);
      hide(at.log_spot[j][m]);
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
          for (int m = 0; m < paths; ++m)
            functor.on_fixing(state[m], i, FusedSpots<T>{at.spot[j][m], at.log_spot[j][m]});
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

/// Simulates the `samples` samples of a thread, each a path or a path and its antithetic path, and
/// updates the states of all slots. The tables of the model have entries for all steps of the last
/// group.
template <class Policy, int samples, int paths_per_sample, class Model, class T, class Normals>
GSIM_HD void simulate_fused(const Model& model, T spot, const FusedBatch<T>& batch,
                            const Normals (&normals)[samples], const FusedWords<T>& words) {
  constexpr int n = Model::normals, steps = fused_steps(n), paths = samples * paths_per_sample;
  const ModelStreams streams{};
  typename Model::State state[paths];
  for (int m = 0; m < paths; ++m) state[m] = model.start();
  GSIM_NO_UNROLL
  for (std::int32_t g = 0; g < batch.groups; ++g) {
    Draws<T, normals_per_block> z[samples];
    GSIM_UNROLL
    for (int s = 0; s < samples; ++s) z[s] = normals[s].block(g);
    FusedPaths<T, steps, paths> at;
    GSIM_UNROLL
    for (int j = 0; j < steps; ++j) {
      const Index k = g * steps + j;
      GSIM_UNROLL
      for (int m = 0; m < paths; ++m) {
        const bool is_antithetic = m % paths_per_sample > 0;
        ModelDraws<Policy, T, n> draws{{}, &streams, 0, k, is_antithetic};
        for (int i = 0; i < n; ++i) {
          const T drawn = z[m / paths_per_sample][j * n + i];
          draws.z[i] = is_antithetic ? -drawn : drawn;
        }
        model.step(k, state[m], draws);
        at.log_spot[j][m] = model.log_spot(state[m]);
      }
    }
    const FusedGroup group = batch.group[g];
    if (group.steps == 0) continue;
    const auto set_spots = [&](int j) __attribute__((always_inline)) {
      for (int m = 0; m < paths; ++m)
        at.spot[j][m] = spot * (Model::bounded ? exp_bounded<Policy>(at.log_spot[j][m])
                                               : exp<Policy>(at.log_spot[j][m]));
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
      update_slot<Policy>(batch.fixings[f], at, words);
  }
}

/// Simulates samples i + k `threads` of the tile for all k < samples_per_thread() and evaluates the
/// trades of a batch on them. `prepared`: normals are stored before the simulation.
template <class T, class Policy, StepScheme scheme, int paths_per_sample, bool prepared>
struct SampleFused {
  using Model = typename SchemeOf<scheme>::template OneAsset<Policy, T, T>;
  static constexpr int samples = samples_per_thread<Model>(), paths = samples * paths_per_sample;

  PathTable<T> table;
  AssetTable<T> asset;
  RoundKeys keys;  ///< of PathTable::normals
  FusedBatch<T> batch;
  T* normals;                               ///< Scratch::normals
  double *trade_samples, *control_samples;  ///< to be filled, [position of the trade][sample]
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
    double weight[samples];
    if constexpr (prepared) {
      StoredNormals<T> drawn[samples];
      GSIM_UNROLL
      for (int s = 0; s < samples; ++s) drawn[s] = prepare(i + s * threads, weight[s]);
      simulate_fused<Policy, samples, paths_per_sample>(Model(asset), asset.spot, batch, drawn,
                                                        words);
    } else {
      KeyedNormals<T, Policy> drawn[samples];
      GSIM_UNROLL
      for (int s = 0; s < samples; ++s)
        drawn[s] = {keys, static_cast<std::uint64_t>(first_sample + i + s * threads)};
      simulate_fused<Policy, samples, paths_per_sample>(Model(asset), asset.spot, batch, drawn,
                                                        words);
    }
    finish_slots(words, weight, i);
  }

 private:
  /// Stores the normals of sample `at` of the tile, and sets its likelihood ratio.
  GSIM_HD StoredNormals<T> prepare(Index at, double& weight) const {
    T* const stored = normals + at;
    const Index draws = table.steps * table.factors, sample = first_sample + at;
    if (table.stored_normals)
      store_sobol_normals<Policy, T>(table.sobol, sample, stored, tile_samples);
    else
      store_drawn_normals<Policy, T>(table.normals, static_cast<std::uint64_t>(sample), draws,
                                     stored, tile_samples);
    if (table.tilt != nullptr)
      weight = static_cast<double>(exp<Policy>(
          tilt_normals<T>(table.tilt, table.log_ratio_constant, draws, stored, tile_samples)));
    return StoredNormals<T>(stored, tile_samples, draws);
  }

  /// Writes the samples of all slots: the mean over the paths of each, discounted and weighted.
  GSIM_HD void finish_slots(const FusedWords<T>& words, const double (&weight)[samples],
                            Index i) const {
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
  with_scheme(job.paths.scheme, [&](auto scheme) {
    using Scheme = decltype(scheme);
    constexpr StepScheme value = value_of(Scheme{});
    if constexpr (HasOneAssetLoop<Scheme>) {
      const bool prepared = job.paths.prepares_normals;
      if (job.paths.paths_per_sample == 1)
        prepared ? sample(std::type_identity<SampleFused<T, Policy, value, 1, true>>{})
                 : sample(std::type_identity<SampleFused<T, Policy, value, 1, false>>{});
      else
        prepared ? sample(std::type_identity<SampleFused<T, Policy, value, 2, true>>{})
                 : sample(std::type_identity<SampleFused<T, Policy, value, 2, false>>{});
    }
  });
}

}  // namespace pricing_kernels
GSIM_TARGET_END
