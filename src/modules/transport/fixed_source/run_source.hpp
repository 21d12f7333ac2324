#pragma once
// Batches of histories from the sources of a configuration.

#include "src/modules/transport/simulation/system.hpp"
#include "src/modules/transport/tracking/histories.hpp"

namespace gsim::transport {

/// Runs batch number `batch` (from 0) with particles from the sources of `system`, from its
/// particle file or from the sampler of a plugin. Collective.
BatchSums run_source(Histories& histories, System& system, Index batch);

}  // namespace gsim::transport
