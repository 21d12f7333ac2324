// Exposures of assets with a random volatility that is correlated with the short rate of the
// numeraire: means of discounted values against today's, and exposures against a simulation under
// the measure of payments at the date, in which the spot has no drift that depends on the rate.

#include <cmath>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "tests/unit/pricing/exposures/exposure_run.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace exposures_with_random_volatility {
namespace {

constexpr double curve = 0.03, dividend = 0.01, reversion = 0.05, rate_volatility = 0.02;
constexpr double v0 = 0.05, kappa = 1.5, theta = 0.04, sigma = 0.5, rho = -0.4;
constexpr double intensity = 0.3, jump_mean = -0.1, jump_sd = 0.15;
constexpr double correlation = 0.7, strike = 60, date = 2, maturity = 4, bond_end = 10;
constexpr double bonds = 58;  ///< sold, per spot

std::string market(const std::string& rate) {
  const std::string heston =
      "spot = 100.0\ndividend = 0.01\nv0 = 0.05\nkappa = 1.5\ntheta = 0.04\nsigma = 0.5\n"
      "rho = -0.4\n";
  const std::string r = std::to_string(correlation);
  return "[pricing]\nsteps_per_year = 24\n[market]\nrate = 0.03\n[market.rates.R]\n" + rate +
         "[market.assets.H]\nmodel = \"heston\"\n" + heston +
         "[market.assets.B]\nmodel = \"bates\"\njump_intensity = 0.3\njump_mean = -0.1\n"
         "jump_sd = 0.15\n" +
         heston + "[market.correlation]\nassets = [\"R\", \"H\", \"B\"]\nmatrix = [[1.0, " + r +
         ", " + r + "], [" + r + ", 1.0, 0.6], [" + r + ", 0.6, 1.0]]\n";
}
const std::string one_factor = "mean_reversion = 0.05\nvolatility = 0.02\n";
const std::string two_factors =
    "model = \"g2\"\na = 0.4\nsigma = 0.02\nb = 0.05\neta = 0.015\nrho = -0.6\n";

std::string forward(const std::string& set, const std::string& asset, double k) {
  return "[[trades]]\nid = \"f" + set + "\"\nnetting_set = \"" + set +
         "\"\nproduct = \"forward\"\nasset = \"" + asset + "\"\nstrike = " + std::to_string(k) +
         "\nmaturity = 4.0\n";
}
std::string bond(const std::string& set, double quantity) {
  return "[[trades]]\nid = \"b" + set + "\"\nnetting_set = \"" + set +
         "\"\nproduct = \"bond\"\nrate = \"R\"\ncoupon = 0.0\nend = 10.0\nquantity = " +
         std::to_string(quantity) + "\n";
}
std::string sets(const std::string& first, const std::string& second) {
  return "[exposure]\ntimes = [0.5, 2.0, 4.0]\nregression_paths = 4096\n"
         "[[exposure.netting_sets]]\nname = \"" +
         first + "\"\n[[exposure.netting_sets]]\nname = \"" + second + "\"\n";
}

struct Expected {
  double positive = 0, negative = 0, positive_error = 0, negative_error = 0;
};

/// exp(-b r - b^2 v / 2), where r with the variance v is the short rate at `date` less its mean:
/// what the price of a bond that ends at bond_end is multiplied by.
double bond_factor(double r) {
  const double b = (1 - std::exp(-reversion * (bond_end - date))) / reversion;
  const double variance =
      rate_volatility * rate_volatility * (1 - std::exp(-2 * reversion * date)) / (2 * reversion);
  return std::exp(-b * r - 0.5 * b * b * variance);
}

/// A forward less bonds at `date`.
double of_bonds(double spot, double r) {
  return spot * std::exp(-dividend * (maturity - date)) -
         strike * std::exp(-curve * (maturity - date)) -
         bonds * std::exp(-curve * (bond_end - date)) * bond_factor(r);
}

/// A bond in euros, and a forward purchase of euros; the yield of the exchange rate is `curve`, and
/// the rate of dollars `dividend`.
constexpr double euros_bought = 20, price_of_euros = 478;
double of_euros(double spot, double r) {
  return spot * (100 * std::exp(-curve * (bond_end - date)) * bond_factor(r) +
                 euros_bought * std::exp(-curve * (maturity - date))) -
         euros_bought * price_of_euros * std::exp(-dividend * (maturity - date));
}

/// Discounted exposures at `date` by Euler steps of ln S and of the variance and of the short
/// rate's deviation from its mean, all under the measure of payments at `date`. `is_foreign`: the
/// rate is that of another currency, whose exchange rate is S, and has mean 0 under the measure of
/// that currency.
Expected simulated(bool has_jumps, double with_rate, int paths, bool is_foreign = false) {
  constexpr int steps = 200;
  constexpr double dt = date / steps;
  std::mt19937_64 engine(has_jumps ? 5 : 4);
  std::normal_distribution<double> normal;
  std::poisson_distribution<int> jumps(intensity * dt);
  const double discount_rate = is_foreign ? dividend : curve;
  const double growth = (is_foreign ? dividend - curve : curve - dividend) * date;
  const double rate_drift = is_foreign ? -with_rate * rate_volatility : 0;
  const double jump_drift =
      has_jumps ? intensity * (std::exp(jump_mean + 0.5 * jump_sd * jump_sd) - 1) : 0;
  const double rest = std::sqrt(1 - rho * rho - with_rate * with_rate);
  double sum[2] = {}, squares[2] = {};
  for (int p = 0; p < paths; ++p) {
    double x = growth, v = v0, r = 0;
    for (int k = 0; k < steps; ++k) {
      const double of_variance = normal(engine), of_rate = normal(engine), own = normal(engine);
      const double positive = std::fmax(v, 0.0), deviation = std::sqrt(positive * dt);
      x += -0.5 * positive * dt - jump_drift * dt +
           deviation * (rho * of_variance + with_rate * of_rate + rest * own);
      v += kappa * (theta - positive) * dt + sigma * deviation * of_variance;
      r += (-reversion * r + rate_drift * std::sqrt(positive)) * dt +
           rate_volatility * std::sqrt(dt) * of_rate;
      if (!has_jumps) continue;
      for (int n = jumps(engine); n > 0; --n) x += jump_mean + jump_sd * normal(engine);
    }
    const double spot = 100 * std::exp(x),
                 value = is_foreign ? of_euros(spot, r) : of_bonds(spot, r);
    const double discount = std::exp(-discount_rate * date);
    for (int i = 0; i < 2; ++i) {
      const double exposure = discount * std::fmax(i == 0 ? value : -value, 0.0);
      sum[i] += exposure / paths;
      squares[i] += exposure * exposure / paths;
    }
  }
  const auto error = [&](int i) { return std::sqrt((squares[i] - sum[i] * sum[i]) / paths); };
  return {sum[0], sum[1], error(0), error(1)};
}

void check(const ModuleResult& r, const char* name, std::size_t row, double expected,
           double expected_error, double tolerance) {
  const std::string column = std::string("exposures/discounted_") + name;
  const double value = column_of(r, column)[row],
               error = std::hypot(column_of(r, column + "_error")[row], expected_error);
  CAPTURE(column);
  CAPTURE(row);
  CAPTURE(value);
  CAPTURE(error);
  CAPTURE(expected);
  CHECK(error < 0.02 * expected);
  CHECK(std::fabs(value - expected) < 4 * error + tolerance * expected);
}

}  // namespace

