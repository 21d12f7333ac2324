#pragma once
// Simulates one group of samples, from random numbers to the tile, by the loop selected in the job.

#include "gsim/pricing/simulate_path.hpp"
#include "kernels/pricing/paths/scratch.hpp"
#include "kernels/pricing/paths/simulate.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Simulates a group of samples of one asset, whose state stays in registers.
template <int paths_per_sample, class Policy, class P, class T, class Normals>
GSIM_HD void simulate_one(const PathTable<T>& t, const Tile<T>& tile, Index path,
                          std::uint64_t sample, Normals& normals) {
  const AssetTable<T>& asset = t.asset[0];
  const AssetPath<T> asset_path{t.steps, t.record_of_step, asset.spot, t.asset_rows[0], false};
  with_scheme(
      t.scheme, [&](auto scheme) __attribute__((always_inline)) {
        using Scheme = decltype(scheme);
        if constexpr (HasOneAssetLoop<Scheme>) {
          using Model = typename Scheme::template OneAsset<Policy, P, T>;
          simulate_single_asset<Policy, paths_per_sample, Model, P>(Model(asset), asset_path, {},
                                                                    tile, path, sample, normals);
        }
      });
}

/// Simulates samples sample, sample + 1, … (a group) and writes them to the tile from path `path`
/// on. Returns the contribution of tilted jumps to the logarithm of the likelihood ratios, as
/// simulate_general(), which documents `by_driver` and `of_driver`.
template <class Policy, class P, bool by_driver, class T, class Normals>
GSIM_HD P simulate_group(const PathTable<T>& t, const Tile<T>& tile, Index path,
                         std::uint64_t sample, Normals& normals, StateMemory<T> memory,
                         std::int32_t of_driver) {
  if (t.loop == PathLoop::general)
    return simulate_general<Policy, P, by_driver>(t, tile, path, sample, normals, memory,
                                                  of_driver);
  if (t.paths_per_sample == 1)
    simulate_one<1, Policy, P>(t, tile, path, sample, normals);
  else
    simulate_one<2, Policy, P>(t, tile, path, sample, normals);
  return P(T(0));
}

/// Writes the normals of a group to `stored`: those of Sobol points, of a nested simulation, or
/// drawn ones. With importance sampling they are tilted, and the logarithms of their likelihood
/// ratios are returned, otherwise 0.
template <class Policy, class P, bool can_be_nested = true, class T>
GSIM_HD P prepare_normals(const PathTable<T>& t, std::uint64_t sample, T* stored,
                          Index stored_stride) {
  const Index draws = t.steps * t.factors;
  if (can_be_nested && t.branches.is_nested())
    store_branched_normals<Policy, P>(t.branches, t.normals, sample, t.factors, draws, stored,
                                      stored_stride);
  else if (t.stored_normals)
    store_sobol_normals<Policy, P>(t.sobol, static_cast<Index>(sample), stored, stored_stride);
  else
    store_drawn_normals<Policy, P>(t.normals, sample, draws, stored, stored_stride);
  return t.tilt == nullptr
             ? P(T(0))
             : tilt_normals<P>(t.tilt, t.log_ratio_constant, draws, stored, stored_stride);
}

/// Simulates a group. Its normals are drawn during the simulation or, if t.prepares_normals,
/// computed before it and kept in `stored`: those of Sobol points, or drawn ones, and tilted with
/// importance sampling. The likelihood ratios of the paths are then written to `weights`.
/// `by_driver` and `of_driver` are as in simulate_general(); a driver is given only for drawn
/// normals.
template <class Policy, class P, bool by_driver = false, class T>
GSIM_HD void run_group(const PathTable<T>& t, const Tile<T>& tile, Index path, std::uint64_t sample,
                       StateMemory<T> memory, T* stored, Index stored_stride, T* weights,
                       std::int32_t of_driver = -1) {
  const Index draws = t.steps * t.factors;
  if (t.prepares_normals) {
    P log_ratio = prepare_normals<Policy, P>(t, sample, stored, stored_stride);
    StoredNormals<P> normals(stored, stored_stride, draws);
    log_ratio =
        log_ratio + simulate_group<Policy, P, false>(t, tile, path, sample, normals, memory, -1);
    if (t.tilt != nullptr) store(weights + path, exp<Policy>(log_ratio));
  } else {
    PathNormals<P, Policy> normals(t.normals, sample, draws);
    simulate_group<Policy, P, by_driver>(t, tile, path, sample, normals, memory, of_driver);
  }
}

/// Computes the samples of a trade that launchers evaluate on the tile: `samples` samples, the
/// first of which is number `first` of the run. With early exercise they may include those of the
/// control variate.
template <class T>
inline __attribute__((always_inline)) void sample_by_launcher(
    const Executor& executor, const PathJob<T>& job, const LaunchedTrade<T>& launched,
    const Scratch<T>& scratch, Index first, Index samples, double* sample, double* control_sample) {
  const Index antithetic_offset = scratch.tile.stride - job.tile_samples;
  if (launched.exercise != nullptr) {
    ExerciseJob<T> call = launched.exercise_job;
    call.branches = job.paths.branches;
    call.tile = scratch.tile;
    call.first_sample = first;
    call.samples = samples;
    call.antithetic_offset = antithetic_offset;
    call.values = scratch.values;
    call.sample = sample;
    call.control_sample = launched.samples_control ? control_sample : nullptr;
    return launched.exercise(executor, call);
  }
  PayoffJob<T> call = launched.job;
  call.tile = scratch.tile;
  call.samples = samples;
  call.antithetic_offset = antithetic_offset;
  call.values = scratch.values;
  call.sample = sample;
  launched.sample(executor, call);
}

/// Simulates the assets that have launchers of their own: `samples` samples of the tile, starting
/// with number `first` of the run. `memory_stride` is as in PathModelJob.
template <class T>
inline __attribute__((always_inline)) void simulate_launched(const Executor& executor,
                                                             const PathJob<T>& job,
                                                             const Scratch<T>& scratch, Index first,
                                                             Index samples, Index memory_stride) {
  for (Index i = 0; i < job.launched_models; ++i) {
    PathModelJob<T> call = job.models[i].job;
    call.branches = call.streams.branches = job.paths.branches;
    call.tile = scratch.tile;
    call.first_sample = first;
    call.samples = samples;
    call.memory = scratch.normals;
    call.memory_stride = memory_stride;
    // Without a loop over other assets (PathLoop::none) the first model fills the likelihood
    // ratios.
    call.weights = job.paths.loop == PathLoop::none && i == 0 ? scratch.weights : nullptr;
    job.models[i].simulate(executor, call);
  }
}

}  // namespace pricing_kernels
GSIM_TARGET_END
