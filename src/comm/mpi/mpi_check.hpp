#pragma once
// MPI calls report by return code here (MPI_ERRORS_RETURN); none is left unchecked.

#include <mpi.h>

namespace gsim::detail {

/// Throws CommError with the library's own words when `code` is no success.
void check_mpi(int code, const char* call);

/// True between MPI_Init and MPI_Finalize.
bool mpi_is_up();

}  // namespace gsim::detail
