#pragma once
// The part of launch detection that needs no MPI and no real environment, for tests.

#include <functional>
#include <string>

#include "gsim/comm/mpi_session.hpp"

namespace gsim::detail {

/// Value of an environment variable, or null.
using Lookup = std::function<const char*(const char*)>;

LaunchEnvironment read_launch_environment(const Lookup& lookup);

/// Throws LaunchError when the launcher promised several ranks and this world holds one.
void check_world(const LaunchEnvironment& launch, int world_size, const std::string& mpi_library,
                 const Lookup& lookup);

/// "MPICH 4.0.2" from the text of MPI_Get_library_version.
std::string short_library_name(const std::string& text);

}  // namespace gsim::detail
