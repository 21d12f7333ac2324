#if defined(__CUDACC__)
#define GSIM_TRANSPORT_SIMPLE_KERNEL
#include "kernels/transport/tracking/device/histories.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

template void launch_histories<transport::TalliedDeltaHistories>(const Executor&,
                                                                 const HistoriesArgs&);

}  // namespace transport_kernels
GSIM_TARGET_END
#endif
