#pragma once
#include <functional>

#include "gsim/comm/communicator.hpp"

namespace gsim::io {

/// Communicator::agree for bodies that call HDF5 collectively on MPI ranks. HDF5 cannot leave a
/// collective call that fails on one rank: the others wait forever. If the ranks do not agree
/// within 15 seconds, the error of this rank is thrown and not marked as agreed: the program has to
/// abort all ranks.
void agree_with_timeout(const Communicator& communicator, const std::function<void()>& body);

}  // namespace gsim::io