TEST_CASE("exposures of heston and bates, correlated with a short rate, agree with a simulation") {
  const ModuleResult r = run_module_alone(
      exposure_run(sets("H", "B") + market(one_factor) + forward("H", "H", strike) +
                       bond("H", -bonds) + forward("B", "B", strike) + bond("B", -bonds),
                   8 * 4096));
  for (const bool has_jumps : {false, true}) {
    const Expected expected = simulated(has_jumps, correlation, 1 << 14),
                   opposite = simulated(has_jumps, -correlation, 1 << 12);
    const std::size_t row = has_jumps ? 4 + 2 : 2;
    check(r, "positive", row, expected.positive, expected.positive_error, 0.01);
    check(r, "negative", row, expected.negative, expected.negative_error, 0.01);
    // The exposures depend on the correlation by more than the tolerance.
    CHECK(expected.negative - opposite.negative > 0.15 * expected.negative);
  }
}

TEST_CASE("exposures of heston and bates, correlated with the rate of their currency") {
  // Dollars for 100 euros; the rate of dollars is that of `dividend`, and certain or not.
  const auto run = [](const std::string& model, double with_rate, const std::string& dollars) {
    const std::string rho_text = std::to_string(with_rate);
    return run_module_alone(exposure_run(
        "[exposure]\ntimes = [0.5, 2.0, 4.0]\nregression_paths = 4096\n"
        "[[exposure.netting_sets]]\nname = \"bond\"\n[[exposure.netting_sets]]\n"
        "name = \"purchase\"\n[pricing]\nsteps_per_year = 12\n[market]\ncurrency = \"USD\"\n"
        "rate = 0.01\n[market.currencies.EUR]\nrate = 0.03\n[market.fx.EURUSD]\nmodel = \"" +
            model +
            "\"\nspot = 100.0\nv0 = 0.05\nkappa = 1.5\ntheta = 0.04\nsigma = 0.5\nrho = -0.4\n"
            "[market.rates.R]\ncurrency = \"EUR\"\n" +
            one_factor + "[market.rates.U]\nmean_reversion = 0.1\nvolatility = 0.01\n" +
            "[market.correlation]\nassets = [\"R\", \"EURUSD\", \"U\"]\nmatrix = [[1.0, " +
            rho_text + ", 0.3], [" + rho_text + ", 1.0, -0.2], [0.3, -0.2, 1.0]]\n" +
            bond("bond", 100) + bond("purchase", 100) + dollars +
            "[[trades]]\nid = \"bought\"\nnetting_set = \"purchase\"\nproduct = \"forward\"\n"
            "asset = \"EURUSD\"\nstrike = 478.0\nmaturity = 4.0\nquantity = 20.0\n",
        8 * 4096));
  };
  const std::string jumps = "bates\"\njump_intensity = 0.3\njump_mean = -0.1\njump_sd = 0.15\n#";
  const double today = 100 * 100 * std::exp(-curve * bond_end);
  for (const bool has_jumps : {false, true}) {
    CAPTURE(has_jumps);
    const ModuleResult r = run(has_jumps ? jumps : "heston", -0.7, "");
    const Expected expected = simulated(has_jumps, -0.7, 1 << 14, true);
    for (const std::size_t row : {1, 2, 3}) check(r, "positive", row, today, 0, 0);
    check(r, "positive", 4 + 2, expected.positive, expected.positive_error, 0.01);
    check(r, "negative", 4 + 2, expected.negative, expected.negative_error, 0.01);
    if (has_jumps) continue;
    const Expected opposite = simulated(false, 0.7, 1 << 12, true);
    CHECK(std::fabs(expected.negative - opposite.negative) > 0.1 * expected.negative);
  }
  // Also in units of the numeraire of a rate of dollars.
  const ModuleResult r =
      run("heston", -0.7,
          "[[trades]]\nid = \"swap\"\nnetting_set = \"bond\"\nproduct = \"swap\"\nrate = \"U\"\n"
          "strike = 0.01\nend = 5.0\nquantity = 1e-6\n");
  for (const std::size_t row : {1, 2, 3}) check(r, "positive", row, today, 0, 0);
}

TEST_CASE("exposures of heston and bates, correlated with a short rate, have today's value") {
  for (const std::string& rate : {one_factor, two_factors}) {
    const ModuleResult r =
        run_module_alone(exposure_run(sets("H", "B") + market(rate) + forward("H", "H", 0.01) +
                                          bond("H", 10) + forward("B", "B", 0.01) + bond("B", 10),
                                      8 * 4096));
    const double of_bonds = 10 * std::exp(-curve * bond_end),
                 expected = 100 * std::exp(-dividend * maturity) -
                            0.01 * std::exp(-curve * maturity) + of_bonds;
    for (const std::size_t row : {1, 2, 5, 6}) check(r, "positive", row, expected, 0, 0);
    for (const std::size_t row : {3, 7}) check(r, "positive", row, expected, 0, 0);
  }
}

}  // namespace exposures_with_random_volatility
