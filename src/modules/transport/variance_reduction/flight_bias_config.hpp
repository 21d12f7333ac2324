#pragma once
// [forced_collisions] and [[exponential_transform]]: cells in which free paths are not sampled from
// the total cross section.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "kernels/transport/variance_reduction/population.hpp"
#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {

struct ExponentialTransformConfig {
  KeyLocations keys;
  std::vector<std::string> cells, materials;  ///< names of its cells, or of the materials in them
  std::vector<double> direction, towards;     ///< one of them is given
  FlightBias bias;                            ///< its target is set by validate_flight_biases()
};

struct FlightBiasConfig {
  std::vector<std::string> forced_cells;
  KeyLocations forced_keys;
  std::vector<ExponentialTransformConfig> transforms;

  bool is_set() const { return !forced_cells.empty() || !transforms.empty(); }
};

/// Describes both tables.
void describe_flight_biases(Section& top, FlightBiasConfig& config);
/// Checks keys that depend on one another. ConfigError.
void validate_flight_biases(FlightBiasConfig& config);

/// The bias of each cell; empty if no cell has one. ConfigError for unknown names, for cells that
/// are not filled with a material, and for two transforms of one cell.
std::vector<FlightBias> flight_biases(const FlightBiasConfig& config, const Geometry& geometry);

}  // namespace gsim::transport
