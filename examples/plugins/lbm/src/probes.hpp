#pragma once
// Velocities at points between centres of cells.

#include <vector>

#include <gsim/comm/communicator.hpp>
#include <gsim/domain/field.hpp>

#include "lbm_config.hpp"

namespace lbm {

/// The velocity at each of config.probes, interpolated linearly along each axis between the centres
/// of the surrounding cells; the same on any number of ranks. `velocity` holds this rank's cells,
/// three doubles each. Collective.
std::vector<Vector> probe(const gsim::Communicator& communicator, const LbmConfig& config,
                          const gsim::Field& velocity);

}  // namespace lbm
