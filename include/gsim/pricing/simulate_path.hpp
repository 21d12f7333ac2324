#pragma once
// Simulation of a path model into a tile of paths: the loops into which gsim's own models on one
// asset and those of plugins (path_model_kind.hpp) are compiled. For kernel sources.

#include "gsim/pricing/bridge_extreme.hpp"
#include "gsim/pricing/lanes.hpp"
#include "gsim/pricing/path_model.hpp"
#include "gsim/pricing/path_normals.hpp"
#include "gsim/pricing/sobol_normals.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Whether the extremes of a model's paths can be drawn (PathModelKind::bridged).
template <class Model>
GSIM_HD constexpr bool is_bridged() {
  if constexpr (requires { Model::bridged; })
    return Model::bridged;
  else
    return false;
}
/// The number of vector registers of paths that a model's loop simulates together.
template <class Model>
GSIM_HD constexpr int registers_of() {
  if constexpr (requires { Model::registers; })
    return Model::registers;
  else
    return 1;
}

/// The random numbers of one step of one path; the model has `n` normals per step.
template <class Policy, class P, int n>
struct ModelDraws {
  using T = scalar_of<P>;
  P z[n];
  const ModelStreams* streams;
  std::uint64_t first;  ///< the group's first sample
  Index step;
  bool is_antithetic;

  GSIM_HD P normal(int i) const { return z[i]; }
  /// Uniforms of the same index in double and in float are equal up to rounding: both have the
  /// leading bits of the same word, 0 or 2, of a random block.
  GSIM_HD P uniform(Index i) const {
    const auto u = uniforms<T>(words(streams->uniforms, i / 2));
    const P low = u.value[0], high = u.value[uniforms_per_block<T> / 2];
    return reflected(i % 2 == 0 ? low : high);
  }
  GSIM_HD P further_normal(Index i) const {
    const auto drawn = normals<T, Policy>(words(streams->normals, i / normals_per_block));
    P x = drawn.value[0];
    GSIM_UNROLL
    for (int j = 1; j < normals_per_block; ++j)
      if (i % normals_per_block == j) x = drawn.value[j];
    return is_antithetic ? -x : x;
  }
  /// The uniform from which an extreme between the ends of the step is drawn; 0: the maximum, 1:
  /// the minimum.
  GSIM_HD P extreme(int which) const {
    return reflected(uniforms<T>(words(streams->bridge, 0)).value[which]);
  }

 private:
  GSIM_HD auto words(PhiloxKey key, Index block) const {
    const Index at = block * streams->assets + streams->asset;
    return branched_words_at<P>(streams->branches, key, first, step,
                                static_cast<std::uint32_t>(at));
  }
  GSIM_HD P reflected(P u) const { return is_antithetic ? P(T(1)) - u : u; }
};

/// How a loop holds the tile and the path: as a copy on the host, because a compiler must assume
/// that a store to the tile changes them; by reference on CUDA, where they are in constant memory
/// and registers are scarce.
#if defined(__CUDACC__)
template <class T>
using HeldTile = const Tile<T>&;
template <class T>
using HeldPath = const AssetPath<T>&;
#else
template <class T>
using HeldTile = const Tile<T>;
template <class T>
using HeldPath = const AssetPath<T>;
#endif

/// Writes the spot and, where it is recorded, the log-spot x of path `at` at a record.
template <class Model, class Policy, class P, class T>
GSIM_HD void record_spot(const AssetPath<T>& path, const Tile<T>& tile, std::int32_t record,
                         Index at, P x) {
  T* const row = tile.data + record * tile.rows * tile.stride + at;
  const auto spot = [&](P ratio) {
    store(row + path.rows.spot * tile.stride, P(path.spot) * ratio);
  };
  if constexpr (requires { Model::bounded; })
    spot(Model::bounded ? exp_bounded<Policy>(x) : exp<Policy>(x));
  else
    spot(path.bounded ? exp_bounded<Policy>(x) : exp<Policy>(x));
  if (path.rows.log >= 0) store(row + path.rows.log * tile.stride, x);
}

