#include "src/modules/pricing/volatility/arbitrage.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace gsim::pricing {
namespace {

constexpr double checked_deviations = 4;
constexpr int points_on_a_side = 100;
constexpr double rounding = 1e-9;         // of densities and, relative to them, of total variances
constexpr double largest_wing_slope = 2;  // Lee 2004, "The moment formula for implied volatility"
constexpr double far = 1000;              // in standard deviations

/// Calls `visit(k)` at the checked log-moneynesses of expiry i.
template <class Visit>
void for_each_moneyness(const VolatilitySurface& surface, std::size_t i, const Visit& visit) {
  const double reach = checked_deviations * surface.deviation(i);
  for (int j = -points_on_a_side; j <= points_on_a_side; ++j) visit(reach * j / points_on_a_side);
}

void check_density(const VolatilitySurface& surface, std::size_t i, ExpiryCheck& check) {
  constexpr double shares[] = {1, 0.75, 0.5, 0.25};
  const double from = i == 0 ? 0 : surface.expiries()[i - 1];
  check.density = std::numeric_limits<double>::infinity();
  for (const double share : shares) {
    // From today to the first expiry, g is a concave function of time and is positive today.
    if (i == 0 && share < 1) break;
    const double time = from + share * (check.expiry - from);
    for_each_moneyness(surface, i, [&](double k) {
      const double g = durrleman(surface.in_interval(i, time, k), k);
      if (g >= check.density) return;
      check.density = g;
      check.density_time = time;
      check.density_strike = exponential(k + surface.forwards().log_forward(time));
    });
  }
}

void check_increase(const VolatilitySurface& surface, std::size_t i, ExpiryCheck& check) {
  check.increase = std::numeric_limits<double>::infinity();
  for_each_moneyness(surface, i, [&](double k) {
    const double before = i == 0 ? 0 : surface.at_expiry(i - 1, k).value;
    const double increase = surface.at_expiry(i, k).value - before;
    if (increase >= check.increase) return;
    check.increase = increase;
    check.increase_strike = exponential(k + surface.forwards().log_forward(check.expiry));
  });
}

}  // namespace

bool ExpiryCheck::has_arbitrage() const {
  return density < -rounding || increase < -rounding || wing_slope > largest_wing_slope;
}

std::vector<ExpiryCheck> check_arbitrage(const VolatilitySurface& surface) {
  std::vector<ExpiryCheck> checks;
  for (std::size_t i = 0; i < surface.expiries().size(); ++i) {
    ExpiryCheck& check = checks.emplace_back();
    check.expiry = surface.expiries()[i];
    check_density(surface, i, check);
    check_increase(surface, i, check);
    const double end = far * surface.deviation(i);
    check.wing_slope =
        std::fmax(surface.at_expiry(i, end).slope, -surface.at_expiry(i, -end).slope);
  }
  return checks;
}

std::string describe_arbitrage(const VolatilitySurface& surface, const ExpiryCheck& check) {
  if (check.increase < -rounding)
    return fmt::format(
        "calendar arbitrage: the total variance falls by {:.3g} to {:.4g} at {:g} years, strike "
        "{:.6g}",
        -check.increase, surface.total_variance(check.expiry, check.increase_strike), check.expiry,
        check.increase_strike);
  if (check.density < -rounding)
    return fmt::format(
        "butterfly arbitrage: the density of the spot is negative at {:g} years, strike {:.6g} "
        "(Durrleman's g = {:.3g}, implied volatility {:.4g})",
        check.density_time, check.density_strike, check.density,
        surface.implied_volatility(check.density_time, check.density_strike));
  return fmt::format(
      "arbitrage: at {:g} years the total variance rises by {:.3g} per unit of log-strike far from "
      "the forward, and at most {:g} is possible (Lee 2004)",
      check.expiry, check.wing_slope, largest_wing_slope);
}

}  // namespace gsim::pricing
