#include "src/modules/pricing/curves/discount_curve.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "src/modules/pricing/curves/find_root.hpp"
#include "src/modules/pricing/curves/par_instrument.hpp"

using namespace gsim::pricing;

namespace {

const std::vector<double> times = {0.5, 1, 2, 5, 10};
const std::vector<double> totals = {0.01, 0.022, 0.05, 0.11, 0.3};

constexpr Interpolation all[] = {Interpolation::log_linear, Interpolation::linear_zero,
                                 Interpolation::monotone_cubic};

// Deposits of the times until each pillar, and swaps with annual payments.
std::vector<ParInstrument> instruments() {
  std::vector<ParInstrument> list;
  for (const double t : {0.25, 0.5, 1.0}) list.push_back({{{t, t}}, {{0, t, t}}});
  for (const int years : {2, 3, 5, 10, 30}) {
    ParInstrument swap;
    for (int year = 1; year <= years; ++year) {
      swap.fixed.push_back({1.0, 1.0 * year});
      swap.floating.push_back({year - 1.0, 1.0 * year, 1.0 * year});
    }
    list.push_back(swap);
  }
  return list;
}

}  // namespace

TEST_CASE("log-linear discount factors: forward rates are piecewise constant") {
  const DiscountCurve curve(Interpolation::log_linear, times, totals);
  CHECK(curve.total(0.25) == doctest::Approx(0.005).epsilon(1e-14));
  CHECK(curve.total(3) == doctest::Approx(0.07).epsilon(1e-14));
  CHECK(curve.total(12) == doctest::Approx(0.3 + 2 * 0.038).epsilon(1e-14));
  CHECK(curve.zero_rate(5) == doctest::Approx(0.022).epsilon(1e-14));
  CHECK(curve.discount(10) == doctest::Approx(std::exp(-0.3)).epsilon(1e-15));
  CHECK(curve.forward_rates().value(3) == doctest::Approx(0.02).epsilon(1e-14));
}

TEST_CASE("linear zero rates") {
  const DiscountCurve curve(Interpolation::linear_zero, times, totals);
  CHECK(curve.zero_rate(0.1) == doctest::Approx(0.02).epsilon(1e-14));
  CHECK(curve.zero_rate(3) == doctest::Approx(0.025 + (0.022 - 0.025) / 3).epsilon(1e-14));
  CHECK(curve.zero_rate(7.5) == doctest::Approx(0.026).epsilon(1e-14));
}

TEST_CASE(
    "monotone cubic: discount factors fall where the data do, and forward rates are continuous") {
  const std::vector<double> steps = {0.02, 0.021, 0.021, 0.3, 0.301};
  const DiscountCurve curve(Interpolation::monotone_cubic, times, steps);
  double before = 0;
  for (double t = 0.01; t < 12; t += 0.01) {
    CHECK(curve.total(t) >= before - 1e-15);
    before = curve.total(t);
  }
  // Without the filter the parabolic derivatives give negative forward rates here.
  const StepFunction forwards = curve.forward_rates();
  for (const double t : {0.5, 1.0, 2.0, 5.0, 10.0})
    CHECK(forwards.value(t - 1e-9) == doctest::Approx(forwards.value(t + 1e-9)).epsilon(1e-6));
  // A cubic function of time is reproduced between inner pillars whose slopes are not filtered.
  const auto parabola = [](double t) { return 0.02 * t + 0.001 * t * t; };
  std::vector<double> smooth;
  for (const double t : times) smooth.push_back(parabola(t));
  const DiscountCurve exact(Interpolation::monotone_cubic, times, smooth);
  for (const double t : {0.1, 0.7, 1.5, 3.0, 8.0})
    CHECK(exact.total(t) == doctest::Approx(parabola(t)).epsilon(1e-13));
}

TEST_CASE("forward rates of every interpolation integrate to its discount factors") {
  for (const Interpolation interpolation : all) {
    const DiscountCurve curve(interpolation, times, totals);
    const StepFunction forwards = curve.forward_rates();
    CHECK(forwards.values().size() == times.size());
    for (double t = 0.05; t < 14; t += 0.31) {
      CHECK(forwards.integral(t) == doctest::Approx(curve.total(t)).epsilon(1e-13));
      CHECK(forwards.integral(t, t + 0.7) ==
            doctest::Approx(curve.total(t + 0.7) - curve.total(t)).epsilon(1e-11));
      const double slope = (curve.total(t + 1e-5) - curve.total(t - 1e-5)) / 2e-5;
      CHECK(forwards.value(t) == doctest::Approx(slope).epsilon(1e-6));
    }
  }
}

