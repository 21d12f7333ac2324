#pragma once
// One group of samples, from random numbers to the tile: picks the loop that fits the job.

#include "kernels/pricing/scratch.hpp"
#include "kernels/pricing/simulate.hpp"
#include "kernels/pricing/sobol_normals.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// One asset whose state stays in registers.
template <int mirrors, class Policy, class P, class T, class Normals>
GSIM_HD void simulate_one(const PathTable<T>& t, const Tile<T>& tile, Index path,
                          Normals& normals) {
  if (t.loop == PathLoop::one_heston) {
    RecordOne<mirrors, false, Policy, P, T> record{OneAssetTile<T>{tile}, path, t.asset[0].spot};
    simulate_one_heston<mirrors, Policy, P>(t, normals, record);
  } else {
    RecordOne<mirrors, true, Policy, P, T> record{OneAssetTile<T>{tile}, path, t.asset[0].spot};
    simulate_one_black_scholes<mirrors, P>(t, normals, record);
  }
}

/// Moves samples sample, sample + 1, … (a group) and writes them to the tile from path `path` on.
template <class Policy, class P, class T, class Normals>
GSIM_HD void simulate_group(const PathTable<T>& t, const Tile<T>& tile, Index path,
                            std::uint64_t sample, Normals& normals, StateMemory<T> memory) {
  if (t.loop == PathLoop::general)
    simulate_general<Policy, P>(t, tile, path, sample, normals, memory);
  else if (t.mirrors == 1)
    simulate_one<1, Policy, P>(t, tile, path, normals);
  else
    simulate_one<2, Policy, P>(t, tile, path, normals);
}

/// The same with normals from where the job says.
template <class Policy, class P, class T>
GSIM_HD void run_group(const PathTable<T>& t, const Tile<T>& tile, Index path, std::uint64_t sample,
                       StateMemory<T> memory, T* stored, Index stored_stride) {
  if (t.stored_normals) {
    store_sobol_normals<Policy, P>(t.sobol, static_cast<Index>(sample), stored, stored_stride);
    StoredNormals<P> normals(stored, stored_stride, t.steps * t.factors);
    simulate_group<Policy, P>(t, tile, path, sample, normals, memory);
  } else {
    PathNormals<P, Policy> normals(t.normals, sample, t.steps * t.factors);
    simulate_group<Policy, P>(t, tile, path, sample, normals, memory);
  }
}

}  // namespace pricing_kernels
GSIM_TARGET_END
