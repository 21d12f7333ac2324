#pragma once
// A path model: how the spot of one asset moves over a time step. gsim's own and those of plugins
// (path_model_kind.hpp) are functors that the same loop (simulate_path.hpp) is compiled around,
//
//   template <class Policy, class P, class T>
//   struct MyModel {
//     using State = …;                         // a few lane values
//     static constexpr int normals = 1;        // that a step takes
//     GSIM_HD explicit MyModel(const PathModelTerms<T>&);
//     GSIM_HD State start() const;             // today
//     template <class Draws>
//     GSIM_HD void step(Index k, State&, const Draws&) const;   // over step k
//     GSIM_HD P log_spot(const State&) const;  // ln(S / S(0))
//   };
//
// that process one group of paths at a time: P is packed<T> on the host and holds one path on a
// CUDA device; T is double or float. Paths of a group never part: what holds for some of them is
// selected (math/mask.hpp), and a lane's numbers never depend on its neighbours. Elementary
// functions are gsim's, with the Policy: exp<Policy>(x).
//
// A model need not know of payoffs, correlations, mirrored paths, precisions, Sobol points or
// importance sampling: the loop tilts the normals of its steps and weighs its paths. It may also
// say
//   static constexpr int registers = 2;    // P is as many registers at a time: for long chains
//   static constexpr bool bridged = true;  // step() returns (a P) the variance of ln S over the
//                                          // step, between whose ends ln S is a Brownian bridge:
//                                          // its extremes, of continuous barriers and lookbacks,
//                                          // are drawn from that

#include <cstdint>

#include "gsim/core/types.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/pricing/payoff.hpp"
#include "gsim/random/philox.hpp"

namespace gsim::pricing {

/// What a model's functor is constructed from: what its kind's functions gave, rounded to T.
template <class T>
struct PathModelTerms {
  const T* number;  ///< of describe()
  const T* step;    ///< [steps][step_numbers], of step_numbers()
  std::int32_t step_numbers;

  /// The numbers of step k.
  GSIM_HD const T* of_step(Index k) const { return step + k * step_numbers; }
};

/// A scrambling of one dimension (ScrambleSeed of random/sobol.hpp, the same on every target).
struct SobolSeed {
  std::uint32_t add, multiply;
};

/// Scrambled Sobol points (sobol_normals.hpp). Replicate r has blocks r, r + replicates, …
template <class T>
struct SobolTable {
  Index steps, factors, dimensions, replicates, block_samples;
  const std::uint32_t* directions;  ///< [dimension][32], bits reversed
  const SobolSeed* seeds;           ///< [replicate][dimension]
  bool bridge;
  // Brownian bridge, one entry a construction step (random/brownian_bridge.hpp)
  const std::int32_t *left, *right, *middle;
  const T *weight_left, *weight_right, *weight_sd;
  const T* inverse_root_dt;  ///< one a time step
};

/// What the loop over a path reads of an asset besides its model. Step k runs from the end of step
/// k - 1 to the end of step k; a record is a date at which paths are written to the tile.
template <class T>
struct AssetPath {
  Index steps;
  const std::int32_t* record_of_step;  ///< -1: none
  T spot;                              ///< S(0)
  AssetRows rows;
  bool bounded;  ///< no log-spot leaves the range of exp_bounded
};

/// The draws of one asset's model beyond the normals of its steps.
struct ModelStreams {
  PhiloxKey uniforms, normals, bridge;
  std::int32_t asset, assets;  ///< which asset it is among the run's
};

/// Divides a tile's samples on the host: no loop moves more paths at once, whatever the CPU level.
inline constexpr Index host_group_lanes = 64;

/// The paths of one asset over a tile. A sample is a path, or a path and its mirror image.
template <class T>
struct PathModelJob {
  PathModelTerms<T> terms;
  AssetPath<T> path;
  ModelStreams streams;
  /// A step of all assets takes `factors` normals z: one an asset, then further ones of models. The
  /// asset's first is the sum over b <= asset of correlation[b] z[b], its next begin at z[own].
  const T* correlation;
  std::int32_t factors, own, model_normals;
  std::int32_t mirrors;  ///< 1, or 2 with antithetic sampling
  PhiloxKey normals;
  bool stored_normals;  ///< Sobol points: normals are prepared in memory
  SobolTable<T> sobol;
  /// Importance sampling: [steps * factors] the means of the tilted normals, or null, and the part
  /// of the logarithm of the likelihood ratio that is the same for all paths.
  const T* tilt;
  T log_ratio_constant;
  Tile<T> tile;
  Index first_sample;   ///< number in the run of the tile's first sample
  Index samples;        ///< to be moved: a multiple of host_group_lanes on a CPU
  T* memory;            ///< room for prepared normals,
  Index memory_stride;  ///< on CUDA those of path p at p + d memory_stride
  T* weights;           ///< [samples] where to write the paths' likelihood ratios, or null
};

/// InputError of the path model `name`: its functor takes `normals` normals a step, and it is
/// registered with `registered`; or extremes are asked for, and it draws none.
void check_path_model(const char* name, Index normals, Index registered, bool has_extremes);

/// The launchers of one path model.
struct PathModelLaunchers {
  void (*f64_strict)(const Executor&, const PathModelJob<double>&) = nullptr;
  void (*f64_fast)(const Executor&, const PathModelJob<double>&) = nullptr;
  void (*f32_strict)(const Executor&, const PathModelJob<float>&) = nullptr;
  void (*f32_fast)(const Executor&, const PathModelJob<float>&) = nullptr;
};

}  // namespace gsim::pricing

/// At global scope: declares what GSIM_DEFINE_PATH_MODEL (simulate_path.hpp) defines.
#define GSIM_DECLARE_PATH_MODEL(name)                                     \
  GSIM_DECLARE_LAUNCHER(name##_f64_strict, pricing::PathModelJob<double>) \
  GSIM_DECLARE_LAUNCHER(name##_f64_fast, pricing::PathModelJob<double>)   \
  GSIM_DECLARE_LAUNCHER(name##_f32_strict, pricing::PathModelJob<float>)  \
  GSIM_DECLARE_LAUNCHER(name##_f32_fast, pricing::PathModelJob<float>)

/// The PathModelLaunchers of that name, once declared.
#define GSIM_PATH_MODEL(name)                                                                    \
  [] {                                                                                           \
    using gsim::Executor;                                                                        \
    using gsim::pricing::PathModelJob;                                                           \
    return gsim::pricing::PathModelLaunchers{                                                    \
        [](const Executor& e, const PathModelJob<double>& j) { gsim::name##_f64_strict(e, j); }, \
        [](const Executor& e, const PathModelJob<double>& j) { gsim::name##_f64_fast(e, j); },   \
        [](const Executor& e, const PathModelJob<float>& j) { gsim::name##_f32_strict(e, j); },  \
        [](const Executor& e, const PathModelJob<float>& j) { gsim::name##_f32_fast(e, j); }};   \
  }()
