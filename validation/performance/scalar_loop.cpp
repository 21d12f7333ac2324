// The baseline: a plain loop over paths with the random engine, the normal distribution and the
// mathematical functions of the standard library. Loop-invariant terms are computed before the
// loop.

#include <chrono>
#include <cmath>
#include <random>

#include "cases.hpp"

namespace gsim::benchmark {
namespace {

struct Sums {
  double sum = 0, squares = 0;
  void add(double x) { sum += x, squares += x * x; }
};

template <class Path>
Result measure(long samples, double discount, Path&& path) {
  const auto start = std::chrono::steady_clock::now();
  std::mt19937_64 engine(20261121);
  std::normal_distribution<double> normal;
  Sums sums;
  for (long i = 0; i < samples; ++i) sums.add(path(engine, normal));
  const std::chrono::duration<double> t = std::chrono::steady_clock::now() - start;
  const double n = static_cast<double>(samples), mean = sums.sum / n;
  return {t.count(), n, discount * mean,
          discount * std::sqrt((sums.squares / n - mean * mean) / (n - 1))};
}

// Andersen (2008), section 3.2.3: quadratic-exponential variance step, martingale-corrected
// log-spot step (section 4.3.2), central discretisation gamma1 = gamma2 = 1/2.
template <class Engine, class Normal>
double heston_path(const Case& c, const Market& m, Engine& engine, Normal& normal,
                   std::uniform_real_distribution<double>& uniform) {
  const double dt = m.maturity / c.steps, e = std::exp(-m.kappa * dt);
  const double c1 = m.sigma * m.sigma * e * (1 - e) / m.kappa;
  const double c2 = m.theta * m.sigma * m.sigma * (1 - e) * (1 - e) / (2 * m.kappa);
  const double k1 = 0.5 * dt * (m.kappa * m.rho / m.sigma - 0.5) - m.rho / m.sigma;
  const double k2 = 0.5 * dt * (m.kappa * m.rho / m.sigma - 0.5) + m.rho / m.sigma;
  const double k3 = 0.5 * dt * (1 - m.rho * m.rho), k4 = k3, a = k2 + 0.5 * k4;
  const double carry = (m.heston_rate - m.heston_dividend) * dt;
  double x = std::log(m.spot), v = m.v0;
  for (int k = 0; k < c.steps; ++k) {
    const double mean = m.theta + (v - m.theta) * e;
    const double psi = (v * c1 + c2) / (mean * mean);
    double next, k0;
    if (psi <= 1.5) {
      const double b2 = 2 / psi - 1 + std::sqrt(2 / psi) * std::sqrt(2 / psi - 1);
      const double scale = mean / (1 + b2), z = std::sqrt(b2) + normal(engine);
      next = scale * z * z;
      k0 = -a * b2 * scale / (1 - 2 * a * scale) + 0.5 * std::log(1 - 2 * a * scale);
    } else {
      const double p = (psi - 1) / (psi + 1), beta = (1 - p) / mean, u = uniform(engine);
      next = u <= p ? 0 : std::log((1 - p) / (1 - u)) / beta;
      k0 = -std::log(p + beta * (1 - p) / (beta - a));
    }
    x += carry + k0 - (k1 + 0.5 * k3) * v + k1 * v + k2 * next +
         std::sqrt(k3 * v + k4 * next) * normal(engine);
    v = next;
  }
  return std::fmax(std::exp(x) - m.strike, 0.0);
}

}  // namespace

Result run_scalar(const Case& c, long samples) {
  const Market m;
  const double dt = m.maturity / c.steps, sd = m.volatility * std::sqrt(dt);
  const double drift = (m.rate - m.dividend - 0.5 * m.volatility * m.volatility) * dt;
  const double discount = std::exp(-m.rate * m.maturity);
  if (c.problem == Problem::heston_100) {
    std::uniform_real_distribution<double> uniform;
    return measure(samples, std::exp(-m.heston_rate * m.maturity),
                   [&](auto& e, auto& n) { return heston_path(c, m, e, n, uniform); });
  }
  if (c.problem == Problem::asian_52)
    return measure(samples, discount, [&](auto& e, auto& n) {
      double x = std::log(m.spot), sum = 0;
      for (int k = 0; k < c.steps; ++k) {
        x += drift + sd * n(e);
        sum += std::exp(x);
      }
      return std::fmax(sum / c.steps - m.strike, 0.0);
    });
  if (c.problem == Problem::basket_5) {
    // equicorrelated normals through their Cholesky factor
    const int d = c.assets;
    std::vector<double> l(static_cast<std::size_t>(d * d), 0.0);
    for (int i = 0; i < d; ++i)
      for (int j = 0; j <= i; ++j) {
        double s = i == j ? 1.0 : m.correlation;
        for (int k = 0; k < j; ++k) s -= l[i * d + k] * l[j * d + k];
        l[i * d + j] = i == j ? std::sqrt(s) : s / l[j * d + j];
      }
    return measure(samples, discount, [&](auto& e, auto& n) {
      double z[5], sum = 0;
      for (int i = 0; i < d; ++i) z[i] = n(e);
      for (int i = 0; i < d; ++i) {
        double w = 0;
        for (int j = 0; j <= i; ++j) w += l[i * d + j] * z[j];
        sum += m.spot * std::exp(drift + sd * w);
      }
      return std::fmax(sum / d - m.strike, 0.0);
    });
  }
  return measure(samples, discount, [&](auto& e, auto& n) {
    double x = std::log(m.spot);
    for (int k = 0; k < c.steps; ++k) x += drift + sd * n(e);
    return std::fmax(std::exp(x) - m.strike, 0.0);
  });
}

}  // namespace gsim::benchmark
