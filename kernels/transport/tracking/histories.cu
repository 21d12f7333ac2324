#include "kernels/transport/tracking/run_histories.hpp"

GSIM_DEFINE_LAUNCHER(transport_histories, transport::HistoriesArgs) {
  transport_kernels::run_histories(executor, args);
}
#if defined(__CUDACC__)
GSIM_DEFINE_LAUNCHER(transport_begin_passes, transport::BeginPassesArgs) {
  launch(executor, "begin_passes", args.passes + 1, transport_kernels::BeginPass{args});
}
#endif
