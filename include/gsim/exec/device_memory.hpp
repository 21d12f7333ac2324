#pragma once
// How much memory of a device an executor has used.

#include <cstddef>

#include "gsim/exec/executor.hpp"

namespace gsim {

/// The most bytes of device memory that the executor held allocated at any time so far; 0 on a
/// host. The memory that the driver reserves for itself, for code and for the stacks of kernels is
/// not part of it.
std::size_t peak_device_memory(const Executor& executor);

}  // namespace gsim
