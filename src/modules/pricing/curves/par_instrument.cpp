#include "src/modules/pricing/curves/par_instrument.hpp"

#include <algorithm>
#include <cmath>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/curves/find_root.hpp"

namespace gsim::pricing {

double ParInstrument::last_time() const {
  double last = 0;
  for (const FixedPayment& p : fixed) last = std::max(last, p.time);
  for (const FloatingPayment& p : floating) last = std::max({last, p.end, p.time});
  return last;
}

double ParInstrument::par_rate(const DiscountCurve& forecast, const DiscountCurve& discount) const {
  double floating_value = 0, annuity = 0;
  for (const FloatingPayment& p : floating)
    floating_value += (exponential(forecast.total(p.end) - forecast.total(p.start)) - 1) *
                      discount.discount(p.time);
  for (const FixedPayment& p : fixed) annuity += p.accrual * discount.discount(p.time);
  return floating_value / annuity;
}

BootstrappedCurve bootstrap(Interpolation interpolation,
                            const std::vector<ParInstrument>& instruments,
                            const std::vector<double>& quotes, const DiscountCurve* discount) {
  const std::size_t n = instruments.size();
  std::vector<double> times(n);
  std::transform(instruments.begin(), instruments.end(), times.begin(),
                 [](const ParInstrument& i) { return i.last_time(); });
  // Solves for the value at pillar i, given all others. Returns whether there is a solution.
  const auto solve = [&](DiscountCurve& curve, std::size_t i) {
    const auto error = [&](double total) {
      curve.set_total(i, total);
      return instruments[i].par_rate(curve, discount == nullptr ? curve : *discount) - quotes[i];
    };
    constexpr double largest_rise = 300;  // of -ln D, so that no discount factor underflows
    const double before = i == 0 ? 0 : curve.totals()[i - 1];
    const double length = times[i] - (i == 0 ? 0 : times[i - 1]);
    const std::optional<double> root =
        find_root(error, before + lowest_forward * length,
                  before + std::fmin(highest_forward * length, largest_rise));
    curve.set_total(i, root.value_or(before));
    return root.has_value();
  };
  const bool is_local = interpolation != Interpolation::monotone_cubic;
  DiscountCurve curve(is_local ? interpolation : Interpolation::log_linear, times,
                      std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i)
    if (!solve(curve, i)) return {curve, static_cast<Index>(i)};
  if (is_local) return {curve};

  constexpr int max_sweeps = 100;
  curve = DiscountCurve(interpolation, times, curve.totals());
  double largest_change = 1;
  for (int sweep = 0; sweep < max_sweeps && largest_change > 1e-15; ++sweep) {
    largest_change = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double before = curve.totals()[i];
      if (!solve(curve, i)) return {curve, static_cast<Index>(i)};
      largest_change = std::fmax(largest_change, std::fabs(curve.totals()[i] - before));
    }
  }
  return {curve};
}

}  // namespace gsim::pricing
