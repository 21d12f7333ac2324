#include "src/modules/pricing/market/two_factors.hpp"

#include <algorithm>
#include <cmath>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/gauss_legendre.hpp"
#include "src/modules/pricing/market/joined_terms.hpp"

namespace gsim::pricing {
namespace {

/// e^(-l z): a term as a function of one standard normal variable z.
struct NormalTerm {
  double amount, loading;
};

struct SumAndSlope {
  double sum = 0, slope = 0;
};

SumAndSlope sum_at(const std::vector<NormalTerm>& terms, double z) {
  SumAndSlope s;
  for (const NormalTerm& term : terms) {
    const double value = term.amount * exponential(-term.loading * z);
    s.sum += value;
    s.slope -= term.loading * value;
  }
  return s;
}

/// The sign change of the sum between `low` and `high`, where its signs differ: Newton's method
/// from `start`, with bisection where a step leaves the bracket.
double sign_change(const std::vector<NormalTerm>& terms, double low, double high, double start,
                   bool rises) {
  constexpr double tolerance = 1e-14;
  constexpr int max_steps = 200;
  double z = start > low && start < high ? start : 0.5 * (low + high);
  for (int i = 0; i < max_steps; ++i) {
    const auto [sum, slope] = sum_at(terms, z);
    if (sum == 0) return z;
    ((sum > 0) == rises ? high : low) = z;
    double next = z - sum / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double change = std::fabs(next - z);
    z = next;
    if (change <= tolerance * (1 + std::fabs(z))) break;
  }
  return z;
}

/// E[max(A, 0)] of a sum of terms of one normal variable. `root` is where a sign change is looked
/// for, and where it was found.
double positive_part(const std::vector<NormalTerm>& terms, double& root) {
  constexpr double reach = 12;  // standard deviations
  double low = 0, high = 0;
  for (const NormalTerm& term : terms) {  // under whose measure z has the mean -loading
    low = std::fmin(low, -term.loading);
    high = std::fmax(high, -term.loading);
  }
  low -= reach;
  high += reach;
  const bool low_pays = sum_at(terms, low).sum > 0, high_pays = sum_at(terms, high).sum > 0;
  if (!low_pays && !high_pays) return 0;
  const bool always_pays = low_pays && high_pays;
  if (!always_pays) root = sign_change(terms, low, high, root, high_pays);
  double value = 0;
  for (const NormalTerm& term : terms) {
    const double mean = term.amount * exponential(0.5 * square(term.loading));
    const double z = root + term.loading;
    value += mean * (always_pays ? 1 : normal_cdf(low_pays ? z : -z));
  }
  return value;
}

double mean_of(const RateTerm& term, const FactorCovariance& c) {
  return term.amount * exponential(0.5 * variance_of(term, c));
}

/// The option to exchange one term for another (Margrabe 1978).
double exchange_option(const RateTerm& paid, const RateTerm& received, const FactorCovariance& c) {
  const double forward = mean_of(received, c), strike = -mean_of(paid, c);
  const double variance = variance_of(
      {0, received.loading - paid.loading, received.second_loading - paid.second_loading}, c);
  if (!(variance > 0)) return std::fmax(forward - strike, 0.0);
  return black(1, forward, strike, variance, 1);
}

/// The expectation of the positive part given the factor over which the integral is: outer = sd u
/// with the density of u. The inner factor has the mean slope u and the standard deviation
/// deviation.
class ConditionalMean {
 public:
  ConditionalMean(std::vector<RateTerm> terms, FactorCovariance c) : terms_(std::move(terms)) {
    double x = 0, y = 0;  // the slopes of the sum at x = y = 0
    for (const RateTerm& term : terms_) {
      x += term.amount * term.loading;
      y += term.amount * term.second_loading;
    }
    if (std::fabs(x) * std::sqrt(c.x) > std::fabs(y) * std::sqrt(c.y)) {  // x is the inner one
      std::swap(c.x, c.y);
      for (RateTerm& term : terms_) std::swap(term.loading, term.second_loading);
    }
    sd_ = std::sqrt(c.x);
    slope_ = sd_ > 0 ? c.xy / sd_ : 0;
    deviation_ = std::sqrt(std::fmax(c.y - square(slope_), 0.0));
  }

