#pragma once
// Histories whose scores are summed in reals, in whatever order they come: the benchmark's other
// side.

#include "kernels/transport/tracking/histories.hpp"

GSIM_DECLARE_LAUNCHER(transport_histories_real_sums, transport::HistoriesArgs)
