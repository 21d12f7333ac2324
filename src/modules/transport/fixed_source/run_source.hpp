#pragma once
// Batches from a configuration's sources.

#include "src/modules/transport/simulation/system.hpp"
#include "src/modules/transport/tracking/histories.hpp"

namespace gsim::transport {

/// Runs batch number `batch` (from 0) from the sources of `system`, or from its file or plugin.
/// Collective.
BatchSums run_source(Histories& histories, System& system, Index batch);

}  // namespace gsim::transport
