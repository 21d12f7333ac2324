#include "potential_check.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "gsim/random/stream.hpp"
#include "gsim/random/uniform.hpp"

namespace gsim::app {
namespace {

constexpr double cutoff = 2.6, inner = 2.1;  // where xplor begins

/// Parameters as a user might give them, in units of the atoms' diameter and of their energies.
std::vector<double> drawn(const md::PotentialKind& kind, std::uint64_t draw) {
  std::vector<double> values;
  for (const md::PotentialParameter& p : kind.parameters) {
    const auto u = uniforms<double>(philox_block(stream_key({1, Purpose::test}), draw,
                                                 static_cast<std::uint64_t>(values.size()), 0));
    const double size = p.unit == md::ParameterUnit::length ? 0.9 + 0.2 * u[0] : 0.4 + 1.2 * u[0];
    values.push_back(p.range == md::ParameterRange::any && u[1] < 0.5 ? -size : size);
  }
  return values;
}

/// -du/dr / r by the central difference of eighth order.
double slope(md::PotentialKind::Function energy, double r, const double* c) {
  constexpr double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const double h = 2e-3 * r;
  double sum = 0;
  for (int k = 0; k < 4; ++k) {
    const double above = r + (k + 1) * h, below = r - (k + 1) * h;
    sum += weight[k] * (energy(above * above, c, nullptr) - energy(below * below, c, nullptr));
  }
  return -sum / h / r;
}

/// The difference between force and slope, as a part of what both are made of.
double deviation(md::PotentialKind::Function force, md::PotentialKind::Function energy, double r,
                 const double* c) {
  const double f = force(r * r, c, nullptr), u = energy(r * r, c, nullptr);
  return std::fabs(f - slope(energy, r, c)) / (std::fabs(f) + std::fabs(u) / (r * r) + 1e-30);
}

}  // namespace

std::string slope_problem(const md::PotentialKind& kind) {
  for (std::uint64_t draw = 0; draw < 20; ++draw) {
    const std::vector<double> p = drawn(kind, draw);
    std::vector<double> c(static_cast<std::size_t>(kind.size));
    kind.coefficients(p.data(), 1, c.data());
    const double closest = kind.closest(p.data(), cutoff);
    const double from = std::max(std::isfinite(closest) ? closest : 0.0, 0.5);
    std::vector<double> smoothed(md::smoothed_coefficients);
    if (kind.can_be_smoothed) kind.smoothing(cutoff, inner, 0, smoothed.data());
    smoothed.insert(smoothed.end(), c.begin(), c.end());
    for (int i = 0; i < 40; ++i) {
      const double r = from * 1.02 + (cutoff * 0.98 - from * 1.02) * i / 39;
      const double bare = deviation(kind.force, kind.energy, r, c.data());
      const bool nears_end = std::fabs(r - inner) < 0.03;  // S'' jumps there
      const double ended =
          kind.can_be_smoothed && !nears_end
              ? deviation(kind.smoothed_force, kind.smoothed_energy, r, smoothed.data())
              : 0;
      // The difference's own error is 1e-9 for a twelfth power; a wrong factor is of order 1.
      if (!(std::max(bare, ended) < 1e-6)) {
        return fmt::format(
            "at r = {:.4g} with {} the force is {:.8g} r, and the energy's slope {:.8g} r", r,
            fmt::join(p, ", "), kind.force(r * r, c.data(), nullptr),
            slope(kind.energy, r, c.data()));
      }
    }
  }
  return {};
}

}  // namespace gsim::app
