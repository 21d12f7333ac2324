#pragma once
// Checks of the return codes of MPI calls (MPI_ERRORS_RETURN). Every call is checked.

#include <mpi.h>

namespace gsim::detail {

/// Throws CommError with the library's message unless `code` is MPI_SUCCESS.
void check_mpi(int code, const char* call);

/// Whether MPI has been initialised and not yet finalised.
bool mpi_is_initialized();

}  // namespace gsim::detail
