#include "src/modules/pricing/paths/asset_step_constants.hpp"

#include <algorithm>

#include "gsim/core/error.hpp"
#include "gsim/math/elementary.hpp"

namespace gsim::pricing {
namespace {

/// P(n <= j) for n ~ Poisson(mean), until the tail is below the resolution of a uniform number.
std::vector<double> poisson_cdf(double mean) {
  std::vector<double> cdf;
  double term = exp<Strict>(-mean), sum = 0;
  for (int j = 0; j == 0 || (term > 1e-18 * sum || j < mean); ++j) {
    sum += term;
    cdf.push_back(sum);
    term *= mean / (j + 1);
  }
  return cdf;
}

}  // namespace

std::vector<double> step_lengths(const TimeGrid& grid) {
  std::vector<double> dt;
  double last = 0;
  for (const double t : grid.times) {
    dt.push_back(t - last);
    last = t;
  }
  return dt;
}

QeStep<double> qe_step(const AssetDynamics& a, double dt) {
  const double decay = exp<Strict>(-a.kappa * dt);
  // (1 - e^(-kappa dt)) / kappa, and its limit without mean reversion
  const double span = a.kappa != 0 ? (1 - decay) / a.kappa : dt;
  const double s2 = a.sigma * a.sigma;
  const double drift = 0.5 * dt * (a.kappa * a.rho / a.sigma - 0.5);
  const double k1 = drift - a.rho / a.sigma, k2 = drift + a.rho / a.sigma;
  const double k3 = 0.5 * dt * (1 - a.rho * a.rho), k4 = k3;
  QeStep<double> c;
  c.decay = decay;
  c.mean_offset = a.theta * (1 - decay);
  c.s2_slope = s2 * decay * span;
  c.s2_offset = 0.5 * a.theta * s2 * a.kappa * span * span;
  c.k0 = -a.rho * a.kappa * a.theta * dt / a.sigma;
  c.k1 = k1;
  c.k2 = k2;
  c.k3 = k3;
  c.k4 = k4;
  c.a = k2 + 0.5 * k4;
  c.half_k3 = 0.5 * k3;
  c.half_dt = 0.5 * dt;
  return c;
}

double mean_jump(const AssetDynamics& a) {
  return exp<Strict>(a.jump_mean + 0.5 * a.jump_sd * a.jump_sd) - 1;
}

std::vector<double> jump_cdf(const std::vector<double>& means, Index& terms) {
  std::vector<std::vector<double>> tables;
  terms = 0;
  for (const double mean : means) {
    GSIM_VALIDATE(mean <= 200, "more than 200 jumps expected in one time step",
                  "use shorter steps or a lower jump intensity");
    tables.push_back(poisson_cdf(mean));
    terms = std::max(terms, static_cast<Index>(tables.back().size()));
  }
  std::vector<double> flat;
  for (auto& table : tables) {
    table.resize(static_cast<std::size_t>(terms), 1.0);
    flat.insert(flat.end(), table.begin(), table.end());
  }
  return flat;
}

}  // namespace gsim::pricing
