#include "src/modules/pricing/statistics/estimator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gsim/engine/contributing_samples.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {
namespace {

// Largest relative size of what is only rounding error: of the samples' standard deviation compared
// with their mean, and of the sum of squares that the control variate leaves compared with the
// whole sum (paths in float round that by about 1e-14).
constexpr double rounding = 1e-12;

// Whether the control varies by more than rounding errors. It does not if, for example, it is the
// expectation of the spot given the path of the variance and the two are uncorrelated, since this
// is the same for all paths. Its coefficient would then be fitted to rounding errors and would
// carry the difference between the control's mean and its expectation into the price.
bool has_variance(const BlockStatistics& s) {
  constexpr double smallest_spread = 1e-6;  // relative to the mean; float rounds by about 1e-7
  return s.m_yy > square(smallest_spread * s.mean_y) * s.count;
}

// Whether the samples are means over batches of samples, each in a lane of its own.
bool has_batches(const BlockStatistics& s) { return s.lanes > 0 && s.lanes == s.count; }

// The mean of one replicate, corrected by its control variate.
double controlled_mean(const BlockStatistics& s, double beta, double expectation) {
  return s.mean_x - beta * (s.mean_y - expectation);
}

// Standard error of the mean of n replicates' means; `center` is the mean.
double error_of_means(const std::vector<double>& means, double center) {
  if (means.size() < 2) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const double m : means) sum += square(m - center);
  const auto n = static_cast<double>(means.size());
  return std::sqrt(sum / (n * (n - 1)));
}

// Standard error of the mean of independent samples, corrected by the control variate.
double error_of_samples(const BlockStatistics& s, double beta) {
  const double parameters = beta != 0 ? 2 : 1;  // the mean, and the fitted coefficient
  if (s.count <= parameters) return std::numeric_limits<double>::infinity();
  const double residual = std::max(0.0, s.m_xx - beta * s.m_xy);
  return std::sqrt(residual / ((s.count - parameters) * s.count));
}

struct MeanAndError {
  double mean = 0, standard_error = 0;
  Index degrees_of_freedom = 0;  ///< those of the error estimate; 0: infinitely many
};

// Mean with the control variate applied, over all replicates, and its standard error.
MeanAndError controlled(std::span<const BlockStatistics> replicates, const BlockStatistics& all,
                        double beta, double expectation) {
  if (replicates.size() == 1) {
    const double parameters = beta != 0 ? 2 : 1;
    return {controlled_mean(all, beta, expectation), error_of_samples(all, beta),
            has_batches(all) ? static_cast<Index>(all.count - parameters) : 0};
  }
  MeanAndError result;
  std::vector<double> means;
  for (const BlockStatistics& s : replicates) {
    if (s.count == 0) continue;  // stopped before its first block
    means.push_back(controlled_mean(s, beta, expectation));
    result.mean += means.back();
  }
  result.mean /= static_cast<double>(means.size());
  result.standard_error = error_of_means(means, result.mean);
  result.degrees_of_freedom = static_cast<Index>(means.size()) - 1;
  return result;
}

// The statistics of the samples of all replicates.
BlockStatistics merged(std::span<const BlockStatistics> replicates) {
  BlockStatistics all;
  for (const BlockStatistics& s : replicates) {
    if (s.count > 0) all = all.count > 0 ? merge(all, s) : s;
  }
  return all;
}

ErrorKind kind_of(const BlockStatistics& all, const MeanAndError& found, double beta) {
  if (!std::isfinite(found.standard_error)) return ErrorKind::sampled;  // too few samples
  if (all.m_xx <= rounding * rounding * all.count * square(all.mean_x))
    return ErrorKind::no_variance;
  const bool is_explained = all.m_xx - beta * all.m_xy <= rounding * all.m_xx;
  if (beta != 0 && is_explained) return ErrorKind::control_explains_all;
  return found.standard_error == 0 ? ErrorKind::no_variance : ErrorKind::sampled;
}

}  // namespace

double contributing_samples(const BlockStatistics& s, double beta) {
  constexpr double no_bound = std::numeric_limits<double>::infinity();
  const double b2 = square(beta);
  const double variance = s.m_xx - 2 * beta * s.m_xy + b2 * s.m_yy;
  if (!(s.lanes > 0) || !(variance > 0)) return no_bound;
  constexpr double min_variance = 1e-150;  // its square does not underflow
  if (variance < min_variance) return 1;
  const double squares = s.q_xx_xx - 4 * beta * s.q_xx_xy + 2 * b2 * s.q_xx_yy +
                         4 * b2 * s.q_xy_xy - 4 * beta * b2 * s.q_xy_yy + b2 * b2 * s.q_yy_yy;
  // The fourth powers of normal means of batches sum to three times the square of the variance,
  // with the relative deviation sqrt(24 / lanes), of which five are no sign of few samples.
  const double of_normal = has_batches(s) ? 3 + 5 * std::sqrt(24 / s.lanes) : 1;
  const double inverse_count = squares / square(variance) - of_normal / s.lanes;
  return inverse_count > 0 ? 1 / inverse_count : no_bound;
}

