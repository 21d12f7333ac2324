#pragma once
// One group of samples, from random numbers to the tile: picks the loop that fits the job.

#include "gsim/pricing/simulate_path.hpp"
#include "kernels/pricing/models/black_scholes.hpp"
#include "kernels/pricing/models/heston.hpp"
#include "kernels/pricing/scratch.hpp"
#include "kernels/pricing/simulate.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// One asset whose state stays in registers.
template <int mirrors, class Policy, class P, class T, class Normals>
GSIM_HD void simulate_one(const PathTable<T>& t, const Tile<T>& tile, Index path,
                          std::uint64_t sample, Normals& normals) {
  const AssetTable<T>& asset = t.asset[0];
  const AssetPath<T> asset_path{t.steps, t.record_of_step, asset.spot, t.asset_rows[0], false};
  if (t.loop == PathLoop::one_heston)
    simulate_alone<Policy, mirrors, HestonModel<Policy, P, T>, P>(
        HestonModel<Policy, P, T>(asset), asset_path, {}, tile, path, sample, normals);
  else
    simulate_alone<Policy, mirrors, BlackScholesModel<Policy, P, T>, P>(
        BlackScholesModel<Policy, P, T>(asset), asset_path, {}, tile, path, sample, normals);
}

/// Moves samples sample, sample + 1, … (a group) and writes them to the tile from path `path` on.
template <class Policy, class P, class T, class Normals>
GSIM_HD void simulate_group(const PathTable<T>& t, const Tile<T>& tile, Index path,
                            std::uint64_t sample, Normals& normals, StateMemory<T> memory) {
  if (t.loop == PathLoop::general)
    simulate_general<Policy, P>(t, tile, path, sample, normals, memory);
  else if (t.mirrors == 1)
    simulate_one<1, Policy, P>(t, tile, path, sample, normals);
  else
    simulate_one<2, Policy, P>(t, tile, path, sample, normals);
}

/// Adds the shift mu to the group's normals z in memory and gives the likelihood ratio of the paths
/// that z + mu moves, exp(-mu z - mu mu / 2) (Glasserman 2004, eq. 4.87).
template <class Policy, class P, class T>
GSIM_HD P shift_normals(const PathTable<T>& t, T* stored, Index stride) {
  P sum(T(0));
  const Index draws = t.steps * t.factors;
  for (Index d = 0; d < draws; ++d) {
    const P mu(t.shift[d]), z = load<P>(stored + d * stride);
    sum = fma(mu, z, sum);
    store(stored + d * stride, z + mu);
  }
  return exp<Policy>(-(sum + P(t.half_shift_square)));
}

/// The same with normals from where the job says. With importance sampling the likelihood ratios
/// of the group's paths are written to `weights`.
template <class Policy, class P, class T>
GSIM_HD void run_group(const PathTable<T>& t, const Tile<T>& tile, Index path, std::uint64_t sample,
                       StateMemory<T> memory, T* stored, Index stored_stride, T* weights) {
  if (t.prepares_normals) {
    if (t.stored_normals) {
      store_sobol_normals<Policy, P>(t.sobol, static_cast<Index>(sample), stored, stored_stride);
    } else {
      PathNormals<P, Policy> drawn(t.normals, sample, t.steps * t.factors);
      for (Index d = 0; d < t.steps * t.factors; ++d)
        store(stored + d * stored_stride, drawn.next());
    }
    if (t.shift != nullptr)
      store(weights + path, shift_normals<Policy, P>(t, stored, stored_stride));
    StoredNormals<P> normals(stored, stored_stride, t.steps * t.factors);
    simulate_group<Policy, P>(t, tile, path, sample, normals, memory);
  } else {
    PathNormals<P, Policy> normals(t.normals, sample, t.steps * t.factors);
    simulate_group<Policy, P>(t, tile, path, sample, normals, memory);
  }
}

/// Has plugins move their assets: `samples` samples of the tile, of which the first is number
/// `first` of the run. `memory_stride` as in PathModelJob.
template <class T>
inline __attribute__((always_inline)) void move_plugged(const Executor& executor,
                                                        const PathJob<T>& job,
                                                        const Scratch<T>& scratch, Index first,
                                                        Index samples, Index memory_stride) {
  for (Index i = 0; i < job.plugged_models; ++i) {
    PathModelJob<T> asked = job.models[i].job;
    asked.tile = scratch.tile;
    asked.first_sample = first;
    asked.samples = samples;
    asked.memory = scratch.normals;
    asked.memory_stride = memory_stride;
    job.models[i].simulate(executor, asked);
  }
}

}  // namespace pricing_kernels
GSIM_TARGET_END
