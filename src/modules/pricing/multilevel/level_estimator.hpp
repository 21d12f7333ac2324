#pragma once
// The estimate of a trade from its levels, its diagnostics, and the samples that it needs next.
// Giles 2008 ("Multilevel Monte Carlo path simulation", Operations Research 56(3), section 5) and
// Giles 2015 ("Multilevel Monte Carlo methods", Acta Numerica 24, section 3); with Sobol points
// Giles and Waterhouse 2009 ("Multilevel quasi-Monte Carlo path simulation", section 5).

#include <cstddef>
#include <limits>
#include <vector>

#include "gsim/core/types.hpp"
#include "src/modules/pricing/multilevel/level_sums.hpp"

namespace gsim::pricing {

/// One level: its sums, by replicate (one without Sobol points), and the cost of a sample.
struct Level {
  std::vector<LevelSums> replicates;
  double cost = 0;  ///< steps
  Index blocks = 0;
  bool is_certain = false;  ///< the payoff on its paths is not random
};

/// Diagnostics of a level.
struct LevelDiagnostics {
  Index samples = 0;
  double cost = 0;                ///< of all samples, steps
  double mean = 0, variance = 0;  ///< of a correction
  double fine_mean = 0, fine_variance = 0;
  double kurtosis = 0;  ///< of a correction
  /// Samples that contribute to the variance, n / (kurtosis - 1), and the factor by which the error
  /// is widened where these are few (engine/contributing_samples.hpp): corrections of barriers and
  /// digitals are large on few paths.
  double contributing = std::numeric_limits<double>::infinity(), widening = 1;
  /// Of the mean of the corrections, widened; NaN where the payoff has no variance, though it is
  /// random: further paths may pay.
  double error_variance = 0;
  bool is_certain = false;  ///< the payoff is not random
  /// |fine mean of the level below + mean - fine mean| over three times the sum of the standard
  /// errors of these means: above 1 with probability 0.3 % (Giles 2015, section 3.2); 0 on level 0,
  /// and where so few samples pay that these errors are not known.
  double consistency = 0;
};

struct MultilevelEstimate {
  double value = 0;           ///< sum of the means
  double standard_error = 0;  ///< of `value`; NaN: unknown, since the payoff has no variance
  double bias = 0;            ///< bound of the remaining bias, not negative
  double rms_error = 0;       ///< the square root of the sum of their squares
  /// The bound of the bias is bias_factor (|mean| + standard error) of the corrections of
  /// bias_level, the largest of those of the last three levels; without the standard errors it
  /// would be bias_of_means.
  std::size_t bias_level = 0;
  double bias_factor = 0, bias_of_means = 0;
  /// E[correction] ~ M^(-alpha level), variance ~ M^(-beta level), cost ~ M^(gamma level), fitted
  /// by least squares over the last five levels from 1 on (NaN: fewer than two).
  double alpha = 0, beta = 0, gamma = 0;
  double cost = 0;         ///< steps of all levels
  double single_cost = 0;  ///< of single-level Monte Carlo on the finest level, for the same error
  std::vector<LevelDiagnostics> levels;
};

/// Estimates for a quantity of 1. The number of steps grows by the factor `ratio` from level to
/// level. `is_exact`: the finest level is among the levels, and its paths have no bias.
MultilevelEstimate estimate_levels(const std::vector<Level>& levels, Index ratio, bool is_exact);

/// What to do next.
struct NextSamples {
  std::vector<Index> blocks;  ///< [level] further blocks; one entry more than there are levels if a
                              ///< new level is needed
  bool has_converged = false;
  /// The bias is too large, but no further level is allowed; or no sample of very many pays.
  bool is_at_finest = false;
  bool empty() const;
};

/// Without Sobol points: the numbers of samples N_l = 2 target^-2 sqrt(V_l / C_l) sum sqrt(V_k C_k)
/// (Giles 2008, eq. 12), at most eight times as many as before at once; with them, twice the points
/// of the level with the largest variance of its mean over its cost. Once the variance is at most
/// target^2 / 2, a new level where the remaining bias may exceed target / sqrt(2) (eq. 10, over the
/// last three levels, with the estimated order), or more samples of the level whose standard error
/// alone forbids the decision, where that costs less. Before all that, eight times the samples of a
/// level whose payoff has no variance, and of level 0 while fewer than min_contributing_samples
/// contribute. `block` samples are those of a block, `finest` the last allowed level.
NextSamples next_samples(const std::vector<Level>& levels, const MultilevelEstimate& estimate,
                         double target, Index ratio, Index block, Index finest);

/// Blocks of a new level, and of the first three at the beginning, for blocks of `block` samples: a
/// power of two times the number of replicates.
Index first_blocks(Index replicates, Index block);

}  // namespace gsim::pricing
