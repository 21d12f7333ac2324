#pragma once
// The tables of adjoint Greeks of trades with early exercise. With the date of exercise of each
// path held fixed, the sample is a function of the path and the market at a known date, and the
// mean of its derivative is that of the price, because the best policy makes the price largest: to
// first order its change contributes nothing (Piterbarg 2003, "Computing deltas of callable Libor
// exotics in forward Libor models", Journal of Computational Finance 7, 107; Leclerc, Liang and
// Schneider 2009, "Fast Monte Carlo Bermudan Greeks", Risk 22(7), 84). As for other adjoint Greeks
// (adjoint_job.hpp) all Greeks of a trade are linear combinations of sums over the paths.

#include <cstdint>

#include "gsim/exec/launch.hpp"
#include "kernels/pricing/exercise/exercise_job.hpp"

namespace gsim::pricing {

/// Sums of the derivatives by the log-spot of one asset times what changes with the market along a
/// path: the log-spots of an asset, with a sum for each segment of time of the changes of its
/// log-spot in the segment, or a tangent, with one sum.
struct ExercisedColumn {
  std::int32_t position;  ///< of the asset of the payoff by whose log-spot it is derived
  std::int32_t row;       ///< in a record: of the log-spots, or of the tangent
  bool is_tangent;
  std::int32_t segments;
  const std::int32_t* last;  ///< [segments] the last record of each segment
  /// The sums of the first segment; those of the others follow. -1: not needed.
  std::int32_t sum, control_sum;
};

/// The sums of a trade. Members without a further word are indices of the first of several sums, or
/// -1 where they are not needed. Payments and derivatives are discounted to today.
struct ExercisedSweep {
  const std::int32_t* slot;   ///< [record] position among the records that payoffs read
  std::int32_t slots;         ///< number of these records
  std::int32_t value;         ///< [date] of the payments
  std::int32_t spot;          ///< [asset][slot] of the derivatives by log-spots
  const std::int32_t* claim;  ///< [date] first sum of the derivatives by the amounts of rate
                              ///< claims, or -1; null: other payoffs
  // of the control variate
  std::int32_t control_value;  ///< [asset] of the part of each asset
  std::int32_t control_spot;   ///< [asset][date] of the derivatives by the logarithm of the forward
  std::int32_t control_sd;     ///< [asset][date] of those by the standard deviation
  std::int32_t columns;
  const ExercisedColumn* column;  ///< [columns]
};

/// A trade whose sums are added up.
template <class T>
struct ExercisedTarget {
  const ExerciseTable<T>* table;
  const ExercisedSweep* sweep;
  Index first_sum;  ///< of the trade, among those of all trades
};

/// The sums of trades over samples of a tile whose paths have been exercised.
template <class T>
struct ExercisedSweepJob {
  const ExercisedTarget<T>* target;  ///< [targets] in the executor's memory
  Index targets;
  Tile<T> tile;
  Index tile_samples;  ///< antithetic paths are this much further in the tile
  T* values;           ///< host: [4 * paths of the tile] work space
  double* sums;        ///< sum s >= first_sum of batch b is at (s - first_sum) * sum_stride + b
  Index sum_stride, first_sum;
  /// Host: the samples [first, last) of the tile, those of lane l belong to batch l. CUDA: all
  /// samples of `batches` batches of blocks.
  Index first, last;
  Index batches, block_samples;
};

}  // namespace gsim::pricing

GSIM_DECLARE_LAUNCHER(sweep_exercised_strict, pricing::ExercisedSweepJob<double>)
GSIM_DECLARE_LAUNCHER(sweep_exercised_fast, pricing::ExercisedSweepJob<double>)
