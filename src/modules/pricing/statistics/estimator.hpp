#pragma once
// Prices and their standard errors from sums over samples.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gsim/engine/merge_stack.hpp"
#include "src/modules/pricing/paths/path_engine.hpp"
#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

/// How the standard error was obtained.
enum class ErrorKind : std::uint8_t {
  sampled,      ///< from the variance of the samples
  no_variance,  ///< all samples are equal: the error is unknown, standard_error and half_width are
                ///< NaN
  control_explains_all  ///< the control variate explains almost all samples: the error without it
};

/// A price with its error and the number of samples; before any sample the error is infinite.
struct PriceEstimate {
  double price = 0;
  double standard_error = 0;
  ErrorKind kind = ErrorKind::sampled;
  Index samples = 0;
  double beta = 0;        ///< coefficient of the control variate, 0 without one
  double half_width = 0;  ///< half width of the confidence interval
  /// Samples that contribute to the variance (contributing_samples()); infinite if not known.
  double contributing_samples = std::numeric_limits<double>::infinity();
};

/// Estimates with fewer contributing samples do not meet an error target.
inline constexpr double min_contributing_samples = 30;

/// The number of samples that contribute to the variance of x - beta y: n / (kurtosis - 1),
/// estimated from the variances v of the lanes as 1 / (sum v^2 / (sum v)^2 - 1 / lanes). For a
/// payoff that is zero on most paths it is the number of paths with a payment. Where samples are
/// means over batches, each in a lane of its own, it is the number of batches divided by the excess
/// of their kurtosis over 3. Infinite without lanes or variance.
double contributing_samples(const BlockStatistics& sums, double beta);

/// Estimates of one trade from the sums of its replicates. With one replicate (plain sampling) the
/// error follows from the variance of the samples; with several (Sobol) from the variance of the
/// replicates' means, since only these are independent. With a control y of known expectation the
/// price is mean x - beta (mean y - E y), beta = cov(x, y) / var(y) over all samples (Glasserman
/// 2004, eq. 4.3 to 4.10). All values are multiplied by `quantity`; a quantity of 0 has the certain
/// price 0. If all samples are equal up to rounding, the error is unknown, because further paths
/// may pay a different amount: the kind is then ErrorKind::no_variance, unless `is_certain`. If few
/// samples contribute, the error is widened (error_widening()) so that confidence intervals keep
/// their coverage (with replicates the number of contributing samples is not known). Where fewer
/// than `fewest_contributing` samples contribute to what the control variate leaves, the error is
/// that without it.
PriceEstimate estimate_price(std::span<const BlockStatistics> replicates, const TradeSetup& setup,
                             double quantity, double confidence, bool is_certain = false,
                             double fewest_contributing = min_contributing_samples);

/// The difference between the samples' mean of the control variate and its known expectation, in
/// standard errors. It is far from 0 if steps are too long for the model, or if the samples are too
/// few to contain rare paths that dominate the expectation. 0 if it cannot be computed: without a
/// control variate or samples, and with fewer than eight replicates. With replicates the deviation
/// follows Student's t, and is scaled so that +-5 is as improbable as it is for a normal one.
double control_deviation(std::span<const BlockStatistics> replicates, const TradeSetup& setup);

/// Quantile of Student's t, `degrees` of freedom (0: infinitely many), by the Cornish-Fisher series
/// (Abramowitz and Stegun 1964, 26.7.5); relative error below 1e-3 from 7 degrees on.
double student_quantile(double probability, Index degrees);

/// Evaluation points in blocks: a fixed, roughly geometric sequence up to `total`. Plain sampling:
/// 4, 6, 8, 12, 16, 24, …; with Sobol points, the number of replicates times powers of two, at
/// which a point set is balanced.
class EvaluationSchedule {
 public:
  EvaluationSchedule() = default;
  /// At least `blocks` blocks, rounded up to a complete evaluation point with Sobol points.
  EvaluationSchedule(Index blocks, Sampling sampling, Index replicates);
  Index total() const { return total_; }
  /// The first point after `done`.
  Index next(Index done) const;

 private:
  Index total_ = 1;
  Index unit_ = 1;  ///< blocks in one set of points
  bool powers_of_two_ = false;
};

}  // namespace gsim::pricing