PriceEstimate estimate_price(std::span<const BlockStatistics> replicates, const TradeSetup& setup,
                             double quantity, double confidence, bool is_certain,
                             double fewest_contributing) {
  PriceEstimate result;
  const BlockStatistics all = merged(replicates);
  result.samples = static_cast<Index>(all.count);
  if (quantity == 0) return result;
  if (all.count == 0) {
    result.standard_error = result.half_width = std::numeric_limits<double>::infinity();
    return result;
  }
  if (setup.control != TradeSetup::Control::none && has_variance(all))
    result.beta = all.m_xy / all.m_yy;
  MeanAndError found = controlled(replicates, all, result.beta, setup.control_expectation);
  if (!is_certain) result.kind = kind_of(all, found, result.beta);
  // With Sobol points the lanes are strata, so that their spread is not the sampling error.
  const bool are_independent = replicates.size() == 1;
  const double beta = result.beta;
  if (are_independent && !is_certain && result.kind == ErrorKind::sampled && beta != 0 &&
      contributing_samples(all, beta) < fewest_contributing &&
      contributing_samples(all, 0) >= min_contributing_samples)
    result.kind = ErrorKind::control_explains_all;
  if (result.kind == ErrorKind::control_explains_all)
    found.standard_error = controlled(replicates, all, 0, setup.control_expectation).standard_error;
  if (result.kind == ErrorKind::no_variance)
    found.standard_error = std::numeric_limits<double>::quiet_NaN();
  if (are_independent && !is_certain && result.kind == ErrorKind::sampled) {
    result.contributing_samples = contributing_samples(all, beta);
    found.standard_error *= error_widening(result.contributing_samples);
  }
  result.price = quantity * found.mean;
  result.standard_error = found.standard_error * std::fabs(quantity);
  result.half_width =
      student_quantile(0.5 + 0.5 * confidence, found.degrees_of_freedom) * result.standard_error;
  return result;
}

double control_deviation(std::span<const BlockStatistics> replicates, const TradeSetup& setup) {
  // The number of standard errors at which Student's t and the normal distribution are matched.
  constexpr double matched_deviations = 5;
  constexpr Index min_degrees = 7;  // minimum for the series of the quantile
  if (setup.control == TradeSetup::Control::none) return 0;
  if (!has_variance(merged(replicates))) return 0;
  std::vector<BlockStatistics> controls(replicates.begin(), replicates.end());
  for (BlockStatistics& s : controls) {
    s.mean_x = s.mean_y;
    s.m_xx = s.m_yy;
  }
  const MeanAndError found = controlled(controls, merged(controls), 0, 0);
  if (!std::isfinite(found.standard_error) || found.standard_error == 0) return 0;
  if (replicates.size() > 1 && found.degrees_of_freedom < min_degrees) return 0;
  const double expectation = setup.control_expectation;
  const double difference = found.mean - expectation;
  // If few paths have a payment, their number is nearly Poisson distributed, with a variance equal
  // to its expectation. Where the samples contain fewer payments than expected, their variance is
  // too small by the same factor.
  const double rare_event_factor = std::sqrt(std::fmax(1.0, expectation / found.mean));
  const double student_factor =
      found.degrees_of_freedom > 0
          ? student_quantile(normal_cdf(matched_deviations), found.degrees_of_freedom) /
                matched_deviations
          : 1;
  // Differences within the rounding error of the sums do not count as deviations.
  if (std::fabs(difference) <= 1e-9 * std::fabs(expectation)) return 0;
  return difference / (student_factor * rare_event_factor * found.standard_error);
}

double student_quantile(double probability, Index degrees) {
  const double z = normal_quantile(probability);
  if (degrees == 0) return z;
  const double n = static_cast<double>(degrees), z2 = z * z;
  const double g1 = (z2 + 1) * z / 4;
  const double g2 = ((5 * z2 + 16) * z2 + 3) * z / 96;
  const double g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384;
  const double g4 = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) * z / 92160;
  return z + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n;
}

EvaluationSchedule::EvaluationSchedule(Index blocks, Sampling sampling, Index replicates)
    : total_(std::max<Index>(blocks, 1)), unit_(1), powers_of_two_(sampling == Sampling::sobol) {
  if (!powers_of_two_) return;
  unit_ = replicates;
  Index sets = 1;
  while (sets * unit_ < blocks) sets *= 2;
  total_ = sets * unit_;
}

Index EvaluationSchedule::next(Index done) const {
  Index point = powers_of_two_ ? 1 : 4;
  while (point * unit_ <= done && point * unit_ < total_) {
    const Index intermediate = point + point / 2;
    if (!powers_of_two_ && intermediate > done) {
      point = intermediate;
      break;
    }
    point *= 2;
  }
  return std::min(point * unit_, total_);
}

}  // namespace gsim::pricing
