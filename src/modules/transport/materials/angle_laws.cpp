#include "src/modules/transport/materials/angle_laws.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/modules/transport/materials/alias_table.hpp"
#include "src/modules/transport/materials/discrete_angles.hpp"
#include "src/modules/transport/materials/legendre.hpp"

namespace gsim::transport {
namespace {

/// Negative densities up to this size come from rounding of the moments.
constexpr double negligible = 1e-12;

/// Appends an alias table of `weights`, with one of `values` for each slot.
void append_slots(const std::vector<double>& weights, const std::vector<double>& values,
                  std::vector<AngleSlot>& slots) {
  const auto table = make_alias_table(weights);
  for (std::size_t i = 0; i < table.size(); ++i)
    slots.push_back({table[i].threshold, values[i], table[i].alias, 0});
}

/// Upper bounds of the density in `bins` equal bins: the largest sample, plus the largest rise of a
/// parabola between two samples, spacing^2 / 8 times the largest second derivative.
std::vector<double> bounds_in_bins(std::span<const double> moments, int bins) {
  const double curvature = curvature_bound(moments);
  // With this spacing the rise is at most 1/200 of the mean density.
  int samples = 4;
  const auto rise = [&] {
    const double spacing = 2.0 / bins / samples;
    return spacing * spacing / 8 * curvature;
  };
  while (rise() > 0.0025 && samples < 4096) samples *= 2;
  std::vector<double> bounds;
  for (int bin = 0; bin < bins; ++bin) {
    double largest = 0;
    for (int i = 0; i <= samples; ++i) {
      const double mu = -1 + 2 * (bin + static_cast<double>(i) / samples) / bins;
      largest = std::max(largest, legendre_density(moments, mu));
    }
    bounds.push_back(largest + rise() + negligible);
  }
  return bounds;
}

/// Adds a polynomial density, which is sampled by rejection below a bound in each bin.
AngularDistribution add_polynomial(std::span<const double> moments, AngleTables& tables) {
  // The smallest number of bins with an acceptance of at least 3/4; 256 suffice even for orders
  // beyond those of libraries.
  int bins = 2;
  std::vector<double> bounds;
  for (; bins <= 256; bins *= 2) {
    bounds = bounds_in_bins(moments, bins);
    double area = 0;
    for (const double bound : bounds) area += bound * 2 / bins;
    if (area < 1 / 0.75) break;
  }
  const auto c = chebyshev_coefficients(moments);
  tables.laws.push_back({static_cast<std::int32_t>(tables.slots.size()),
                         static_cast<std::int32_t>(bounds.size()),
                         static_cast<std::int32_t>(tables.coefficients.size()),
                         static_cast<std::int32_t>(c.size()) - 1});
  tables.coefficients.insert(tables.coefficients.end(), c.begin(), c.end());
  append_slots(bounds, bounds, tables.slots);
  return {0, static_cast<std::int32_t>(tables.laws.size()) - 1};
}

/// Adds a distribution of discrete cosines.
AngularDistribution add_discrete(std::span<const double> moments, const DiscreteAngles& angles,
                                 AngleTables& tables) {
  const auto c = chebyshev_coefficients(moments);
  tables.laws.push_back({static_cast<std::int32_t>(tables.slots.size()),
                         static_cast<std::int32_t>(angles.cosines.size()),
                         static_cast<std::int32_t>(tables.coefficients.size()),
                         -static_cast<std::int32_t>(c.size())});
  tables.coefficients.insert(tables.coefficients.end(), c.begin(), c.end());
  append_slots(angles.weights, angles.cosines, tables.slots);
  return {0, static_cast<std::int32_t>(tables.laws.size()) - 1};
}

}  // namespace

std::optional<AngularDistribution> make_angular_distribution(std::span<const double> moments,
                                                             NegativeScattering negative,
                                                             AngleTables& tables,
                                                             std::string& problem) {
  while (moments.size() > 1 && moments.back() == 0) moments = moments.first(moments.size() - 1);
  if (moments.size() == 1) return AngularDistribution{};
  const Minimum minimum = smallest_density(moments);
  if (minimum.density >= -negligible) {
    if (moments.size() > 2) return add_polynomial(moments, tables);
    return AngularDistribution{std::clamp(3 * moments[1], -1.0, 1.0), -1};
  }
  problem = fmt::format(
      "its Legendre expansion is negative at cosine {:.4g} ({:.3g} per unit of "
      "cosine, where 0.5 is isotropic)",
      minimum.mu, minimum.density);
  if (negative == NegativeScattering::refuse) return std::nullopt;
  if (const auto angles = discrete_angles(moments)) return add_discrete(moments, *angles, tables);
  problem += ", and no distribution of angles has its moments";
  return std::nullopt;
}

}  // namespace gsim::transport
