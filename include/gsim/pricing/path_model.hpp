#pragma once
// A path model: the dynamics of one asset's spot over a time step. gsim's own and those of plugins
// (path_model_kind.hpp) are functors, around which the same loop (simulate_path.hpp) is compiled:
//
//   template <class Policy, class P, class T>
//   struct MyModel {
//     using State = …;                         // a few values of type P
//     static constexpr int normals = 1; // per step
//     GSIM_HD explicit MyModel(const PathModelTerms<T>&);
//     GSIM_HD State start() const;             // today
//     template <class Draws>
//     GSIM_HD void step(Index k, State&, const Draws&) const;   // over step k
//     GSIM_HD P log_spot(const State&) const;  // ln(S / S(0))
//   };
//
// A functor processes one group of paths at a time: P is packed<T> on the host and holds one path
// on a CUDA device; T is double or float. The paths of a group take the same branches: results that
// differ between paths are selected by masks (math/mask.hpp), and the numbers of one lane never
// depend on other lanes. Elementary functions are gsim's, with the Policy: exp<Policy>(x). A model
// contains nothing about payoffs, correlations, antithetic sampling, precision, Sobol points or
// importance sampling: the loop tilts the normals of the steps and weights the paths. A model may
// also declare
//   static constexpr int registers = 2;    // P fills this many vector registers, so that the
//                                          // latencies of long dependency chains overlap
//   GSIM_HD P variance(const State&) const; // the instantaneous variance of ln S, if it is
//                                          // stochastic: a variable of the regression of options
//                                          // with early exercise
//   static constexpr bool bridged = true;  // step() returns (a P) the variance of ln S over the
//                                          // step, between whose ends ln S is a Brownian bridge.
//                                          // The extremes for continuous barriers and lookbacks
//                                          // are drawn from it.

#include <cstdint>

#include "gsim/core/types.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/pricing/payoff.hpp"
#include "gsim/random/philox.hpp"

namespace gsim::pricing {

/// The arguments of a model's functor: the numbers that its kind computes from the keys, rounded to
/// T.
template <class T>
struct PathModelTerms {
  const T* number;  ///< KeyValues::numbers
  const T* step;    ///< [steps][step_numbers], of PathModelKind::step_numbers()
  std::int32_t step_numbers;

  /// The numbers of step k.
  GSIM_HD const T* of_step(Index k) const { return step + k * step_numbers; }
};

/// A scrambling of one dimension: the numbers of ScrambleSeed (random/sobol.hpp) in a type that
/// set-up code and the kernels of every target share.
struct SobolSeed {
  std::uint32_t add, multiply;
};

/// Scrambled Sobol points (sobol_normals.hpp). Replicate r has blocks r, r + replicates, …
template <class T>
struct SobolTable {
  Index steps, factors, dimensions, replicates, block_samples;
  const std::uint32_t* directions;  ///< [dimension][32], bits reversed
  const SobolSeed* seeds;           ///< [replicate][dimension]
  bool bridge;                      ///< whether paths are built by a Brownian bridge
  // Brownian bridge, one entry per construction step (random/brownian_bridge.hpp)
  const std::int32_t *left, *right, *middle;
  const T *weight_left, *weight_right, *weight_sd;
  const T* inverse_root_dt;  ///< one per time step
};

/// The data of an asset, besides its model, that the loop over a path reads. Step k runs from the
/// end of step k - 1 to the end of step k; a record is a date at which paths are written to the
/// tile.
template <class T>
struct AssetPath {
  Index steps;
  const std::int32_t* record_of_step;  ///< -1: none
  T spot;                              ///< S(0)
  AssetRows rows;                      ///< rows of the tile to which the paths are written
  bool bounded;                        ///< every log-spot is in the range of exp_bounded
};

/// The paths of one block of a nested simulation: up to the end of step `steps` - 1 they are the
/// path of sample `outer`, and from there on they are independent of it and of each other.
struct PathBranch {
  std::uint64_t outer;  ///< number of the sample whose draws the first steps use
  std::uint64_t inner;  ///< number, for the draws of the further steps, of the block's first
                        ///< sample; a multiple of host_group_lanes
  std::int32_t steps;   ///< number of steps in common
  std::int32_t date;    ///< early exercise: the paths are exercised after this exercise date
};
/// The branches of all blocks; `of_block` is null if the simulation is not nested.
struct BranchTable {
  const PathBranch* of_block;
  Index block_samples;

  GSIM_HD bool is_nested() const { return of_block != nullptr; }
  /// The branch to which a sample belongs.
  GSIM_HD const PathBranch& at(std::uint64_t sample) const {
    return of_block[static_cast<Index>(sample) / block_samples];
  }
  /// Number of the sample for the draws of its own steps.
  GSIM_HD std::uint64_t inner(std::uint64_t sample) const {
    return at(sample).inner + sample % static_cast<std::uint64_t>(block_samples);
  }
};

/// The draws of one asset's model beyond the normals of its steps.
struct ModelStreams {
  PhiloxKey uniforms, normals, bridge;
  std::int32_t asset, assets;  ///< index of the asset, number of assets of the run
  BranchTable branches;
};

/// A divisor of the number of samples of a tile on the host: no loop simulates more paths at once
/// at any CPU level.
inline constexpr Index host_group_lanes = 64;

/// The paths of one asset over a tile. A sample is a path, or a path and its antithetic path.
template <class T>
struct PathModelJob {
  PathModelTerms<T> terms;
  AssetPath<T> path;
  ModelStreams streams;
  /// A step of all assets uses `factors` normals z: one per asset, followed by the further normals
  /// of the models. The first normal of this asset is the sum over b <= asset of correlation[b]
  /// z[b]; its further ones begin at z[first_further]. A step uses `model_normals` of this asset.
  const T* correlation;
  std::int32_t factors, first_further, model_normals;
  std::int32_t paths_per_sample;  ///< 1, or 2 with antithetic sampling
  PhiloxKey normals;
  bool stored_normals;  ///< normals of Sobol points are stored before the simulation
  BranchTable branches;
  SobolTable<T> sobol;
  /// Importance sampling: [steps * factors] the means of the tilted normals, or null, and the part
  /// of the logarithm of the likelihood ratio that is the same for all paths.
  const T* tilt;
  T log_ratio_constant;
  Tile<T> tile;
  Index first_sample;   ///< number in the run of the tile's first sample
  Index samples;        ///< to be simulated: a multiple of host_group_lanes on a CPU
  T* memory;            ///< memory for prepared normals
  Index memory_stride;  ///< on CUDA, draw d of path p is at p + d memory_stride
  T* weights;           ///< [samples] likelihood ratios of the paths, to be filled, or null
};

/// Throws InputError for the path model `name` if its functor uses `normals` normals per step and
/// it is registered with another number, `registered`. `can_draw_extremes` is false if extremes are
/// required and the functor does not draw them, which is an error, too.
void check_path_model(const char* name, Index normals, Index registered, bool can_draw_extremes);

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
