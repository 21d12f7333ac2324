#pragma once
// Starts MPI with a message for all that can go wrong.

#include <memory>

#include "gsim/comm/mpi_session.hpp"
#include "gsim/engine/signals.hpp"

namespace gsim::app {

/// Raises the soft limit on open files to the hard one, and starts MPI. CommError where the limits
/// on open files or file sizes are below what MPI's start takes, and what MpiSession throws. An MPI
/// library that ends the process in MPI_Init, as MPICH does, or does not come back from it within
/// ten minutes, leaves a message and exit code 1. The handlers of `signals` are installed again in
/// the place of the library's.
std::unique_ptr<MpiSession> start_mpi(int* argc, char*** argv, const LaunchEnvironment& launch,
                                      const engine::SignalGuard& signals);

}  // namespace gsim::app
