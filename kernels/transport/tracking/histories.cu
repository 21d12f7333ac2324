#include "kernels/transport/tracking/run_histories.hpp"

GSIM_DEFINE_LAUNCHER(transport_histories, transport::HistoriesArgs) {
  transport_kernels::run_histories(executor, args);
}
