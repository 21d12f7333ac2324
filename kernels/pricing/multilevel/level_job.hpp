#pragma once
// The data for the samples of one level of multilevel Monte Carlo (level_samples.hpp). Plain data
// in the executor's memory; code outside of kernels fills it.

#include "kernels/pricing/job.hpp"

namespace gsim::pricing {

/// The payoffs of multilevel Monte Carlo, on one asset.
enum class LevelPayoff : std::int32_t { european, digital, asian, lookback, barrier };

/// The terms of a payoff. Logarithms are relative to S(0).
struct LevelPayoffTerms {
  LevelPayoff payoff;
  double spot, discount;
  double sign;     ///< +1 call, -1 put
  double strike;   ///< digital: its logarithm
  double cash;     ///< digital
  Index fixings;   ///< asian: their number, equally spaced to the end of the paths
  bool floating;   ///< lookback
  double extreme;  ///< lookback: logarithm of the extreme so far
  double side;     ///< lookback: +1 maximum, -1 minimum; barrier: +1 up, -1 down
  double barrier;  ///< its logarithm times `side`
  bool knock_in;
};

/// Samples [first, first + count) of a level: differences of the payoff on a fine path and on a
/// coarse path of steps that are `ratio` times as long; on the coarsest level, the payoff. `count`
/// is a multiple of host_group_lanes.
struct LevelJob {
  LevelPayoffTerms terms;
  AssetTable<double> fine, coarse;
  Index fine_steps;
  Index ratio;         ///< 1: the coarsest level, whose `coarse` is not used
  bool is_antithetic;  ///< the mean of two fine paths, whose increments within a coarse step have
                       ///< opposite orders, takes the place of the fine payoff
  double rho;          ///< correlation of the log-spot's and the variance's increments
  PhiloxKey normals, bridge;
  SobolTable<double> sobol;  ///< no dimensions: pseudo-random normals
  double* stored;            ///< sobol: [sample][draw] memory for the normals
  std::uint64_t first;
  Index count;
  double* differences;  ///< [count]
  double* values;       ///< [count] the payoff of the fine path
};

/// Largest ratio of the steps of two levels.
inline constexpr int largest_ratio = 4;

}  // namespace gsim::pricing

GSIM_DECLARE_LAUNCHER(sample_level, pricing::LevelJob)
