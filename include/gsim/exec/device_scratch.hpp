#pragma once
// Device memory for the intermediate results of single operations, such as the sums of the thread
// blocks of a reduction.

#include <cstddef>
#include <cstdint>

#include "gsim/exec/executor.hpp"

namespace gsim {

struct DeviceScratch {
  void* data;              ///< aligned to 256 bytes; the contents are undefined
  std::uint32_t* counter;  ///< is 0 before an operation; an operation must set it to 0 again
};

/// At least `bytes` bytes of device memory that a CUDA executor owns. All calls give the same
/// memory, which is reallocated only to grow: the launches of one operation may use it until those
/// of the next operation. DeviceError if memory is short.
DeviceScratch device_scratch(const Executor& executor, std::size_t bytes);

}  // namespace gsim
