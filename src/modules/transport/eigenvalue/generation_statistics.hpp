#pragma once
// Means over the active generations of an eigenvalue calculation, with standard errors that know
// that a generation resembles the one before.

#include <span>
#include <vector>

namespace gsim::transport {

struct MeanAndError {
  double mean = 0;
  /// Of the mean; infinite for fewer than two values.
  double error = 0;
  /// Generations that are worth an independent one: 1 + 2 sum of autocorrelations.
  double correlation = 1;
};

/// The mean of a series of equal weights. Its variance is that of independent values times the
/// integrated autocorrelation, whose sum ends at the first lag that is 5 times the integral so far
/// (A. Sokal, Functional Integration (1997) 131, section 3): bias from a tail left out then
/// balances noise from one taken in. It is never taken below 1.
MeanAndError mean_of(std::span<const double> series);
/// The mean of independent values of equal weights.
MeanAndError mean_of_independent(std::span<const double> series);

/// Estimates of one quantity by several estimators, combined with the weights of least variance
/// (M. Halperin, J. Am. Stat. Assoc. 56 (1961) 36; T. J. Urbatsch et al., LA-12658-MS (1995)): sums
/// to 1, proportional to the inverse of the covariances, times ones. Estimators that are linear in
/// others, as absorption and collision are with implicit capture, get the weight 0. `series`: one
/// value a generation of each estimator, all of the same length.
struct Combination {
  MeanAndError value;
  std::vector<double> weights;
  std::vector<double> series = {};  ///< the combined value of each generation
};
Combination combine(const std::vector<std::span<const double>>& series);

}  // namespace gsim::transport
