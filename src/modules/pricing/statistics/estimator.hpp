#pragma once
// From sums over samples to prices with errors.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gsim/engine/merge_stack.hpp"
#include "src/modules/pricing/paths/path_engine.hpp"
#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

/// What the samples say about the error.
enum class ErrorKind : std::uint8_t {
  sampled,     ///< they spread, and their spread is the error
  no_spread,   ///< all paid the same: the error is unknown, standard_error and half_width are NaN
  all_control  ///< the control explains all but few: the error is that without a control
};

/// A price with what stands behind it; before any sample the error is infinite.
struct PriceEstimate {
  double price = 0;
  double standard_error = 0;
  ErrorKind kind = ErrorKind::sampled;
  Index samples = 0;
  double beta = 0;        ///< coefficient of the control variate, 0 without one
  double half_width = 0;  ///< of the confidence interval
  /// Samples that its variance stands on (carriers_of); infinite where that is not known.
  double carriers = std::numeric_limits<double>::infinity();
};

/// An estimate on fewer carriers than this meets no error target.
inline constexpr double fewest_carriers = 30;

/// On how many samples the variance of x - beta y stands: n / (kurtosis - 1), from the spread of
/// the lanes' variances v about their mean, 1 / (sum v^2 / (sum v)^2 - 1 / lanes). For a payment
/// that few paths make it is the number of those that paid. Infinite without lanes or spread.
double carriers_of(const BlockStatistics& sums, double beta);

/// By how much the error of so few carriers is larger than their spread says: so much that 1.96
/// errors reach Garwood's (1936) upper 97.5 % limit for the mean of a Poisson number (by the
/// approximation of Wilson and Hilferty 1931) at 30 carriers and less; 1 from 100 on, in between
/// interpolated.
double widening(double carriers);

/// Estimates of one trade from the sums of its replicates (one: plain sampling, and the error comes
/// from the samples' variance; several: Sobol, and the error comes from the spread of the
/// replicates' means, which alone are independent). With a control y of known expectation the price
/// is mean x - beta (mean y - E y), beta = cov(x, y) / var(y) over all samples (Glasserman 2004,
/// eq. 4.3 to 4.10). All are multiplied by `quantity`; a quantity of 0 has the price 0 for sure.
/// Samples that do not spread show no error, whatever the payoff does on paths not yet seen: unless
/// `is_certain`, the estimate then says so by its kind. A spread is none when it is the rounding of
/// the sums. An error that stands on few carriers is widened, so that intervals cover what they
/// say (with replicates the carriers are not known).
PriceEstimate estimate_price(std::span<const BlockStatistics> replicates, const TradeSetup& program,
                             double quantity, double confidence, bool is_certain = false);

/// How many standard errors the samples' mean of the control lies from its known expectation: far
/// off 0 where the paths are not the model's, because steps are too long, or where they are too few
/// to hold the paths that an expectation hangs on. 0 where that cannot be told: without a control
/// /// or samples, and with fewer than eight replicates. With replicates the deviation follows
/// Student's t, and is scaled so that +-5 is as improbable as it is for a normal one.
double control_deviation(std::span<const BlockStatistics> replicates, const TradeSetup& program);

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
