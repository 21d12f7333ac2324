#pragma once
#include <functional>

#include "gsim/comm/communicator.hpp"

namespace gsim::io {

/// Communicator::agree for bodies that call HDF5 collectively, on ranks of MPI. HDF5 has no way out
/// of a collective call that fails on one rank: the others wait in it for ever. Where they do not
/// come to agree within a quarter of a minute, this rank's error is thrown, not marked as agreed:
/// the program has to end all ranks.
void agree_with_timeout(const Communicator& communicator, const std::function<void()>& body);

}  // namespace gsim::io
