#pragma once
// The pricing problems of the benchmark, for gsim and for the programs compared with it.

#include <string>
#include <vector>

#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::benchmark {

/// Products, with the number of time steps; basket_5: with the number of assets.
enum class Problem { european_1, european_252, asian_52, heston_100, basket_5 };

struct Case {
  Problem problem;
  std::string name;
  int steps;   ///< time steps per path
  int assets;  ///< a path-step is one asset over one step
};
const std::vector<Case>& cases();

/// Parameters shared by all competitors. Heston: A. Lewis's reference set (2012), which satisfies
/// the Feller condition 2 kappa theta >= sigma^2 and needs small steps; the others: S = K = 100, r
/// = 5 %, sigma = 20 %, T = 1.
struct Market {
  double spot = 100, strike = 100, rate = 0.05, dividend = 0, volatility = 0.2, maturity = 1;
  double correlation = 0.5;  ///< of any two assets of the basket
  double v0 = 0.04, kappa = 4, theta = 0.25, sigma = 1, rho = -0.5;
  double heston_rate = 0.01, heston_dividend = 0.02;
};

/// The case as a gsim simulation: pseudo-random, no variance reduction.
pricing::Simulation make_simulation(const Case& c, Precision precision, Arithmetic arithmetic);

/// The measurement of one competitor.
struct Result {
  double seconds = 0;
  double samples = 0;
  double price = 0;
  double standard_error = 0;
};
/// Plain loop: std::mt19937_64, std::normal_distribution, libm; one thread.
Result run_scalar(const Case& c, long samples);
/// QuantLib's Monte Carlo engine for the product, pseudo-random; one thread.
Result run_quantlib(const Case& c, long samples);
bool have_quantlib();
std::string quantlib_version();

}  // namespace gsim::benchmark
