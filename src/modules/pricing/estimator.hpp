#pragma once
// From sums over samples to prices with errors.

#include <span>
#include <vector>

#include "gsim/engine/merge_stack.hpp"
#include "path_engine.hpp"
#include "simulation.hpp"

namespace gsim::pricing {

/// A price with what stands behind it; before any sample the error is infinite.
struct PriceEstimate {
  double price = 0;
  double standard_error = 0;
  Index samples = 0;
  double beta = 0;        ///< coefficient of the control variate, 0 without one
  double half_width = 0;  ///< of the confidence interval
};

/// Estimates of one trade from the sums of its replicates (one: plain sampling, and the error comes
/// from the samples' variance; several: Sobol, and the error comes from the spread of the
/// replicates' means, which alone are independent). With a control y of known expectation the price
/// is mean x - beta (mean y - E y), beta = cov(x, y) / var(y) over all samples (Glasserman 2004,
/// eq. 4.3 to 4.10). All are multiplied by `quantity`.
PriceEstimate estimate_price(std::span<const BlockStatistics> replicates,
                             const TradeProgram& program, double quantity, double confidence);

/// Quantile of Student's t, `degrees` of freedom (0: infinitely many), by the Cornish-Fisher series
/// (Abramowitz and Stegun 1964, 26.7.5); relative error below 1e-3 from 7 degrees on.
double student_quantile(double probability, Index degrees);

/// Evaluation points in blocks: a fixed, roughly geometric sequence up to `total`. Plain sampling:
/// 4, 6, 8, 12, 16, 24, …; with Sobol points, replicates times powers of two, where a point set is
/// balanced.
class EvaluationSchedule {
 public:
  EvaluationSchedule() = default;
  /// `wanted` blocks at least, made a whole evaluation point with Sobol points.
  EvaluationSchedule(Index wanted, Sampling sampling, Index replicates);
  Index total() const { return total_; }
  /// The first point after `done`.
  Index next(Index done) const;

 private:
  Index total_ = 1;
  Index unit_ = 1;  ///< blocks that belong to one set of points
  bool powers_of_two_ = false;
};

}  // namespace gsim::pricing
