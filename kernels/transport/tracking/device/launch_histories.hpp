#pragma once
// Launches of the kernels that transport the particles of a pass on a device.

#include "kernels/transport/tracking/features.hpp"
#include "kernels/transport/tracking/histories.hpp"

#if defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::HistoriesArgs;

/// Transports the particles of a pass with the kernel that has the features `Set` (histories.hpp).
/// Each kernel is instantiated in a source of its own, so that they are compiled in parallel.
template <class Set>
void launch_histories(const Executor& executor, const HistoriesArgs& args);

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
