#pragma once
// Host functions for which a program waits without a call to the runtime.

#include <cstdint>

namespace ptxemu {

class Device;
struct Stream;

/// Has a thread of the runtime execute a stream up to a host function, the operation `sequence`,
/// unless the program has done so within 20 ms: it may wait without a call, such as for a condition
/// variable that the function signals. The lock of the runtime must be held, and is while the
/// function runs.
void execute_soon(Device& device, Stream& stream, std::uint64_t sequence);

}  // namespace ptxemu
