// European options under Heston and Bates by the characteristic function: against published prices
// and limits, and as reference for the bias of the QE scheme.

#include <cmath>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "tests/unit/pricing/closed_forms/reference_values.hpp"
#include "tests/unit/pricing/module_run.hpp"

using namespace gsim::pricing;

TEST_CASE("Heston: Lewis' reference prices to their last digit") {
  HestonTerms h{.v0 = 0.04, .kappa = 4, .theta = 0.25, .sigma = 1, .rho = -0.5};
  h.maturity = 1;
  const double forward = 100 * std::exp(-0.01), discount = std::exp(-0.01);
  for (const auto& option : reference::heston_lewis) {
    CAPTURE(option.strike);
    CHECK(std::fabs(heston(option.sign, forward, option.strike, h, discount) - option.value) <
          1e-10);
  }
}

TEST_CASE("Heston: short and long maturities, the Feller condition violated") {
  // Fang and Oosterlee 2008, tables 4 and 5.
  HestonTerms f{.v0 = 0.0175, .kappa = 1.5768, .theta = 0.0398, .sigma = 0.5751, .rho = -0.5711};
  f.maturity = 1;
  CHECK(std::fabs(heston(1, 100, 100, f, 1) - 5.78515543438) < 2e-11);
  f.maturity = 10;
  CHECK(std::fabs(heston(1, 100, 100, f, 1) - 22.3189457912) < 1e-10);
  // Andersen 2008, cases I to III; those of case I agree with the printed values 44.330, 13.085
  // and 0.296.
  struct Case {
    HestonTerms terms;
    double values[3];  // of calls struck at 60, 100 and 140
  };
  const Case cases[] = {
      {{0.04, 0.5, 0.04, 1, -0.9, 0, 0, 0, 10}, {44.3299750702, 13.084670137, 0.295774435798}},
      {{0.04, 0.3, 0.04, 0.9, -0.5, 0, 0, 0, 15}, {45.28686397, 16.6492229204, 5.13819049378}},
      {{0.09, 1, 0.09, 1, -0.3, 0, 0, 0, 5}, {45.9968539763, 21.7952877425, 9.9830678238}}};
  for (const Case& c : cases)
    for (int i = 0; i < 3; ++i)
      CHECK(std::fabs(heston(1, 100, 60 + 40 * i, c.terms, 1) - c.values[i]) < 1e-9);
}

TEST_CASE("Heston and Bates: limits, parity and bounds") {
  // With nearly constant variance the price is that of Black-Scholes, with jumps that of Merton.
  HestonTerms h{.v0 = 0.04, .kappa = 2, .theta = 0.04, .sigma = 1e-3, .rho = 0};
  h.maturity = 0.5;
  CHECK(heston(1, 105, 100, h, 0.97) ==
        doctest::Approx(black(1, 105, 100, 0.02, 0.97)).epsilon(1e-6));
  h.jump_intensity = 0.7;
  h.jump_mean = -0.1;
  h.jump_sd = 0.15;
  CHECK(heston(-1, 105, 100, h, 0.97) ==
        doctest::Approx(merton(-1, 105, 100, 0.02, 0.35, -0.1, 0.15, 0.97)).epsilon(1e-6));
  for (const double rho : {-1.0, -0.7, 0.0, 0.7, 1.0})
    for (const double t : {0.01, 1.0, 30.0})
      for (const double strike : {1.0, 80.0, 100.0, 300.0}) {
        CAPTURE(rho);
        CAPTURE(t);
        CAPTURE(strike);
        const HestonTerms b{0.04, 1.5, 0.05, 0.6, rho, 0.3, -0.12, 0.1, t};
        const double call = heston(1, 100, strike, b, 0.9), put = heston(-1, 100, strike, b, 0.9);
        CHECK(call - put == doctest::Approx(0.9 * (100 - strike)));
        CHECK(call >= 0.9 * std::fmax(100 - strike, 0.0) - 1e-10);
        CHECK(call <= 90);
      }
}

TEST_CASE("Bates: values by other methods") {
  // Gil-Pelaez inversion of the two probabilities in Heston's formula, with 22 digits; confirmed
  // to 1e-7 with the characteristic function from Runge-Kutta integration of its Riccati equations.
  const HestonTerms a{0.04, 2, 0.04, 0.4, -0.7, 0.3, -0.12, 0.1, 1};
  const HestonTerms b{0.09, 1.5, 0.06, 0.6, -0.3, 1, 0.05, 0.2, 0.5};
  CHECK(std::fabs(heston(1, 100, 100, a, 1) - 8.129213449513271) < 1e-11);
  CHECK(std::fabs(heston(1, 100, 80, a, 1) - 22.06925842437207) < 1e-11);
  CHECK(std::fabs(heston(1, 100, 110, b, 1) - 5.745597108045223) < 1e-11);
}

namespace {

// Simulated puts and a call at three strikes, against their closed forms; the discretisation bias
// may be as large as `bias`.
void check_scheme(const char* model, const HestonTerms& h, double bias) {
  using namespace gsim;
  std::string config = "[pricing]\nsampling = \"sobol\"\nreplicates = 16\nsteps_per_year = 48\n" +
                       fmt::format(
                           "[market]\nrate = 0.03\n[market.assets.A]\nspot = 100.0\n"
                           "dividend = 0.01\nmodel = \"{}\"\nv0 = {}\nkappa = {}\ntheta = {}\n"
                           "sigma = {}\nrho = {}\n",
                           model, h.v0, h.kappa, h.theta, h.sigma, h.rho);
  if (h.jump_intensity > 0)
    config += fmt::format("jump_intensity = {}\njump_mean = {}\njump_sd = {}\n", h.jump_intensity,
                          h.jump_mean, h.jump_sd);
  for (const int strike : {80, 100, 125})
    config += fmt::format(
        "[[trades]]\nid = \"{0}\"\nproduct = \"european\"\nasset = \"A\"\n"
        "type = \"{1}\"\nstrike = {0}.0\nmaturity = {2}\n",
        strike, strike > 100 ? "call" : "put", h.maturity);
  StopRule stop;
  stop.max_samples = 1 << 16;
  const auto r = pricing::test::run_module_alone({.config = config, .stop = stop});
  for (const Estimate& e : r.estimates) {
    const double strike = std::stod(e.name);
    const double exact = heston(strike > 100 ? 1 : -1, 100 * std::exp(0.02 * h.maturity), strike, h,
                                std::exp(-0.03 * h.maturity));
    CAPTURE(strike);
    CAPTURE(e.mean);
    CAPTURE(exact);
    CAPTURE(e.standard_error);
    CHECK(std::fabs(e.mean - exact) <= 4 * e.standard_error + bias);
    CHECK(e.standard_error < 0.03);
  }
}

}  // namespace

TEST_CASE("the QE scheme against the closed form, at 48 steps per year") {
  check_scheme("heston", {0.04, 1.5, 0.06, 0.3, -0.7, 0, 0, 0, 1}, 2e-3);  // Feller's condition met
  check_scheme("heston", {0.09, 1, 0.04, 0.8, 0.3, 0, 0, 0, 0.5}, 5e-3);   // violated, rho > 0
  check_scheme("heston", {0.01, 3, 0.09, 0.6, 0, 0, 0, 0, 2}, 5e-3);       // v0 far from theta
  check_scheme("bates", {0.04, 2, 0.04, 0.4, -0.7, 0.3, -0.12, 0.1, 1}, 3e-3);
  check_scheme("bates", {0.09, 1.5, 0.06, 0.6, -0.3, 1, 0.05, 0.2, 0.5}, 5e-3);
}
