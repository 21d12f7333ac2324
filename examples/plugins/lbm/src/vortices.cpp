#include "vortices.hpp"

#include <cmath>

#include <gsim/math/exp.hpp>
#include <gsim/math/policy.hpp>
#include <gsim/math/trig.hpp>

namespace lbm {

using gsim::Strict;

Vortices::Vortices(const LbmConfig& config)
    : config_(config.vortices), even_rate_(config.even_rate()) {
  constexpr double pi = 3.14159265358979323846;
  double cells = static_cast<double>(config.count()), squares = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const Index n = config.cells[config_.axis(static_cast<int>(k))];
    const auto waves = static_cast<double>(config_.waves[k]);
    wave_number_[k] = 2 * pi * waves / static_cast<double>(n);
    squares += wave_number_[k] * wave_number_[k];
    for (Index i = 0; i < n; ++i) {
      const auto at =
          gsim::sincospi<Strict>(waves * (2 * static_cast<double>(i) + 1) / static_cast<double>(n));
      cosine_[k].push_back(at.cos);
      sine_[k].push_back(at.sin);
    }
  }
  const double p = wave_number_[0], q = wave_number_[1];
  scale_ = {-std::sqrt(q / p), std::sqrt(p / q)};
  // The means of cos^2 and sin^2 are 1/2 (for fewer than n/2 waves).
  square_ = cells / 4 * (q / p + p / q);
  decay_rate_ = config.viscosity * squares;
}

double Vortices::decay(Index steps) const {
  return gsim::exp<Strict>(-decay_rate_ * static_cast<double>(steps));
}

std::array<double, populations> Vortices::start(const gsim::Cell& cell) const {
  const std::size_t a = config_.axis(0), b = config_.axis(1);
  const double p = wave_number_[0], q = wave_number_[1], speed = config_.speed;
  const auto i = static_cast<std::size_t>(cell[a]), j = static_cast<std::size_t>(cell[b]);
  const double ca = cosine_[0][i], sa = sine_[0][i], cb = cosine_[1][j], sb = sine_[1][j];
  double u[3] = {0, 0, 0};
  u[a] = speed * scale_[0] * ca * sb;
  u[b] = speed * scale_[1] * sa * cb;
  // Pressure is density / 3; cos(2 x) = cos^2 - sin^2.
  Fluid fluid;
  fluid.density_deviation =
      -0.75 * speed * speed * (q / p * (ca * ca - sa * sa) + p / q * (cb * cb - sb * sb));
  fluid.density = 1 + fluid.density_deviation;
  fluid.speed_squared = u[a] * u[a] + u[b] * u[b];
  // Derivatives: du_a/da, du_a/db, du_b/da, du_b/db.
  const double aa = -speed * scale_[0] * p * sa * sb, ab = speed * scale_[0] * q * ca * cb;
  const double ba = speed * scale_[1] * p * ca * cb, bb = -speed * scale_[1] * q * sa * sb;

  std::array<double, populations> f{};
  for (int k = 0; k < populations; ++k) {
    const int* const c = directions[k];
    const double w = weight(k), x = c[a], y = c[b];
    const double along = c[0] * u[0] + c[1] * u[1] + c[2] * u[2];
    const double gradients = x * x * aa + y * y * bb + x * y * (ab + ba) - (aa + bb) / 3;
    const double non_equilibrium = -3 * w * fluid.density / even_rate_ * gradients;
    f[static_cast<std::size_t>(k)] = even_equilibrium(w, fluid, along) +
                                     odd_equilibrium(w, fluid, along) +
                                     (1 - even_rate_) * non_equilibrium;
  }
  return f;
}

}  // namespace lbm
