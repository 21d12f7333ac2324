#pragma once
// Velocities at places between centres of cells.

#include <vector>

#include <gsim/comm/communicator.hpp>
#include <gsim/domain/field.hpp>

#include "lbm_config.hpp"

namespace lbm {

/// The velocity at each of config.probes, linear along each axis between the centres of the cells
/// around; the same on every rank, whatever their number. `velocity` are this rank's cells, three
/// doubles each. Collective.
std::vector<Vector> probe(const gsim::Communicator& communicator, const LbmConfig& config,
                          const gsim::Field& velocity);

}  // namespace lbm
