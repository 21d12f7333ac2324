#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "src/modules/pricing/volatility/arbitrage_checks.hpp"

namespace gsim::pricing {
namespace {

constexpr double checked_deviations = 4;
constexpr int points_on_a_side = 100;
constexpr double rounding = 1e-9;         // of densities and total variances
constexpr double largest_wing_slope = 2;  // Lee 2004, "The moment formula for implied volatility"
constexpr double far = 1000;              // in standard deviations

/// Where the checks end on a side (1 or -1) of the forward: as far as |k| is within four standard
/// deviations sqrt(w(k)) of its own strike or of the forward, or within `quoted`.
double end_of_checks(const VolatilitySurface& surface, std::size_t i, double side, double quoted) {
  constexpr double growth = 1.02;
  const double deviation = surface.deviation(i);
  double reach = std::fmax(checked_deviations * deviation, quoted);
  const auto is_within = [&](double k) {
    return k <= checked_deviations * std::sqrt(surface.at_expiry(i, side * k).value);
  };
  while (reach < far * deviation && is_within(growth * reach)) reach *= growth;
  return reach;
}

/// Log-moneynesses to check at each expiry.
class CheckedStrikes {
 public:
  CheckedStrikes(const VolatilitySurface& surface, std::size_t i, const QuotedRange& quoted)
      : near_(checked_deviations * surface.deviation(i)),
        left_(end_of_checks(surface, i, -1, -quoted.lowest)),
        right_(end_of_checks(surface, i, 1, quoted.highest)) {}

  /// Calls `visit(scale k)` for each of them.
  template <class Visit>
  void for_each(const Visit& visit, double scale = 1) const {
    constexpr double n = points_on_a_side;
    const auto far_points = [&](double end, double side) {
      for (int j = 1; j <= points_on_a_side && end > near_; ++j)
        visit(scale * side * (near_ + (end - near_) * j / n));
    };
    far_points(left_, -1);
    for (int j = -points_on_a_side; j <= points_on_a_side; ++j) visit(scale * near_ * j / n);
    far_points(right_, 1);
  }

 private:
  double near_, left_, right_;  ///< distances from the forward
};

/// Takes the density at (t, k) if it is the smallest one.
void note_density(const VolatilitySurface& surface, std::size_t interval, double t, double k,
                  ExpiryCheck& check) {
  const double g = durrleman(surface.in_interval(interval, t, k), k);
  if (g >= check.density) return;
  check.density = g;
  check.density_time = t;
  check.density_strike = exponential(k + surface.forwards().log_forward(t));
}

void check_density(const VolatilitySurface& surface, std::size_t i, const CheckedStrikes& strikes,
                   ExpiryCheck& check) {
  constexpr double shares[] = {1, 0.75, 0.5, 0.25};
  const double from = i == 0 ? 0 : surface.expiries()[i - 1];
  check.density = std::numeric_limits<double>::infinity();
  for (const double share : shares) {
    // From today to the first expiry, g is a concave function of time and is positive today.
    if (i == 0 && share < 1) break;
    const double time = from + share * (check.expiry - from);
    strikes.for_each([&](double k) { note_density(surface, i, time, k, check); });
  }
}

void check_increase(const VolatilitySurface& surface, std::size_t i, const CheckedStrikes& strikes,
                    ExpiryCheck& check) {
  check.increase = std::numeric_limits<double>::infinity();
  strikes.for_each([&](double k) {
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

std::vector<ExpiryCheck> check_arbitrage(const VolatilitySurface& surface,
                                         const std::vector<QuotedRange>& quoted) {
  std::vector<ExpiryCheck> checks;
  for (std::size_t i = 0; i < surface.expiries().size(); ++i) {
    ExpiryCheck& check = checks.emplace_back();
    check.expiry = surface.expiries()[i];
    const CheckedStrikes strikes(surface, i, quoted[i]);
    check_density(surface, i, strikes, check);
    check_increase(surface, i, strikes, check);
    const double end = far * surface.deviation(i);
    check.wing_slope =
        std::fmax(surface.at_expiry(i, end).slope, -surface.at_expiry(i, -end).slope);
  }
  return checks;
}

std::vector<ExpiryCheck> check_arbitrage(const VolatilitySurface& surface) {
  return check_arbitrage(surface, std::vector<QuotedRange>(surface.expiries().size()));
}

ExpiryCheck check_after_last(const VolatilitySurface& surface, double longest) {
  const std::size_t n = surface.expiries().size();
  ExpiryCheck check;
  check.expiry = longest;
  check.density = std::numeric_limits<double>::infinity();
  // At equal k, g is a concave function of time here, but more strikes are checked later.
  const double last = surface.expiries().back();
  const CheckedStrikes strikes(surface, n - 1, {});
  constexpr double shares[] = {1, 0.75, 0.5, 0.25};
  for (const double share : shares) {
    const double t = last + share * (longest - last);
    strikes.for_each([&](double k) { note_density(surface, n, t, k, check); }, std::sqrt(t / last));
  }
  return check;
}

std::string describe_arbitrage(const VolatilitySurface& surface, const ExpiryCheck& check) {
  if (check.increase < -rounding)
    return fmt::format(
        "calendar arbitrage: the total variance falls by {:.3g} to {:.4g} at {:g} years, strike "
        "{:.6g}",
        -check.increase, surface.total_variance(check.expiry, check.increase_strike), check.expiry,
        check.increase_strike);
  // Wings that are too steep make the density negative, too.
  if (check.density < -rounding && check.wing_slope <= largest_wing_slope)
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