/// Writes the instantaneous variance of path `at` at a record, where it is recorded and the model
/// has one.
template <class Model, class T>
GSIM_HD void record_variance(const Model& model, const typename Model::State& state,
                             const AssetPath<T>& path, const Tile<T>& tile, std::int32_t record,
                             Index at) {
  if constexpr (requires { model.variance(state); })
    if (path.rows.instantaneous_variance >= 0)
      store(tile.data + (record * tile.rows + path.rows.instantaneous_variance) * tile.stride + at,
            model.variance(state));
}

/// Simulates the only asset of a run, without extremes: the loop where most time is spent. The
/// state stays in registers.
template <class Policy, int paths_per_sample, class Model, class P, class T, class Normals>
GSIM_HD void simulate_single_asset(const Model& model, const AssetPath<T>& asset,
                                   const ModelStreams& streams, const Tile<T>& tile_of_run,
                                   Index at, std::uint64_t sample, Normals& normals) {
  constexpr int n = Model::normals;
  HeldPath<T> path = asset;
  HeldTile<T> tile = tile_of_run;
  const std::int32_t* const record_of_step = path.record_of_step;
  const Index steps = path.steps;
  typename Model::State state[paths_per_sample];
  for (int m = 0; m < paths_per_sample; ++m) state[m] = model.start();
  const auto move = [&](Index k, const P(&z)[n]) {
    for (int m = 0; m < paths_per_sample; ++m) {
      ModelDraws<Policy, P, n> draws{{}, &streams, sample, k, m > 0};
      for (int i = 0; i < n; ++i) draws.z[i] = m > 0 ? -z[i] : z[i];
      model.step(k, state[m], draws);
    }
  };
  const auto write_record = [&](std::int32_t record, const P(&x)[paths_per_sample]) {
    // The second half of each row holds the antithetic paths.
    for (int m = 0; m < paths_per_sample; ++m)
      record_spot<Model, Policy>(path, tile, record, at + m * (tile.stride / 2), x[m]);
  };
  const auto write_current_record = [&](std::int32_t record) {
    P x[paths_per_sample];
    for (int m = 0; m < paths_per_sample; ++m) {
      x[m] = model.log_spot(state[m]);
      record_variance(model, state[m], path, tile, record, at + m * (tile.stride / 2));
    }
    write_record(record, x);
  };
  if constexpr (n > 1) {
    for (Index k = 0; k < steps; ++k) {
      P z[n];
      for (int i = 0; i < n; ++i) z[i] = normals.next();
      move(k, z);
      const std::int32_t r = record_of_step[k];
      if (r >= 0) write_current_record(r);
    }
  } else {
    const auto move_by = [&](Index k, P z) {
      const P only[n] = {z};
      move(k, only);
    };
    const auto step = [&](Index k, P z) {
      if (k >= steps) return;
      move_by(k, z);
      const std::int32_t r = record_of_step[k];
      if (r >= 0) write_current_record(r);
    };
    for (Index first = 0; first < steps; first += normals_per_block) {
      const auto z = normals.block(first / normals_per_block);
      if constexpr (1 < lanes_of<P>) {
        // Four steps without a record, or with a record each, are handled after one test; four
        // records share the constants of the exponential.
        if (first + normals_per_block <= steps) {
          const std::int32_t* const r = record_of_step + first;
          if ((r[0] & r[1] & r[2] & r[3]) < 0) {
            GSIM_UNROLL
            for (int j = 0; j < normals_per_block; ++j) move_by(first + j, z[j]);
            continue;
          }
          if ((r[0] | r[1] | r[2] | r[3]) >= 0) {
            P x[normals_per_block][paths_per_sample];
            GSIM_UNROLL
            for (int j = 0; j < normals_per_block; ++j) {
              move_by(first + j, z[j]);
              for (int m = 0; m < paths_per_sample; ++m) {
                x[j][m] = model.log_spot(state[m]);
                record_variance(model, state[m], path, tile, r[j], at + m * (tile.stride / 2));
              }
            }
            GSIM_UNROLL
            for (int j = 0; j < normals_per_block; ++j) write_record(r[j], x[j]);
            continue;
          }
        }
      }
      // Constant indices keep z in registers.
      step(first, z[0]);
      step(first + 1, z[1]);
      step(first + 2, z[2]);
      step(first + 3, z[3]);
    }
  }
}

