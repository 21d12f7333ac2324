#pragma once
// Tests whether MPI can read memory that may belong to a device.

namespace gsim::detail {

/// Whether the MPI library can read `bytes` bytes of memory at `data`, which may belong to a
/// device: packs them (MPI_Pack, which is local). A library that is not GPU-aware reads device
/// memory as host memory, which is a segmentation fault; it is caught. Signal handlers of the
/// process are replaced meanwhile, so only the calling thread may cause such a fault.
bool mpi_can_read(const void* data, int bytes);

}  // namespace gsim::detail
