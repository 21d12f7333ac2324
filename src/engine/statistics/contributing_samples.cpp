#include "gsim/engine/contributing_samples.hpp"

#include <cmath>

#include <fmt/format.h>

#include "gsim/math/log.hpp"
#include "gsim/math/policy.hpp"

namespace gsim {
namespace {

constexpr double no_bound = std::numeric_limits<double>::infinity();

/// Expectation and standard deviation of sum d^4 / (sum d^2)^2 of n normal samples (Fisher 1930).
double normal_expectation(double n) { return 3 * (n - 1) / (n * (n + 1)); }
double normal_deviation(double n) {
  return std::sqrt(24 * n * (n - 2) * (n - 3) / ((n + 1) * (n + 1) * (n + 3) * (n + 5))) / n;
}

/// Sum d^4 / (sum d^2)^2; NaN where it is undetermined.
double fourth_over_square(const SampleMoments& m) {
  constexpr Index min_count = 4;
  constexpr double min_second = 1e-150;  // whose square does not underflow
  if (m.count < min_count || !(m.second > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (m.second < min_second) return 1;
  return m.fourth / (m.second * m.second);
}

/// The number of independent events, distributed at random over n samples, that leaves n
/// exp(-events / n) = zeros samples without an event (Poisson).
double events_from_zeros(const SampleMoments& m) {
  const auto n = static_cast<double>(m.count), zeros = static_cast<double>(m.count - m.nonzero);
  return zeros > 0 && m.nonzero > 0 ? n * gsim::log<Strict>(n / zeros) : no_bound;
}

}  // namespace

SampleMoments moments_of(std::span<const double> samples) {
  SampleMoments m;
  m.count = static_cast<Index>(samples.size());
  if (samples.empty()) return m;
  double mean = 0;
  for (const double x : samples) mean += x;
  mean /= static_cast<double>(samples.size());
  for (const double x : samples) {
    const double square = (x - mean) * (x - mean);
    m.nonzero += x != 0 ? 1 : 0;
    m.second += square;
    m.fourth += square * square;
  }
  // Rounding errors of the mean count as variance 0.
  constexpr double rounding = 1e-15;
  if (m.second <= rounding * rounding * mean * mean * static_cast<double>(m.count))
    m.second = m.fourth = 0;
  return m;
}

double variance_of_variance(const SampleMoments& m) {
  const double ratio = fourth_over_square(m);
  if (std::isnan(ratio)) return ratio;
  const double excess = ratio - normal_expectation(static_cast<double>(m.count));
  return std::fmax(excess, 1 / events_from_zeros(m));
}

double contributing_samples(const SampleMoments& m) {
  const auto n = static_cast<double>(m.count);
  double contributing = events_from_zeros(m);
  const double ratio = fourth_over_square(m);
  const double excess = ratio - normal_expectation(n) - 3 * normal_deviation(n);
  if (excess > 0) contributing = std::fmin(contributing, 1 / excess);
  return contributing;
}

double error_widening(double contributing) {
  constexpr double few = 30, many = 100, z = 1.959963984540054;
  if (!(contributing < many)) return 1;
  const double k = std::fmax(contributing, 1.0), n = k + 1;
  const double root = 1 - 1 / (9 * n) + z / (3 * std::sqrt(n));
  const double factor = (n * root * root * root - k) / (z * std::sqrt(k));
  if (contributing <= few) return factor;
  return 1 + (factor - 1) * (many - contributing) / (many - few);
}

void set_contributing_samples(Estimate& e, double contributing) {
  e.contributing_samples = contributing;
  e.standard_error *= error_widening(contributing);
  if (!(contributing < min_contributing_samples)) return;
  const std::string remark = fmt::format(
      "about {:.0f} of {} samples contribute: the error is widened, and does not count as "
      "converged",
      std::fmax(1.0, contributing), e.count);
  e.remark = e.remark.empty() ? remark : remark + "; " + e.remark;
}

}  // namespace gsim
