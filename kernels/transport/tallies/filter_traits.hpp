#pragma once
// Properties of the functors that find the bins of filters, for kernels and for the host code that
// lays out tallies.

#include <cstdint>

namespace gsim::transport {

/// How the bin of a filter changes along the flight of a particle.
enum class FilterScope : std::int32_t {
  index,     ///< one bin for a whole track in one cell, from a map of an index
  track,     ///< one bin for a whole track in one cell
  level,     ///< a bin for each level of the geometry that contains the particle
  planes,    ///< bounds at which a coordinate that is linear in the path length divides tracks
  cylinders  ///< cylinders and half-planes that divide tracks
};

struct FilterTraits {
  FilterScope scope = FilterScope::index;
  bool in_volumes = true;   ///< for the track-length, collision and analog estimators
  bool at_surfaces = true;  ///< for tallies of surface crossings
  bool at_points = true;    ///< for tallies at point detectors
  /// Whether the bin depends on the cell or material of the particle, which flights of delta
  /// tracking do not locate.
  bool needs_cell = false;
  bool needs_time = false;  ///< whether the bin depends on the time of the particle
};

}  // namespace gsim::transport
