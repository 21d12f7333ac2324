#pragma once
// Means over the active generations of an eigenvalue calculation, with standard errors that include
// the correlation of successive generations.

#include <span>
#include <vector>

namespace gsim::transport {

struct MeanAndError {
  double mean = 0;
  /// Standard error of the mean; infinite for fewer than two values.
  double error = 0;
  /// Integrated autocorrelation, 1 + 2 sum of autocorrelations: the number of generations per
  /// independent sample.
  double correlation = 1;
};

/// The mean of a series of equal weights. Its variance is that of independent values times the
/// integrated autocorrelation. The sum over lags ends at the first lag that is 5 times the partial
/// sum (A. Sokal, Functional Integration (1997) 131, section 3), which balances the bias from the
/// omitted lags with the noise of the included ones. The result is at least 1.
MeanAndError mean_of(std::span<const double> series);
/// The mean of independent values of equal weights.
MeanAndError mean_of_independent(std::span<const double> series);

/// The minimum-variance combination of several estimators of one quantity
/// (M. Halperin, J. Am. Stat. Assoc. 56 (1961) 36; T. J. Urbatsch et al., LA-12658-MS (1995)). Its
/// weights sum to 1 and are proportional to the inverse covariance matrix times a vector of ones.
/// Estimators that are linear functions of others get the weight 0; with implicit capture the
/// absorption estimator is such a function of the collision estimator. `series`: one value per
/// generation of each estimator, of equal lengths.
struct Combination {
  MeanAndError value;
  std::vector<double> weights;
  std::vector<double> series = {};  ///< the combined value of each generation
};
Combination combine(const std::vector<std::span<const double>>& series);

}  // namespace gsim::transport
