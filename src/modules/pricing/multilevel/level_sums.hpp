#pragma once
// Sums over the samples of a level of multilevel Monte Carlo.

#include <span>

namespace gsim::pricing {

/// Number, mean and central moments of the corrections, the differences between the payoff on a
/// fine and on a coarse path, and mean and second moment of the payoff on the fine path.
struct LevelSums {
  double count = 0;
  double mean = 0, m2 = 0, m3 = 0, m4 = 0;
  double fine_mean = 0, fine_m2 = 0;

  double variance() const;       ///< of a correction
  double fine_variance() const;  ///< of the payoff
  /// E[(Y - E Y)^4] / Var(Y)^2; 0 without variance.
  double kurtosis() const;
};

/// The sums of one block, in the order of its samples.
LevelSums level_sums(std::span<const double> differences, std::span<const double> values);

/// The sums over both blocks (Pebay 2008, "Formulas for robust, one-pass parallel computation of
/// covariances and arbitrary-order statistical moments", eq. 2.1 and 3.1).
LevelSums merge(const LevelSums& first, const LevelSums& second);

}  // namespace gsim::pricing
