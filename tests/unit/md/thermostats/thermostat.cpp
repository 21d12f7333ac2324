// Thermostats without atoms: distributions and conserved quantities.

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/random/stream.hpp"
#include "src/modules/md/thermostats/bussi.hpp"
#include "src/modules/md/thermostats/chi_squared.hpp"
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

TEST_CASE("thermostats: chi-squared numbers have their distribution") {
  const PhiloxKey key = stream_key({11, Purpose::md_thermostat});
  constexpr int draws = 20000, bins = 50;
  for (const Index freedom : {1, 2, 3, 10, 101}) {
    CAPTURE(freedom);
    std::vector<double> x;
    for (std::uint64_t step = 0; step < draws; ++step)
      x.push_back(chi_squared(key, 5, step, 1, freedom));
    // 49 degrees of freedom: standard deviation sqrt(98).
    const double chi = chi_squared_of(x, 0.5 * static_cast<double>(freedom), 2, bins);
    CHECK(std::abs(chi - (bins - 1)) < 4 * std::sqrt(2.0 * (bins - 1)));
  }
  CHECK(chi_squared(key, 5, 0, 1, 0) == 0);
  // A million degrees of freedom: normal about a million with variance two millions.
  double mean = 0;
  for (std::uint64_t step = 0; step < 1000; ++step)
    mean += (chi_squared(key, 6, step, 1, 1000000) - 1e6) / std::sqrt(2e6);
  CHECK(std::abs(mean / 1000) < 4 / std::sqrt(1000.0));
}

TEST_CASE("thermostats: Bussi's kinetic energy is canonical with correlation time tau") {
  constexpr double freedom = 6, thermal = 1.7, tau = 0.5, step = 0.1;
  const auto thermostat = bussi_thermostat(tau).make({freedom, step, 3, 0});
  double twice = 0.01;
  constexpr int draws = 40000, burn_in = 200;
  std::vector<double> kinetic;
  double energy = 0.5 * twice;
  int reversals = 0;
  for (int n = 0; n < draws + burn_in; ++n) {
    const double factor = thermostat->scale(twice, thermal, n);
    reversals += factor < 0;
    twice *= factor * factor;
    if (n >= burn_in) kinetic.push_back(0.5 * twice);
  }
  CHECK(0.5 * twice + thermostat->energy() == doctest::Approx(energy).epsilon(1e-9));
  CHECK(reversals > 0);  // with few degrees of freedom the sign may change
  // Every tenth value is nearly independent (correlation exp(-2)), which adds a tenth of the
  // variance.
  std::vector<double> thinned;
  for (std::size_t i = 0; i < kinetic.size(); i += 20) thinned.push_back(kinetic[i]);
  constexpr int bins = 40;
  CHECK(std::abs(chi_squared_of(thinned, 0.5 * freedom, thermal, bins) - (bins - 1)) <
        4.5 * std::sqrt(2.0 * (bins - 1)));
  // <K(0) K(t)> - <K>^2 = <K>^2 (2 / N_f) exp(-t / tau): the equation is linear in K.
  const double mean = 0.5 * freedom * thermal, variance = 0.5 * freedom * thermal * thermal;
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

TEST_CASE("thermostats: Nosé-Hoover chains conserve their energy and keep the temperature") {
  // For free atoms, the kinetic energy and the chain are a closed system of few variables.
  constexpr double freedom = 5, thermal = 0.8;
  const auto drift = [&](double step) {
    const auto thermostat = nose_hoover_thermostat(1.0, 3).make({freedom, step, 0, 0});
    double twice = 2 * freedom * thermal, largest = 0;
    const double first = 0.5 * twice;
    for (int n = 0; n < static_cast<int>(20 / step); ++n) {
      const double factor = thermostat->scale(twice, thermal, n);
      twice *= factor * factor;
      largest = std::max(largest, std::abs(0.5 * twice + thermostat->energy() - first));
    }
    return largest;
  };
  const double coarse = drift(0.1), fine = drift(0.05);
  CHECK(coarse < 1e-3);
  // Suzuki's factorisation with five weights is of fourth order.
  CHECK(coarse / fine > 12);
  CHECK(coarse / fine < 22);
}

TEST_CASE("thermostats: a ramp of the temperature does not change the energy of a chain") {
  const auto thermostat = nose_hoover_thermostat(1.0, 3).make({30, 0.01, 0, 0});
  double twice = 10;
  for (int n = 0; n < 4000; ++n) {
    const double factor = thermostat->scale(twice, 1 + 0.001 * n, n);
    twice *= factor * factor;
  }
  CHECK(0.5 * twice + thermostat->energy() == doctest::Approx(5).epsilon(1e-4));
}
