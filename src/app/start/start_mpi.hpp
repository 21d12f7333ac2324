#pragma once
// Starts MPI, with a message for each kind of failure.

#include <memory>

#include "gsim/comm/mpi_session.hpp"
#include "gsim/engine/signals.hpp"

namespace gsim::app {

/// Raises the soft limit on open files to the hard one, and starts MPI. Throws a CommError where
/// the limits on open files or file sizes are too small for MPI, and the exceptions of MpiSession.
/// Where the MPI library ends the process in MPI_Init, as MPICH does, or does not return from it
/// within ten minutes, a message is printed and the exit code is 1. The handlers of `signals`
/// replace those of the library again.
std::unique_ptr<MpiSession> start_mpi(int* argc, char*** argv, const LaunchEnvironment& launch,
                                      const engine::SignalGuard& signals);

}  // namespace gsim::app
