#pragma once
#include <cstddef>

namespace gsim::io {

/// Most bytes that a rank hands to HDF5 in one call: MPI counts are 32-bit integers, and ranks
/// without the file send this much at a time. Tests make it small.
std::size_t& transfer_limit();

}  // namespace gsim::io
