#include "src/modules/pricing/curves/credit_curve.hpp"

#include <cmath>

#include <doctest/doctest.h>

using namespace gsim::pricing;

namespace {

// A swap of `years` with annual payments at the end of each year.
CreditDefaultSwap annual_swap(int years) {
  CreditDefaultSwap swap;
  for (int year = 1; year <= years; ++year) {
    const double from = year - 1, to = year;
    swap.periods.push_back({1, to, to, from, 1, from, to});
  }
  swap.protection_end = years;
  return swap;
}

// The par spread by the trapezoidal rule over the time of default.
double numerical_spread(const CreditDefaultSwap& swap, const StepFunction& hazard,
                        const StepFunction& rate, double recovery) {
  const CreditCurve credit(hazard);
  const auto value = [&](double t) { return std::exp(-rate.integral(t)) * credit.survival(t); };
  double protection = 0, premium = 0;
  for (const CdsPeriod& p : swap.periods) {
    premium += p.accrual * std::exp(-rate.integral(p.payment)) * credit.survival(p.survived);
    constexpr int steps = 20000;
    for (int i = 0; i < steps; ++i) {
      const double length = (p.default_to - p.default_from) / steps;
      const double t = p.default_from + (i + 0.5) * length;
      const double defaulted = credit.hazard_rate(t) * value(t) * length;
      protection += (1 - recovery) * defaulted;
      premium += p.accrual_rate * (t - p.accrual_start) * defaulted;
    }
  }
  return protection / premium;
}

}  // namespace

TEST_CASE("probabilities of default follow from the hazard rate") {
  const CreditCurve credit(StepFunction({1, 3}, {0.02, 0.05}));
  CHECK(credit.survival(0) == 1);
  CHECK(credit.survival(2) == doctest::Approx(std::exp(-0.07)).epsilon(1e-15));
  CHECK(credit.hazard_rate(0.5) == 0.02);
  CHECK(credit.hazard_rate(4) == 0.05);
  CHECK(credit.default_probability(0.5, 2) ==
        doctest::Approx(std::exp(-0.01) - std::exp(-0.07)).epsilon(1e-14));
  CHECK(credit.default_probability(1, 1) == 0);
  // The difference of two survival probabilities would lose these digits.
  CHECK(credit.default_probability(1, 1 + 0x1p-40) ==
        doctest::Approx(0.05 * 0x1p-40 * std::exp(-0.02)).epsilon(1e-12));
}

TEST_CASE("par spreads are integrals over the time of default") {
  const StepFunction rates[] = {0.03, StepFunction({0.7, 2}, {0.01, -0.02}), 0.0};
  const StepFunction hazards[] = {0.02, StepFunction({1.4, 3}, {0.001, 0.4}), StepFunction(1e-7)};
  for (const StepFunction& rate : rates)
    for (const StepFunction& hazard : hazards)
      CHECK(par_spread(annual_swap(3), hazard, rate, 0.4) ==
            doctest::Approx(numerical_spread(annual_swap(3), hazard, rate, 0.4)).epsilon(1e-8));
  // With hazard h and no interest the spread is close to h (1 - recovery).
  CHECK(par_spread(annual_swap(5), 0.01, 0.0, 0.4) == doctest::Approx(0.006).epsilon(1e-2));
}

TEST_CASE("bootstrapped hazard rates give swaps their spreads") {
  const std::vector<CreditDefaultSwap> swaps = {annual_swap(1), annual_swap(3), annual_swap(5),
                                                annual_swap(10)};
  for (const auto& spreads : {std::vector<double>{0.006, 0.008, 0.011, 0.012},
                              std::vector<double>{0.09, 0.08, 0.07, 0.066}}) {
    const BootstrappedHazard result = bootstrap_hazard(swaps, spreads, 0.02, 0.4);
    REQUIRE(result.unmet_quote == -1);
    for (std::size_t i = 0; i < swaps.size(); ++i)
      CHECK(std::fabs(par_spread(swaps[i], result.hazard_rate, 0.02, 0.4) - spreads[i]) < 1e-15);
  }
  // A fall that would need a negative hazard rate.
  CHECK(bootstrap_hazard(swaps, {0.09, 0.02, 0.01, 0.01}, 0.02, 0.4).unmet_quote == 1);
}