TEST_CASE("a smooth function keeps its shape when its values change and when time passes") {
  const StepFunction forwards =
      DiscountCurve(Interpolation::monotone_cubic, times, totals).forward_rates();
  std::vector<double> raised = forwards.values();
  for (double& value : raised) value += 0.01;
  const StepFunction parallel = forwards.with_values(raised);
  const StepFunction later = forwards.from_date(0.7), earlier = forwards.from_date(-0.2);
  for (const double t : {0.1, 0.8, 4.0, 11.0}) {
    CHECK(parallel.value(t) == doctest::Approx(forwards.value(t) + 0.01).epsilon(1e-13));
    CHECK(later.value(t) == doctest::Approx(forwards.value(t + 0.7)).epsilon(1e-13));
    CHECK(later.integral(t) == doctest::Approx(forwards.integral(0.7, t + 0.7)).epsilon(1e-13));
    CHECK(earlier.integral(0.2, t + 0.2) == doctest::Approx(forwards.integral(t)).epsilon(1e-13));
  }
  CHECK(earlier.integral(0.2) == doctest::Approx(0.2 * forwards.value(0)).epsilon(1e-13));
  // Steps of paths that need a constant drift are at most a month long.
  double before = 0;
  for (const double knot : forwards.knots()) {
    CHECK(knot > before);
    CHECK(knot - before <= 1.0 / 12 + 1e-12);
    before = knot;
  }
  CHECK(before == 10);
}

TEST_CASE("bootstrapped curves give par instruments their quotes") {
  const std::vector<double> rising = {0.021, 0.022, 0.023, 0.024, 0.025, 0.027, 0.029, 0.028};
  std::vector<double> falling = rising;
  for (double& rate : falling) rate -= 0.0265;  // some of them negative
  const DiscountCurve discount(Interpolation::log_linear, {1, 30}, {0.01, 0.9});
  const std::vector<ParInstrument> list = instruments();
  for (const auto& quotes : {rising, falling})
    for (const Interpolation interpolation : all)
      for (const DiscountCurve* other : {static_cast<const DiscountCurve*>(nullptr), &discount}) {
        const BootstrappedCurve result = bootstrap(interpolation, list, quotes, other);
        REQUIRE(result.unmet_quote == -1);
        for (std::size_t i = 0; i < list.size(); ++i)
          CHECK(std::fabs(list[i].par_rate(result.curve, other == nullptr ? result.curve : *other) -
                          quotes[i]) < 1e-14);
      }
}

TEST_CASE("quotes that admit no curve are named") {
  std::vector<double> quotes = {0.021, 0.022, 0.023, 0.024, 0.9, 0.027, 0.029, 0.028};
  for (const Interpolation interpolation : all)
    CHECK(bootstrap(interpolation, instruments(), quotes, nullptr).unmet_quote >= 4);
  quotes[4] = 0.025;
  quotes[0] = -5;
  CHECK(bootstrap(Interpolation::log_linear, instruments(), quotes, nullptr).unmet_quote == 0);
}

TEST_CASE("roots to the last bits") {
  const auto cubic = [](double x) { return x * x * x - 2; };
  const double root = *find_root(cubic, 0, 10);
  CHECK(root == doctest::Approx(1.2599210498948732).epsilon(1e-15));
  CHECK(*find_root([](double x) { return x - 3; }, 3, 4) == 3);
  CHECK(*find_root([](double x) { return std::tanh(50 * (x - 0.3)); }, -1e3, 1e3) ==
        doctest::Approx(0.3).epsilon(1e-15));
  CHECK(*find_root([](double x) { return x < 0.25 ? -1.0 : 1.0; }, 0, 1) ==
        doctest::Approx(0.25).epsilon(1e-15));
  CHECK(!find_root(cubic, 2, 10));
  CHECK(!find_root([](double) { return std::nan(""); }, 0, 1));
}
