#pragma once
// The number of samples that contribute to an estimate and its error. If few samples contribute
// (rare events, weights of very different size), the sample variance is itself uncertain, and the
// error computed from it is usually too small.
//
// The measure is the relative variance of the variance (VOV), sum d^4 / (sum d^2)^2 - 1 / n with d
// the deviations from the mean (G. P. Estes and E. D. Cashwell 1978; MCNP's manual LA-UR-03-1987,
// vol. I, chapter 2, VI). For rare events of equal size it is 1 over the number of events, so 1 /
// VOV is the effective number of contributing samples, and MCNP's limit of 0.1 corresponds to ten.

#include <limits>
#include <span>

#include "gsim/core/types.hpp"
#include "gsim/engine/estimate.hpp"

namespace gsim {

/// Sums over n independent samples; a sample may itself be the mean of a batch.
struct SampleMoments {
  Index count = 0;
  Index nonzero = 0;  ///< samples that are not 0
  double second = 0;  ///< sum of squared deviations from the mean
  double fourth = 0;  ///< sum of their fourth powers
};
/// The sums over `samples`.
SampleMoments moments_of(std::span<const double> samples);

/// The VOV of the histories that make up the samples: sum d^4 / (sum d^2)^2 less its expectation
/// for samples of a normal distribution, 3 (n - 1) / (n (n + 1)) (R. A. Fisher 1930). It is at
/// least 1 / events, and never negative. Here events = n ln(n / zeros), where `zeros` is the number
/// of samples that are 0: that many independent events, distributed at random over n samples, leave
/// n exp(-events / n) = zeros samples without an event (Poisson). NaN for fewer than four samples
/// and for samples of variance 0.
double variance_of_variance(const SampleMoments& moments);

/// The effective number of contributing samples: 1 / VOV, where the VOV exceeds by three standard
/// deviations the value that normal samples have by chance; and at most the number of events n ln(n
/// / zeros) that follows from the samples that are 0 (variance_of_variance()). Infinite where
/// neither of the two gives a bound.
double contributing_samples(const SampleMoments& moments);

/// An estimate with fewer contributing samples meets no error target (its VOV is above 0.1).
inline constexpr double min_contributing_samples = 10;

/// The factor by which the standard error is widened if `contributing` samples contribute, such
/// that 1.96 errors reach Garwood's (1936) upper 97.5 % limit for the mean of a Poisson number (by
/// the approximation of Wilson and Hilferty 1931) for 30 samples and less; 1 from 100 on, and
/// linearly interpolated in between.
double error_widening(double contributing);

/// Sets e.contributing_samples and widens e.standard_error accordingly. Sets e.remark if there are
/// fewer than min_contributing_samples.
void set_contributing_samples(Estimate& e, double contributing);

}  // namespace gsim
