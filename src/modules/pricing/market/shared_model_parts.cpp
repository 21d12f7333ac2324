#include "src/modules/pricing/market/shared_model_parts.hpp"

#include <algorithm>
#include <cmath>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"

namespace gsim::pricing {

void deterministic_variance::set_up(const AssetConfig& a, const TimeGrid& grid, AssetDynamics& d) {
  double from = 0, total = 0;
  for (const double to : grid.times) {
    d.variance_step.push_back(a.variance.integral(from, to));
    total += d.variance_step.back();
    from = to;
  }
  d.deviation = std::sqrt(total);
}

double deterministic_variance::mean_variance(const AssetConfig& a, double date) {
  return a.variance.integral(date) / date;
}

double deterministic_variance::log_variance(const AssetConfig& a, double date) {
  return a.variance.integral(date);
}

void heston_variance::set_up(const AssetConfig& a, const TimeGrid& grid, AssetDynamics& d) {
  d.v0 = a.v0;
  d.kappa = a.kappa;
  d.theta = a.theta;
  d.sigma = a.sigma;
  d.rho = a.rho;
  d.deviation = std::sqrt(std::fmax(a.v0, a.theta) * grid.times.back());
}

double heston_variance::mean_variance(const AssetConfig& a, double date) {
  return heston_mean_variance(a.v0, a.kappa, a.theta, date);
}

double heston_variance::log_variance(const AssetConfig& a, double date) {
  return std::max(a.v0, a.theta) * date;
}

double heston_variance::spot_normal_correlation(const AssetConfig& a) {
  return std::sqrt(std::fmax(1 - a.rho * a.rho, 1e-12));
}

void set_up_jumps(const AssetConfig& a, AssetDynamics& d) {
  d.jump_intensity = a.jump_intensity;
  d.jump_mean = a.jump_mean;
  d.jump_sd = a.jump_sd;
}

}  // namespace gsim::pricing
