// Thermostats that act on the kinetic energy alone, without atoms: its distribution and conserved
// quantities.

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/random/stream.hpp"
#include "src/modules/md/thermostats/bussi.hpp"
#include "src/modules/md/thermostats/nose_hoover.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

/// The distribution function of Gamma(shape, 1) at x, as a series (Abramowitz and Stegun 6.5.29).
double gamma_cdf(double shape, double x) {
  double term = 1 / shape, sum = term;
  for (int n = 1; term > 1e-13 * sum; ++n) sum += term *= x / (shape + n);
  return sum * std::exp(-x + shape * std::log(x) - std::lgamma(shape));
}

/// Chi-squared of the counts of x in bins that are equally likely under Gamma(shape, scale).
double chi_squared_of(const std::vector<double>& x, double shape, double scale, int bins) {
  std::vector<int> count(static_cast<std::size_t>(bins), 0);
  for (const double value : x) {
    const int bin = static_cast<int>(gamma_cdf(shape, value / scale) * bins);
    ++count[static_cast<std::size_t>(std::min(std::max(bin, 0), bins - 1))];
  }
  const double expected = static_cast<double>(x.size()) / bins;
  double sum = 0;
  for (const int c : count) sum += (c - expected) * (c - expected) / expected;
  return sum;
}

}  // namespace

TEST_CASE("thermostats: chi-squared random numbers have their distribution") {
  const PhiloxKey key = stream_key({11, Purpose::md_thermostat});
  constexpr int draws = 20000, bins = 50;
  for (const Index degrees_of_freedom : {1, 2, 3, 10, 101}) {
    CAPTURE(degrees_of_freedom);
    std::vector<double> x;  // from the blocks of entity 5 from 1 on
    for (std::uint64_t step = 0; step < draws; ++step)
      x.push_back(md_kernels::draw_chi_squared(key, 5, step, 1, degrees_of_freedom));
    // 49 degrees of freedom: standard deviation sqrt(98).
    const double statistic =
        chi_squared_of(x, 0.5 * static_cast<double>(degrees_of_freedom), 2, bins);
    CHECK(std::abs(statistic - (bins - 1)) < 4 * std::sqrt(2.0 * (bins - 1)));
  }
  CHECK(md_kernels::draw_chi_squared(key, 5, 0, 1, 0) == 0);
  // A million degrees of freedom: normal about a million with variance two millions.
  double mean = 0;
  for (std::uint64_t step = 0; step < 1000; ++step)
    mean += (md_kernels::draw_chi_squared(key, 6, step, 1, 1000000) - 1e6) / std::sqrt(2e6);
  CHECK(std::abs(mean / 1000) < 4 / std::sqrt(1000.0));
}

TEST_CASE(
    "thermostats: Bussi's thermostat gives the canonical distribution with correlation time tau") {
  constexpr double degrees_of_freedom = 6, kt = 1.7, tau = 0.5, step = 0.1;
  const auto thermostat =
      bussi_thermostat(tau).make({.freedom = degrees_of_freedom, .time_step = step, .seed = 3});
  double twice_kinetic = 0.01;
  constexpr int draws = 40000, burn_in = 200;
  std::vector<double> kinetic;
  double energy = 0.5 * twice_kinetic;
  int reversals = 0;
  for (int n = 0; n < draws + burn_in; ++n) {
    const double factor = thermostat->scale(twice_kinetic, kt, n);
    reversals += factor < 0;
    twice_kinetic *= factor * factor;
    if (n >= burn_in) kinetic.push_back(0.5 * twice_kinetic);
  }
  CHECK(0.5 * twice_kinetic + thermostat->energy() == doctest::Approx(energy).epsilon(1e-9));
  CHECK(reversals > 0);  // with few degrees of freedom the sign may change
  // Every twentieth value is nearly independent: correlations of at most exp(-4) increase the
  // variances of the counts by less than 4 %.
  std::vector<double> thinned;
  for (std::size_t i = 0; i < kinetic.size(); i += 20) thinned.push_back(kinetic[i]);
  constexpr int bins = 40;
  CHECK(std::abs(chi_squared_of(thinned, 0.5 * degrees_of_freedom, kt, bins) - (bins - 1)) <
        4.5 * std::sqrt(2.0 * (bins - 1)));
  // <K(0) K(t)> - <K>^2 = <K>^2 (2 / N_f) exp(-t / tau): the equation is linear in K.
  const double mean = 0.5 * degrees_of_freedom * kt, variance = 0.5 * degrees_of_freedom * kt * kt;
  for (const std::size_t lag : {1u, 5u, 10u}) {
    double product = 0;
    for (std::size_t i = 0; i + lag < kinetic.size(); ++i)
      product += (kinetic[i] - mean) * (kinetic[i + lag] - mean);
    product /= static_cast<double>(kinetic.size() - lag);
    // Bartlett: a correlation's standard error is about sqrt(2 tau / (n step)).
    CHECK(std::abs(product / variance - std::exp(-static_cast<double>(lag) * step / tau)) <
          4 * std::sqrt(2 * tau / step / draws) * 2);
  }
}

TEST_CASE("thermostats: the conserved energy of Nosé-Hoover chains drifts by O(dt^4)") {
  // For free atoms, the kinetic energy and the chain are a closed system of few variables.
  constexpr double degrees_of_freedom = 5, kt = 0.8;
  const auto largest_drift = [&](double step) {
    const auto thermostat =
        nose_hoover_thermostat(1.0, 3).make({.freedom = degrees_of_freedom, .time_step = step});
    double twice_kinetic = 2 * degrees_of_freedom * kt, largest = 0;
    const double first = 0.5 * twice_kinetic;
    for (int n = 0; n < static_cast<int>(20 / step); ++n) {
      const double factor = thermostat->scale(twice_kinetic, kt, n);
      twice_kinetic *= factor * factor;
      largest = std::max(largest, std::abs(0.5 * twice_kinetic + thermostat->energy() - first));
    }
    return largest;
  };
  const double coarse = largest_drift(0.1), fine = largest_drift(0.05);
  CHECK(coarse < 1e-3);
  // Suzuki's factorisation with five weights is of fourth order.
  CHECK(coarse / fine > 12);
  CHECK(coarse / fine < 22);
}

TEST_CASE("thermostats: the conserved energy of a chain is constant during a temperature ramp") {
  const auto thermostat = nose_hoover_thermostat(1.0, 3).make({.freedom = 30, .time_step = 0.01});
  double twice_kinetic = 10;
  for (int n = 0; n < 4000; ++n) {
    const double factor = thermostat->scale(twice_kinetic, 1 + 0.001 * n, n);
    twice_kinetic *= factor * factor;
  }
  CHECK(0.5 * twice_kinetic + thermostat->energy() == doctest::Approx(5).epsilon(1e-4));
}
