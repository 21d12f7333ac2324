#pragma once
// Pair potentials over cluster pair lists, on the host.

#include <memory>

#include "src/modules/md/pair_forces/pair_forces.hpp"

namespace gsim::md {

/// As make_pair_forces(); DeviceError on a CUDA executor.
std::unique_ptr<PairForces> make_cluster_pair_forces(const Executor& executor, const Box& box,
                                                     const PairTable& table,
                                                     const PairForceOptions& options);

}  // namespace gsim::md
