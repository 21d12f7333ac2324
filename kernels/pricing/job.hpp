#pragma once
// The device view of a Simulation: plain data in the executor's memory, built by path_tables.cpp
// and read by the pricing kernels. T is the type of path arithmetic (double or float); tables are
// computed in double and rounded once. There is no code here that is compiled per target.
//
// Terms: a sample is one entry of the statistics, the mean of `paths_per_sample` paths (2 with
// antithetic sampling). Step k runs from the end of step k - 1 to the end of step k; record r is a
// date at which paths are written to the tile. Logarithms of spots are relative to S(0), because
// small numbers keep more digits in float arithmetic.

#include <cstddef>
#include <cstdint>

#include "gsim/core/types.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/pricing/block_statistics.hpp"
#include "gsim/pricing/path_model.hpp"
#include "gsim/pricing/payoff_job.hpp"
#include "gsim/random/philox.hpp"
#include "kernels/pricing/exercise/exercise_job.hpp"
#include "kernels/pricing/path_models/step_scheme.hpp"

namespace gsim::pricing {

/// Constants of Andersen's QE scheme over one step (formulas in path_models/heston_qe.hpp).
template <class T>
struct QeStep {
  T decay;        ///< e^(-kappa dt)
  T mean_offset;  ///< theta (1 - decay)
  T s2_slope;     ///< s^2 = s2_slope v + s2_offset
  T s2_offset;
  T k0, k1, k2;  ///< without martingale correction
  T k3, k4;
  T a;  ///< A = k2 + k4 / 2
  T half_k3;
  T half_dt;  ///< variance of the log-spot over the step: half_dt (v + v')
};

/// The derivative of an asset's log-spot with respect to one quantity of the market, which is
/// simulated together with its paths (paths/path_tangents.hpp). The derivative of the deviation of
/// a step is the sum of two parts.
template <class T>
struct PathTangent {
  T start;                      ///< of ln S(0)
  std::int32_t row;             ///< of the tile
  const T* drift;               ///< [steps] of the drift
  const T* deviation;           ///< [steps] the part that is the same at all spots
  const std::int32_t* by_spot;  ///< [steps] row of `deviations` with the other part; -1: none
  const T* deviations;          ///< [row][AssetTable::local_points]
};

/// One asset. Tables have one entry per step.
template <class T>
struct AssetTable {
  StepScheme scheme;
  std::int32_t driver;  ///< index of the asset whose normals and draws it has: its own, or that of
                        ///< the asset of which it is a variant
  std::int32_t second_normal;  ///< index of z_v among the normals of a step; -1: none
  T spot, log_spot;            ///< S(0), ln S(0)
  const T* drift;  ///< the part of the log-spot's drift that does not depend on the path
  const T* sd;     ///< deterministic variance: standard deviation of the step; else sqrt(dt)
  PathModelTerms<T> terms;  ///< AssetDynamics::numbers and step_numbers
  const QeStep<T>* qe;      ///< Heston's variance
  T v0;
  T conditional_share;  ///< 1 - rho^2: the share of the log-spot's variance that is independent of
                        ///< the path of v
  // Poisson number of jumps: P(n <= j) over step k is jump_cdf[k * jump_terms + j]
  const T* jump_cdf;
  std::int32_t jump_terms;
  T jump_mean, jump_sd;
  /// Importance sampling: [steps] the exponent theta by which the distribution of the jumps is
  /// tilted, or null, and the mean of a jump under the tilted distribution; jump_cdf is then the
  /// tilted distribution of the number of jumps.
  const T *jump_tilt, *tilted_jump_mean;
  // local volatility, root mean square over step k: local_vol[k * local_points + j], j on a grid of
  // logarithms relative to S(0)
  const T* local_vol;
  std::int32_t local_points;
  T local_first, local_inverse_spacing;
  const PathTangent<T>* tangent;         ///< [tangents]
  std::int32_t tangents, first_tangent;  ///< first_tangent: the number of those of assets before it
  /// The log-spot stays in the range of exp_bounded: the asset is lognormal, and twelve standard
  /// deviations (probability 1e-33) lie inside the range.
  bool bounded;
  AssetRows rows;
};

/// The loop over a path. The addresses of the draws depend on the loop.
enum class PathLoop : std::int32_t {
  general,
  one_asset,  ///< one asset of a scheme with a loop for that, without jumps, extremes and
              ///< conditional expectations
  one_step,   ///< one step, pseudo-random, lognormal assets without jumps and extremes
  none        ///< all assets are simulated by launchers of their own
};
/// Largest number of assets of PathLoop::one_step.
inline constexpr int one_step_assets = 8;

/// The data for the simulation of paths.
template <class T>
struct PathTable {
  Index steps, records;
  std::int32_t assets, factors;  ///< factors: one per asset, then one per stochastic variance
  /// PathLoop::general: number of entries of `asset`, those of the assets and of their variants in
  /// bumped markets, in the order of `driver`. The other loops simulate no variants.
  std::int32_t simulated;
  const std::int32_t* record_of_step;  ///< -1: none
  const T* correlation;                ///< lower-triangular factor, [asset][asset]
  const AssetTable<T>* asset;          ///< [simulated]
  const AssetRows* asset_rows;         ///< [assets]
  std::int32_t rows;                   ///< rows of the tile per record
  std::int32_t tangents;               ///< of all assets; 0 unless PathLoop::general
  std::int32_t paths_per_sample;       ///< 1, or 2 with antithetic sampling
  PathLoop loop;
  StepScheme scheme;    ///< PathLoop::one_asset: of the asset
  bool stored_normals;  ///< normals of Sobol points are stored before the simulation
  SobolTable<T> sobol;
  PhiloxKey normals, jump_count, jump_size, bridge;
  /// Importance sampling: [steps * factors] the means of the tilted normals in the order in which
  /// they are drawn, or null, and the part of the logarithm of the likelihood ratio that is the
  /// same for all paths.
  const T* tilt;
  T log_ratio_constant;
  bool prepares_normals;  ///< normals are stored before the simulation: Sobol or tilted ones, or
                          ///< those of a nested simulation
  BranchTable branches;
};

/// Running sums of one trade's payoffs x and controls y over the samples s = lane (mod `lanes`) of
/// a block, relative to a shift (the block's first sample) to avoid cancellation.
struct LaneSums {
  static constexpr int lanes = 16;
  double shift_x, shift_y;
  double x[lanes], xx[lanes], y[lanes], yy[lanes], xy[lanes];
};

/// A trade in a job: its payoff and, if has_control is set, its control variate.
template <class T>
struct TradeView {
  PayoffView<T> payoff;
  PayoffView<T> control;
  bool has_control;
};

/// CUDA: a trade in one of several markets whose paths are in the same tile.
template <class T>
struct TradeInMarket {
  const TradeView<T>* trade;
  const AssetRows* asset;  ///< the rows of the market
};

/// A payoff whose state is updated while its paths are simulated, or a control variate.
template <class T>
struct FusedSlot {
  const PayoffView<T>* terms;
  PayoffFormula formula;
  std::int32_t first_word;  ///< of the state, among the words of a thread
  std::int32_t trade;       ///< position in the batch
  bool is_control;
};
/// The fixings of a slot in one group of steps.
template <class T>
struct alignas(16) FusedFixings {
  const PayoffView<T>* terms;
  std::int32_t first;  ///< index of the first fixing in the group
  std::int16_t first_word;
  std::int8_t formula;  ///< PayoffFormula
  std::uint8_t steps;   ///< bit j: the slot has a fixing at the end of step j of the group
};
/// One group of steps, whose normals are those of one Philox block.
struct alignas(16) FusedGroup {
  std::int32_t first, last;  ///< its part of FusedBatch::fixings
  std::uint32_t steps;       ///< bit j: some slot has a fixing at the end of step j of the group
  std::uint32_t records;     ///< bit j: the end of step j is a record, at which extremes start anew
};
/// Trades that one launch evaluates while it simulates their paths (fused/sample_fused.hpp), so
/// that nothing but their samples is stored.
template <class T>
struct FusedBatch {
  Index trades;
  std::int32_t slots, groups;
  const FusedSlot<T>* slot;
  const FusedGroup* group;
  const FusedFixings<T>* fixings;
};

/// An active trade that launchers evaluate: those of its PayoffKind or, with early exercise, those
/// of kernels/pricing/exercise.
template <class T>
struct LaunchedTrade {
  Index position;  ///< index in `active`
  void (*sample)(const Executor&, const PayoffJob<T>&);
  PayoffJob<T> job;                                          ///< without the tile
  void (*exercise)(const Executor&, const ExerciseJob<T>&);  ///< null: no early exercise
  ExerciseJob<T> exercise_job;                               ///< without the tile
  bool samples_control;  ///< with early exercise: the control variate is observed at exercise, and
                         ///< the formula of TradeView::control is PayoffFormula::launched
};

/// An asset that the launchers of its PathModelKind simulate.
template <class T>
struct LaunchedModel {
  void (*simulate)(const Executor&, const PathModelJob<T>&);
  PathModelJob<T> job;  ///< without the tile
};

/// Simulation of blocks `blocks` of the trades listed in `active`.
template <class T>
struct PathJob {
  PathTable<T> paths;
  AssetTable<T> asset;  ///< CUDA: a copy of the first asset's table, for fused trades
  const TradeView<T>* trade;
  const std::int32_t* active;  ///< [active_trades] indices into trade
  Index active_trades;
  /// CUDA: batches of the first active trades, in order; in host memory. The other trades are
  /// evaluated on a tile.
  const FusedBatch<T>* fused;
  Index fused_batches, fused_trades;
  const LaunchedTrade<T>* launched;  ///< [launched_trades] in order of position; in host memory
  Index launched_trades;
  const LaunchedModel<T>* models;  ///< [launched_models]; in host memory
  Index launched_models;
  Index block_samples;
  IndexRange blocks;
  Index tile_samples;        ///< host: divides block_samples; CUDA: a multiple of it
  Index trades_at_once;      ///< CUDA: trades evaluated by one launch
  std::byte* scratch;        ///< scratch.hpp; host: one part per worker
  BlockStatistics* results;  ///< [block - blocks.first][active trade]
};

}  // namespace gsim::pricing

GSIM_DECLARE_LAUNCHER(run_paths_f64_strict, pricing::PathJob<double>)
GSIM_DECLARE_LAUNCHER(run_paths_f64_fast, pricing::PathJob<double>)
GSIM_DECLARE_LAUNCHER(run_paths_f32_strict, pricing::PathJob<float>)
GSIM_DECLARE_LAUNCHER(run_paths_f32_fast, pricing::PathJob<float>)
