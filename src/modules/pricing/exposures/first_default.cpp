#include "src/modules/pricing/exposures/first_default.hpp"

#include <cmath>

#include "src/modules/pricing/closed_forms/gauss_legendre.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {
namespace {

/// P(second survives t | first defaults at t), from the probabilities that both survive t.
double conditional_survival(double first, double second, double correlation) {
  if (correlation == 0 || second >= 1 || second <= 0 || first >= 1 || first <= 0) return second;
  const double x = normal_quantile(first), y = normal_quantile(second);
  return normal_cdf((y - correlation * x) / std::sqrt(1 - square(correlation)));
}

}  // namespace

std::vector<double> first_defaults(const CreditCurve& first, const CreditCurve& second,
                                   double correlation, const std::vector<double>& times) {
  constexpr double tolerance = 1e-13;
  constexpr int halvings = 40;  // towards the times at which hazard rates change
  std::vector<double> probabilities;
  const auto density = [&](double t) {
    const double survival = first.survival(t);
    return first.hazard_rate(t) * survival *
           conditional_survival(survival, second.survival(t), correlation);
  };
  for (std::size_t k = 1; k < times.size(); ++k)
    probabilities.push_back(integrate(density, times[k - 1], times[k], tolerance, halvings));
  return probabilities;
}

}  // namespace gsim::pricing
