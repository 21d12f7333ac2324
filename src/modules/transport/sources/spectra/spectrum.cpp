#include "src/modules/transport/sources/spectra/spectrum.hpp"

namespace gsim::transport {

void validate_weights(const KeyLocations& keys, const char* key,
                      const std::vector<double>& weights) {
  double sum = 0;
  for (const double w : weights) {
    if (!(w >= 0)) keys.fail(key, fmt::format("{} is negative", w));
    sum += w;
  }
  if (!(sum > 0)) keys.fail(key, "all values are 0");
}

void validate_count(const KeyLocations& keys, const char* key, std::size_t values,
                    std::size_t count, const char* counted) {
  if (values != count) keys.fail(key, fmt::format("{} {} for {} {}", values, key, count, counted));
}

std::span<const double> bounds_of(const KeyLocations& keys, const GroupStructure& groups) {
  if (groups.bounds.empty())
    keys.fail("kind", "energies are given, and the energies of the groups are not known",
              "give [groups] bounds, or name groups instead");
  return groups.bounds;
}

GroupSpectrum scaled_to_groups(const KeyLocations& keys, const char* key, GroupSpectrum spectrum) {
  double sum = 0;
  for (const double p : spectrum.probability) sum += p;
  if (!(sum > 0)) keys.fail(key, "nothing of the spectrum lies within the groups");
  for (double& p : spectrum.probability) p /= sum;
  return spectrum;
}

}  // namespace gsim::transport