/// Simulates one of several correlated assets, or one asset with the extremes of its paths. The
/// normals of all assets are drawn; this asset uses its own.
template <class Policy, int paths_per_sample, class Model, class P, class T, class Normals>
GSIM_HD void simulate_one_of_several(const Model& model, const PathModelJob<T>& job, Index at,
                                     std::uint64_t sample, Normals& normals) {
  constexpr int n = Model::normals;
  HeldPath<T> path = job.path;
  HeldTile<T> tile = job.tile;
  const std::int32_t factors = job.factors, first_further = job.first_further,
                     asset = job.streams.asset;
  const T* const correlation = job.correlation;
  typename Model::State state[paths_per_sample];
  P maximum[paths_per_sample], minimum[paths_per_sample];
  for (int m = 0; m < paths_per_sample; ++m) {
    state[m] = model.start();
    maximum[m] = minimum[m] = P(T(0));
  }
  for (Index k = 0; k < path.steps; ++k) {
    P z[n];
    for (int i = 0; i < n; ++i) z[i] = P(T(0));
    for (std::int32_t f = 0; f < factors; ++f) {
      const P drawn = normals.next();
      if (f <= asset)
        z[0] = f == 0 ? drawn * P(correlation[0]) : fma(P(correlation[f]), drawn, z[0]);
      for (int i = 1; i < n; ++i)
        if (f == first_further + i - 1) z[i] = drawn;
    }
    const std::int32_t r = path.record_of_step[k];
    for (int m = 0; m < paths_per_sample; ++m) {
      ModelDraws<Policy, P, n> draws{{}, &job.streams, sample, k, m > 0};
      for (int i = 0; i < n; ++i) draws.z[i] = m > 0 ? -z[i] : z[i];
      if constexpr (is_bridged<Model>()) {
        const P from = model.log_spot(state[m]);
        const P variance = model.step(k, state[m], draws);
        const P to = model.log_spot(state[m]);
        if (path.rows.maximum >= 0)
          maximum[m] =
              at_least(bridge_maximum<Policy>(from, to, variance, draws.extreme(0)), maximum[m]);
        if (path.rows.minimum >= 0)
          minimum[m] =
              at_most(bridge_minimum<Policy>(from, to, variance, draws.extreme(1)), minimum[m]);
      } else {
        model.step(k, state[m], draws);
      }
      if (r < 0) continue;
      const P x = model.log_spot(state[m]);
      const Index column = at + m * (tile.stride / 2);
      T* const row = tile.data + r * tile.rows * tile.stride + column;
      record_spot<Model, Policy>(path, tile, r, column, x);
      record_variance(model, state[m], path, tile, r, column);
      if (path.rows.maximum >= 0) store(row + path.rows.maximum * tile.stride, maximum[m]);
      if (path.rows.minimum >= 0) store(row + path.rows.minimum * tile.stride, minimum[m]);
      maximum[m] = minimum[m] = x;
    }
  }
}

