#include "src/modules/pricing/closed_forms/closed_forms.hpp"

#include <cmath>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {
namespace {

double positive_part(double x) { return x > 0 ? x : 0; }

// d2 of Black's formula; d1 = d2 + sqrt(variance).
double d2_of(double forward, double strike, double variance) {
  return (logarithm(forward / strike) - 0.5 * variance) / std::sqrt(variance);
}

// Limits of the formulas: zero variance, or a strike that a lognormal variable always exceeds.
bool is_degenerate(double strike, double variance) { return variance <= 0 || strike <= 0; }

}  // namespace

double black(double sign, double forward, double strike, double variance, double discount) {
  if (is_degenerate(strike, variance)) return discount * positive_part(sign * (forward - strike));
  const double d2 = d2_of(forward, strike, variance), d1 = d2 + std::sqrt(variance);
  return discount * sign * (forward * normal_cdf(sign * d1) - strike * normal_cdf(sign * d2));
}

double cash_digital(double sign, double forward, double strike, double variance, double discount) {
  if (is_degenerate(strike, variance)) return sign * (forward - strike) > 0 ? discount : 0;
  return discount * normal_cdf(sign * d2_of(forward, strike, variance));
}

double asset_digital(double sign, double forward, double strike, double variance, double discount) {
  if (is_degenerate(strike, variance))
    return sign * (forward - strike) > 0 ? discount * forward : 0;
  const double d1 = d2_of(forward, strike, variance) + std::sqrt(variance);
  return discount * forward * normal_cdf(sign * d1);
}

double forward_start(double sign, double first_forward, double forward, double moneyness,
                     double variance, double discount) {
  return first_forward * black(sign, forward / first_forward, moneyness, variance, discount);
}

double exchange(double sign, double first_forward, double second_forward, double variance,
                double discount) {
  return black(sign, first_forward, second_forward, variance, discount);
}

double Lognormal::expectation() const { return exponential(mean + 0.5 * variance); }

// Variance of a sum of ln S(t_k): increments between fixings are independent, and the increment up
// to t_k enters the n - k logarithms from index k on.
Lognormal geometric_average(std::span<const double> forwards, std::span<const double> variances,
                            double past_sum, double past_count) {
  const std::size_t n = forwards.size();
  const double total = past_count + static_cast<double>(n);
  double log_sum = past_sum, variance = 0;
  for (std::size_t k = 0; k < n; ++k) {
    log_sum += logarithm(forwards[k]) - 0.5 * variances[k];
    const double increment = variances[k] - (k == 0 ? 0 : variances[k - 1]);
    variance += increment * square(static_cast<double>(n - k));
  }
  return {log_sum / total, variance / square(total)};
}

double geometric_average_covariance(std::span<const double> variances, double past_count) {
  double sum = 0;
  for (const double v : variances) sum += v;
  return sum / (past_count + static_cast<double>(variances.size()));
}

Lognormal geometric_basket(std::span<const double> forwards, std::span<const double> covariance,
                           std::span<const double> weights, double log_scale) {
  const std::size_t n = forwards.size();
  Lognormal law{log_scale, 0};
  for (std::size_t i = 0; i < n; ++i) {
    law.mean += weights[i] * (logarithm(forwards[i]) - 0.5 * covariance[i * n + i]);
    for (std::size_t j = 0; j < n; ++j)
      law.variance += weights[i] * weights[j] * covariance[i * n + j];
  }
  return law;
}

double merton(double sign, double forward, double strike, double variance, double expected_jumps,
              double jump_mean, double jump_sd, double discount) {
  if (expected_jumps <= 0) return black(sign, forward, strike, variance, discount);
  const double log_factor = jump_mean + 0.5 * square(jump_sd);  // log of the mean jump factor 1 + k
  const double compensation = -expected_jumps * (exponential(log_factor) - 1);
  // Poisson weights peak at n = expected_jumps, forwards times weights at expected_jumps (1 + k).
  const double last_peak = expected_jumps * std::fmax(1.0, exponential(log_factor));
  double sum = 0, log_weight = -expected_jumps;
  for (int n = 0; n < 1000000; ++n) {
    if (n > 0) log_weight += logarithm(expected_jumps / n);
    const double weight = exponential(log_weight);
    const double growth = exponential(compensation + n * log_factor);
    sum += weight * black(sign, forward * growth, strike, variance + n * square(jump_sd), discount);
    if (n > last_peak && weight < 1e-17 && weight * growth < 1e-17) break;
  }
  return sum;
}

double clipped_return(double sign, double mean, double moneyness, double floor, double cap,
                      double variance, double expected_jumps, double jump_mean, double jump_sd) {
  // E[max(sign (R - moneyness) - level, 0)]
  const auto above = [&](double level) {
    return merton(sign, mean, moneyness + sign * level, variance, expected_jumps, jump_mean,
                  jump_sd, 1);
  };
  const double floored = std::isinf(floor) ? sign * (mean - moneyness) : floor + above(floor);
  return std::isinf(cap) ? floored : floored - above(cap);
}

double expected_squared_returns(std::span<const double> drifts, std::span<const double> variances) {
  double sum = 0;
  for (std::size_t k = 0; k < drifts.size(); ++k)
    sum += square(drifts[k] - 0.5 * variances[k]) + variances[k];
  return sum;
}

double heston_mean_variance(double v0, double kappa, double theta, double maturity) {
  const double x = kappa * maturity;
  return theta + (v0 - theta) * (1 - exponential(-x)) / x;
}

}  // namespace gsim::pricing
