#pragma once
// Keys and checks that spectra of sources have in common.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/source_distribution.hpp"
#include "src/modules/transport/sources/spectra/integrals.hpp"

namespace gsim::transport {

inline void required_energy(Section& s, const char* key, double& value, const char* doc) {
  s.required(key, value, {.doc = doc, .unit = "eV", .minimum = 0, .exclusive_minimum = true});
}
inline void required_energies(Section& s, std::vector<double>& energies, const char* doc,
                              Index min_count) {
  s.required("energies", energies, {.doc = doc, .unit = "eV", .minimum = 0, .min_size = min_count});
}

/// ConfigError where a weight of `key` is negative, or all are 0.
void validate_weights(const KeyLocations& keys, const char* key,
                      const std::vector<double>& weights);
/// ConfigError unless the number `values` of elements of `key` is `count`, the number of elements
/// of `counted`: "3 weights for 2 groups".
void validate_count(const KeyLocations& keys, const char* key, std::size_t values,
                    std::size_t count, const char* counted);
/// The energies between the groups; ConfigError where they are not known.
std::span<const double> bounds_of(const KeyLocations& keys, const GroupStructure& groups);
/// The spectrum, scaled to a sum of 1 within the groups; ConfigError at `key` where no part of it
/// lies within them.
GroupSpectrum scaled_to_groups(const KeyLocations& keys, const char* key, GroupSpectrum spectrum);

}  // namespace gsim::transport