  /// The means of u under the measures of the terms.
  double lowest_mean() const { return extreme_mean(-1); }
  double highest_mean() const { return extreme_mean(1); }

  double operator()(double u) {
    normal_.clear();
    for (const RateTerm& term : terms_) {
      const double exponent = (term.loading * sd_ + term.second_loading * slope_) * u;
      normal_.push_back({term.amount * exponential(-exponent), term.second_loading * deviation_});
    }
    return normal_pdf(u) * positive_part(normal_, root_);
  }

 private:
  double extreme_mean(double sign) const {
    double most = 0;
    for (const RateTerm& term : terms_)
      most = std::fmax(most, -sign * (term.loading * sd_ + term.second_loading * slope_));
    return sign * most;
  }

  std::vector<RateTerm> terms_;  ///< with the loading of the outer factor as the first one
  std::vector<NormalTerm> normal_;
  double sd_ = 0, slope_ = 0, deviation_ = 0, root_ = 0;
};

/// The integral over u, with an absolute error of about `tolerance`.
double integral_of(ConditionalMean& f, double tolerance) {
  constexpr double reach = 9;  // the density beyond is 1e-18
  constexpr int max_halvings = 5, bisections = 40;
  const double low = f.lowest_mean() - reach, high = f.highest_mean() + reach;
  double step = 0.5, sum = 0;
  const auto add = [&](double offset, double distance) {
    for (double u = low + offset; u <= high; u += distance) sum += f(u);
  };
  add(0, step);
  for (int i = 0; i < max_halvings; ++i) {
    const double before = step * sum;
    add(0.5 * step, step);
    step *= 0.5;
    if (std::fabs(step * sum - before) <= tolerance) return step * sum;
  }
  return integrate([&](double u) { return f(u); }, low, high, tolerance, bisections);
}

}  // namespace

FactorCovariance factor_covariance(const ShortRate& rate, double years) {
  const SecondFactor& second = *rate.second;
  const double a = rate.mean_reversion, b = second.mean_reversion;
  return {square(rate.volatility) * integrated_exponential(-2 * a, years),
          second.correlation * rate.volatility * second.volatility *
              integrated_exponential(-(a + b), years),
          square(second.volatility) * integrated_exponential(-2 * b, years)};
}

double variance_of(const RateTerm& term, const FactorCovariance& c) {
  const double x = term.loading, y = term.second_loading;
  return x * x * c.x + 2 * x * y * c.xy + y * y * c.y;
}

RateTerm bond_loadings(const ShortRate& rate, double date, double payment) {
  const auto loading = [&](double reversion) {
    return integrated_exponential(-reversion, payment - date) -
           integrated_exponential(-reversion, rate.horizon - date);
  };
  return {0, loading(rate.mean_reversion), loading(rate.second->mean_reversion)};
}

double two_factor_expectation(const std::vector<RateTerm>& terms, const FactorCovariance& c,
                              bool is_option) {
  constexpr double relative_tolerance = 1e-13;
  const std::vector<RateTerm> list = is_option ? joined_terms(terms) : terms;
  double mean = 0, positive = 0;
  bool has_negative = false;
  for (const RateTerm& term : list) {
    const double value = mean_of(term, c);
    mean += value;
    positive += std::fmax(value, 0.0);
    has_negative = has_negative || value < 0;
  }
  if (!is_option || !has_negative) return mean;
  if (positive == 0) return 0;
  if (list.size() == 2)
    return list[0].amount < 0 ? exchange_option(list[0], list[1], c)
                              : exchange_option(list[1], list[0], c);
  constexpr double rounding = 1e-12;
  if (c.x * c.y - square(c.xy) <= rounding * c.x * c.y) {  // one variable, of which the integrand
    std::vector<NormalTerm> normal;                        // below would have a kink
    normal.reserve(list.size());
    const double x = std::sqrt(c.x), y = std::copysign(std::sqrt(c.y), c.xy);
    for (const RateTerm& term : list)
      normal.push_back({term.amount, term.loading * x + term.second_loading * y});
    double root = 0;
    return positive_part(normal, root);
  }
  ConditionalMean conditional(list, c);
  return integral_of(conditional, relative_tolerance * positive);
}

}  // namespace gsim::pricing
