#pragma once
#include <cstddef>

namespace gsim::io {

/// Maximum number of bytes per HDF5 write call and per message to the writing rank: MPI counts are
/// 32-bit integers. Tests reduce it.
std::size_t& transfer_limit();

}  // namespace gsim::io
