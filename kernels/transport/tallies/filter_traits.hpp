#pragma once
// Properties of the functors that find the bins of filters, for kernels and for the host code that
// lays out tallies.

#include <cstdint>

namespace gsim::transport {

/// How the bin of a filter changes along the flight of a particle.
enum class FilterScope : std::int32_t {
  index,     ///< one bin for a whole track in one cell, looked up by an index such as the group
  track,     ///< one bin for a whole track in one cell
  level,     ///< a bin for each level of the geometry that contains the particle
  planes,    ///< bounds of a coordinate, linear in the path length, that divide tracks
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
