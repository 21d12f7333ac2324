#pragma once
// Discount factors between pillars.

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "src/modules/pricing/market/term_structure.hpp"

namespace gsim::pricing {

/// Interpolation of discount factors D(t), with D(0) = 1. After the last pillar the instantaneous
/// forward rate is constant.
enum class Interpolation {
  log_linear,     ///< ln D linear between pillars: piecewise constant forward rates
  linear_zero,    ///< zero rates linear between pillars, constant before the first one
  monotone_cubic  ///< ln D cubic: parabolic derivatives (Bessel), filtered by Hyman 1983
};
inline constexpr std::array<std::string_view, 3> interpolations = {"log_linear", "linear_zero",
                                                                   "monotone_cubic"};

/// A curve of discount factors, given by -ln D at its pillars. Its arithmetic is gsim's own, with
/// the same bits on every machine.
class DiscountCurve {
 public:
  DiscountCurve() = default;
  /// `times` are years from today, positive and increasing; `totals` is -ln D at each.
  DiscountCurve(Interpolation interpolation, std::vector<double> times, std::vector<double> totals);

  /// -ln D(t), t >= 0: the integral of the instantaneous forward rate.
  double total(double t) const;
  double discount(double t) const;
  double zero_rate(double t) const;  ///< continuously compounded, t > 0
  /// The instantaneous forward rates, with the same discount factors up to rounding.
  StepFunction forward_rates() const;

  const std::vector<double>& times() const { return times_; }
  const std::vector<double>& totals() const { return totals_; }
  /// Changes -ln D at pillar `i`.
  void set_total(std::size_t i, double total);

 private:
  /// Between two pillars -ln D is a linear function plus u (1 - u) (first + second u), where u
  /// rises from 0 to 1.
  struct Bend {
    double first = 0, second = 0;
  };
  double time_before(std::size_t i) const { return i == 0 ? 0 : times_[i - 1]; }
  double total_before(std::size_t i) const { return i == 0 ? 0 : totals_[i - 1]; }
  double mean_forward(std::size_t i) const;
  double last_forward() const;  ///< at the last pillar
  Bend bend(std::size_t i) const;
  void update_bends();
  double filtered_slope(std::size_t node) const;
  double slope(std::size_t node) const;

  Interpolation interpolation_ = Interpolation::log_linear;
  std::vector<double> times_, totals_;
  std::vector<Bend> bends_;  ///< of each interval that ends at a pillar
};

}  // namespace gsim::pricing
