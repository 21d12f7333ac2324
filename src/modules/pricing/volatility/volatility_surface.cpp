#include "src/modules/pricing/volatility/volatility_surface.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gsim::pricing {

double ForwardCurve::log_growth(double t) const {
  double sum = rate.integral(t) - dividend.integral(t);
  for (const auto& [time, log_factor] : drops)
    if (time <= t) sum += log_factor;
  return sum;
}

double ForwardCurve::log_forward(double t) const { return logarithm(spot) + log_growth(t); }

double ForwardCurve::forward(double t) const { return spot * exponential(log_growth(t)); }

VolatilitySurface::VolatilitySurface(std::string name, ForwardCurve forwards,
                                     std::vector<double> expiries,
                                     std::vector<std::shared_ptr<const Smile>> smiles)
    : name_(std::move(name)),
      forwards_(std::move(forwards)),
      expiries_(std::move(expiries)),
      smiles_(std::move(smiles)),
      shifts_(expiries_.size(), 0.0) {}

Taylor VolatilitySurface::at_expiry(std::size_t i, double k) const {
  const Taylor variance = smiles_[i]->total_variance(k);
  if (shifts_[i] == 0) return variance;
  // (sigma + h)^2 T = w + 2 h sqrt(w T) + h^2 T
  const double expiry = expiries_[i], shift = shifts_[i];
  return variance + 2 * shift * std::sqrt(expiry) * square_root(variance) + shift * shift * expiry;
}

double VolatilitySurface::deviation(std::size_t i) const {
  return std::sqrt(smiles_[i]->total_variance(0).value);
}

std::size_t VolatilitySurface::interval_of(double t) const {
  return static_cast<std::size_t>(std::lower_bound(expiries_.begin(), expiries_.end(), t) -
                                  expiries_.begin());
}

VolatilitySurface::InTime VolatilitySurface::in_interval(std::size_t i, double t, double k) const {
  const std::size_t last = expiries_.size() - 1;
  if (i == 0 || i > last) {  // proportional to time
    const Taylor variance = at_expiry(std::min(i, last), k);
    const double expiry = expiries_[std::min(i, last)];
    return {t / expiry * variance, variance.value / expiry, variance.slope / variance.value};
  }
  const Taylor before = at_expiry(i - 1, k), after = at_expiry(i, k);
  const double length = expiries_[i] - expiries_[i - 1];
  const Taylor variance = before + (t - expiries_[i - 1]) / length * (after - before);
  return {variance, (after.value - before.value) / length, variance.slope / variance.value};
}

double VolatilitySurface::total_variance(double t, double strike) const {
  const double k = logarithm(strike) - forwards_.log_forward(t);
  return in_interval(interval_of(t), t, k).variance.value;
}

double VolatilitySurface::implied_volatility(double t, double strike) const {
  return std::sqrt(total_variance(t, strike) / t);
}

VolatilitySurface VolatilitySurface::shifted(int bucket, double size) const {
  VolatilitySurface surface = *this;
  for (std::size_t i = 0; i < shifts_.size(); ++i)
    if (bucket < 0 || static_cast<std::size_t>(bucket) == i) surface.shifts_[i] += size;
  return surface;
}

double durrleman(const VolatilitySurface::InTime& w, double k) {
  const double slope = w.variance.slope, ratio = w.relative_slope;
  return square(1 - 0.5 * k * ratio) - 0.25 * slope * ratio - 0.0625 * slope * slope +
         0.5 * w.variance.curvature;
}

}  // namespace gsim::pricing
