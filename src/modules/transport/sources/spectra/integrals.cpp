#include "src/modules/transport/sources/spectra/integrals.hpp"

#include <algorithm>
#include <cmath>

#include "gsim/math/erf.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/math/policy.hpp"

namespace gsim::transport {
namespace {

constexpr double root_pi = 0x1.c5bf891b4ef6bp+0;

/// Probabilities of the groups from the cumulative distribution function `below`.
template <class Below>
GroupSpectrum from_distribution(std::span<const double> bounds, const Below& below) {
  GroupSpectrum s;
  double inside = 0;
  for (std::size_t g = 0; g + 1 < bounds.size(); ++g) {
    s.probability.push_back(std::max(0.0, below(bounds[g]) - below(bounds[g + 1])));
    inside += s.probability.back();
  }
  s.outside = std::max(0.0, 1 - inside);
  return s;
}

/// Probabilities from the weights of the groups and the weight `all` of the whole spectrum.
GroupSpectrum from_weights(std::vector<double> weights, double all) {
  GroupSpectrum s{std::move(weights), 1};
  for (double& w : s.probability) {
    w /= all;
    s.outside -= w;
  }
  s.outside = std::max(0.0, s.outside);
  return s;
}

/// Integral of a density that is linear from p at a to q at b, over the part of [a, b] that lies in
/// [low, high].
double linear_integral(double a, double b, double p, double q, double low, double high) {
  const double from = std::max(a, low), to = std::min(b, high);
  if (!(to > from)) return 0;
  const double slope = (q - p) / (b - a);
  return (to - from) * (p + slope * ((from + to) / 2 - a));
}

}  // namespace

GroupSpectrum maxwell_spectrum(std::span<const double> bounds, double temperature) {
  return from_distribution(bounds, [&](double energy) {
    const double r = sqrt(energy / temperature);
    return gsim::erf<Strict>(r) - 2 / root_pi * r * gsim::exp<Strict>(-r * r);
  });
}

GroupSpectrum watt_spectrum(std::span<const double> bounds, double a, double b) {
  const double g = sqrt(a * b) / 2;
  return from_distribution(bounds, [&](double energy) {
    const double r = sqrt(energy / a), less = r - g, more = r + g;
    return (gsim::erf<Strict>(less) + gsim::erf<Strict>(more)) / 2 -
           (gsim::exp<Strict>(-less * less) - gsim::exp<Strict>(-more * more)) / (2 * g * root_pi);
  });
}

GroupSpectrum line_spectrum(std::span<const double> bounds, std::span<const double> energies,
                            std::span<const double> intensities) {
  std::vector<double> weights(bounds.size() - 1, 0.0);
  double all = 0;
  for (std::size_t i = 0; i < energies.size(); ++i) {
    const int group = group_of(bounds, energies[i]);
    if (group >= 0) weights[static_cast<std::size_t>(group)] += intensities[i];
    all += intensities[i];
  }
  return from_weights(std::move(weights), all);
}

GroupSpectrum tabulated_spectrum(std::span<const double> bounds, std::span<const double> energies,
                                 std::span<const double> densities) {
  const bool is_linear = densities.size() == energies.size();
  std::vector<double> weights(bounds.size() - 1, 0.0);
  double all = 0;
  for (std::size_t i = 0; i + 1 < energies.size(); ++i) {
    const double a = energies[i], b = energies[i + 1], p = densities[i],
                 q = is_linear ? densities[i + 1] : p;
    all += linear_integral(a, b, p, q, a, b);
    for (std::size_t g = 0; g < weights.size(); ++g)
      weights[g] += linear_integral(a, b, p, q, bounds[g + 1], bounds[g]);
  }
  return from_weights(std::move(weights), all);
}

int group_of(std::span<const double> bounds, double energy) {
  if (!(energy <= bounds.front()) || !(energy >= bounds.back())) return -1;
  // The lower bound of the group: the first one, in descending order, that is not above the energy.
  const auto lower =
      std::find_if(bounds.begin() + 1, bounds.end(), [&](double bound) { return bound <= energy; });
  return static_cast<int>(lower - bounds.begin()) - 1;
}

}  // namespace gsim::transport