/// Simulates the group of samples from `at` on, in the tile of the job.
template <class Policy, class Model, class P, class T>
GSIM_HD void simulate_paths(const PathModelJob<T>& job, Index at, T* memory, Index memory_stride) {
  const Model model(job.terms);
  const auto sample = static_cast<std::uint64_t>(job.first_sample + at);
  const AssetRows& rows = job.path.rows;
  const bool is_single_asset = job.streams.assets == 1 && job.factors == Model::normals &&
                               job.correlation[0] == T(1) && rows.maximum < 0 && rows.minimum < 0;
  const auto simulate = [&](auto& normals) {
    if (!is_single_asset)
      job.paths_per_sample == 1
          ? simulate_one_of_several<Policy, 1, Model, P>(model, job, at, sample, normals)
          : simulate_one_of_several<Policy, 2, Model, P>(model, job, at, sample, normals);
    else if (job.paths_per_sample == 1)
      simulate_single_asset<Policy, 1, Model, P>(model, job.path, job.streams, job.tile, at, sample,
                                                 normals);
    else
      simulate_single_asset<Policy, 2, Model, P>(model, job.path, job.streams, job.tile, at, sample,
                                                 normals);
  };
  const Index draws = job.path.steps * job.factors;
  if (job.stored_normals || job.tilt != nullptr || job.branches.is_nested()) {
    if (job.branches.is_nested())
      store_branched_normals<Policy, P>(job.branches, job.normals, sample, job.factors, draws,
                                        memory, memory_stride);
    else if (job.stored_normals)
      store_sobol_normals<Policy, P>(job.sobol, static_cast<Index>(sample), memory, memory_stride);
    else
      store_drawn_normals<Policy, P>(job.normals, sample, draws, memory, memory_stride);
    if (job.tilt != nullptr) {
      const P log_ratio =
          tilt_normals<P>(job.tilt, job.log_ratio_constant, draws, memory, memory_stride);
      if (job.weights != nullptr) store(job.weights + at, exp<Policy>(log_ratio));
    }
    StoredNormals<P> normals(memory, memory_stride, draws);
    simulate(normals);
  } else {
    PathNormals<P, Policy> normals(job.normals, sample, draws);
    simulate(normals);
  }
}

/// Throws InputError if the functor and its PathModelKind do not agree.
template <class Model, class T>
inline __attribute__((always_inline)) void check_functor(const char* name,
                                                         const PathModelJob<T>& job) {
  const bool extremes = job.path.rows.maximum >= 0 || job.path.rows.minimum >= 0;
  check_path_model(name, Model::normals, job.model_normals, is_bridged<Model>() || !extremes);
}

#if defined(__CUDACC__)

template <class Policy, template <class, class, class> class Model, class T>
struct SimulatePath {
  PathModelJob<T> job;

  GSIM_HD void operator()(Index i) const {
    simulate_paths<Policy, Model<Policy, T, T>, T>(job, i, job.memory + i, job.memory_stride);
  }
};

/// Simulates all samples of a job, asynchronously on the executor's stream.
template <class Policy, template <class, class, class> class Model, class T>
void simulate_model(const Executor& executor, const char* name, const char* label,
                    const PathModelJob<T>& job) {
  check_functor<Model<Policy, T, T>>(name, job);
  launch(executor, label, job.samples, SimulatePath<Policy, Model, T>{job});
}

#else

/// Simulates all samples of a job in the calling thread, which has its own tile.
template <class Policy, template <class, class, class> class Model, class T>
inline void simulate_model(const Executor&, const char* name, const char* /*label*/,
                           const PathModelJob<T>& job) {
  using P = Pack<T, registers_of<Model<Policy, packed<T>, T>>() * lanes_of<packed<T>>>;
  static_assert(host_group_lanes % lanes_of<P> == 0, "too many registers of paths at a time");
  check_functor<Model<Policy, P, T>>(name, job);
  for (Index at = 0; at < job.samples; at += lanes_of<P>)
    simulate_paths<Policy, Model<Policy, P, T>, P>(job, at, job.memory, lanes_of<P>);
}

#endif

}  // namespace pricing_kernels
GSIM_TARGET_END

/// At global scope: defines the launchers of the path model whose functor is
/// pricing_kernels::Model<Policy, P, T>.
#define GSIM_DEFINE_PATH_MODEL(name, Model)                               \
  GSIM_DECLARE_PATH_MODEL(name)                                           \
  GSIM_DEFINE_PATH_MODEL_(name, name##_f64_strict, Model, Strict, double) \
  GSIM_DEFINE_PATH_MODEL_(name, name##_f64_fast, Model, Fast, double)     \
  GSIM_DEFINE_PATH_MODEL_(name, name##_f32_strict, Model, Strict, float)  \
  GSIM_DEFINE_PATH_MODEL_(name, name##_f32_fast, Model, Fast, float)
#define GSIM_DEFINE_PATH_MODEL_(name, launcher, Model, Policy, T)                                 \
  GSIM_DEFINE_LAUNCHER(launcher, pricing::PathModelJob<T>) {                                      \
    pricing_kernels::simulate_model<Policy, pricing_kernels::Model>(executor, #name,              \
                                                                    "pricing: " #launcher, args); \
  }
