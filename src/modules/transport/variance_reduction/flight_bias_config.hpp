#pragma once
// [forced_collisions] and [[exponential_transform]]: cells in which free paths are not drawn from
// the total cross section.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "kernels/transport/variance_reduction/population.hpp"
#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {

struct ExponentialTransformConfig {
  std::vector<std::string> cells, materials;  ///< of cells that are in either
  FlightBias bias;
  SourceLocation where, cells_where, materials_where;
};

struct FlightBiasConfig {
  std::vector<std::string> forced_cells;
  SourceLocation forced_where;
  std::vector<ExponentialTransformConfig> transforms;

  bool is_set() const { return !forced_cells.empty() || !transforms.empty(); }
};

/// Describes both tables.
void describe_flight_biases(Section& top, FlightBiasConfig& config);

/// What is done in each cell; empty where nothing is done in any. ConfigError for names that
/// nothing has, cells that hold no material, and two transforms of one cell.
std::vector<FlightBias> flight_biases(const FlightBiasConfig& config, const Geometry& geometry);

}  // namespace gsim::transport
