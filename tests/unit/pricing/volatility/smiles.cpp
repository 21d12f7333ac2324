#include <cmath>

#include <doctest/doctest.h>

#include "src/modules/pricing/volatility/smile.hpp"

using namespace gsim::pricing;

namespace {

// Derivatives against difference quotients of the values.
void check_derivatives(const Smile& smile, double k) {
  CAPTURE(k);
  const double h = 1e-4;
  const double low = smile.total_variance(k - h).value, high = smile.total_variance(k + h).value;
  const Taylor w = smile.total_variance(k);
  CHECK(w.slope == doctest::Approx((high - low) / (2 * h)).epsilon(1e-6));
  CHECK(w.curvature + 1 == doctest::Approx((high - 2 * w.value + low) / (h * h) + 1).epsilon(1e-6));
}

}  // namespace

TEST_CASE("smiles: derivatives of spline, SVI and SABR, also in their wings") {
  const SplineSmile spline({-0.4, -0.1, 0.0, 0.2}, {0.09, 0.05, 0.04, 0.038});
  const SviSmile svi({0.01, 0.1, -0.4, 0.05, 0.15});
  for (const double k : {-0.9, -0.31, -0.05, 0.01, 0.13, 0.4}) {
    check_derivatives(spline, k);
    check_derivatives(svi, k);
    for (const double beta : {0.0, 0.5, 1.0})
      check_derivatives(SabrSmile({0.25 * std::pow(80.0, 1 - beta), beta, -0.3, 0.6}, 80, 2), k);
  }
  // On both sides of the change from the series to the formula.
  for (const double k : {0.02, 0.0249, 0.0251, 0.03, -0.0249, -0.0251})
    check_derivatives(SabrSmile({0.3, 1, 0.4, 0.6}, 80, 0.5), k);
}

TEST_CASE("smiles: a spline meets its quotes, and its wings keep variances positive") {
  const std::vector<double> k = {-0.4, -0.1, 0.0, 0.2}, w = {0.09, 0.05, 0.04, 0.035};
  const SplineSmile spline(k, w);
  for (std::size_t i = 0; i < k.size(); ++i)
    CHECK(spline.total_variance(k[i]).value == doctest::Approx(w[i]).epsilon(1e-14));
  const double slope = spline.total_variance(-0.4).slope;
  CHECK(slope < 0);
  CHECK(spline.total_variance(-2.4).value == doctest::Approx(0.09 - 2 * slope));
  // The variance falls at the right end: there it tends to half its value.
  CHECK(spline.total_variance(0.2).slope < 0);
  CHECK(spline.total_variance(500.0).value == doctest::Approx(0.0175));
  const SplineSmile constant({0.1}, {0.04});
  CHECK(constant.total_variance(-3).value == 0.04);
}

TEST_CASE("smiles: SSVI slices are SVI") {
  const double theta = 0.05, phi = 1.7, rho = -0.4;
  const SviSmile slice(ssvi_slice(theta, phi, rho));
  for (const double k : {-0.7, 0.0, 0.3}) {
    // Gatheral and Jacquier 2014, eq. 4.1.
    const double x = phi * k + rho;
    const double expected = 0.5 * theta * (1 + rho * phi * k + std::sqrt(x * x + 1 - rho * rho));
    CHECK(slice.total_variance(k).value == doctest::Approx(expected).epsilon(1e-14));
  }
}
