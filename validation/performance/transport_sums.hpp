#pragma once
// Histories whose scores are summed in floating point in any order, for comparison.

#include "kernels/transport/tracking/histories.hpp"

GSIM_DECLARE_LAUNCHER(transport_histories_real_sums, transport::HistoriesArgs)
