#pragma once
// Detection of the launcher from environment variables that are looked up by a function, so that
// tests need neither MPI nor a real environment.

#include <functional>
#include <string>

#include "gsim/comm/mpi_session.hpp"

namespace gsim::detail {

/// Returns the value of an environment variable, or null.
using Lookup = std::function<const char*(const char*)>;

LaunchEnvironment read_launch_environment(const Lookup& lookup);

/// Throws LaunchError if the launcher announced several ranks and MPI_COMM_WORLD has one.
void check_world(const LaunchEnvironment& launch, int world_size, const std::string& mpi_library,
                 const Lookup& lookup);

/// Extracts "MPICH 4.0.2" from the text of MPI_Get_library_version.
std::string short_library_name(const std::string& text);

}  // namespace gsim::detail
