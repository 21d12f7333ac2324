#pragma once
// Memory estimate per rank, for `gsim check`.

#include "gsim/exec/executor.hpp"
#include "src/modules/pricing/pricing_setup.hpp"
#include "src/modules/pricing/statistics/estimator.hpp"

namespace gsim::pricing {

/// Bytes of one rank: the process itself, configuration and set-up of the trades, path tables, the
/// tiles of every thread, the sums, the estimates at all evaluation points and the result tables;
/// with early exercise also the states of `regression_paths` paths.
/// Within a factor of 1.5 of the measured resident memory on the host (tests/cli/memory.py).
double memory_forecast(const Simulation& simulation, const PortfolioSize& size,
                       double regression_paths, const Executor& executor,
                       const EvaluationSchedule& schedule);

}  // namespace gsim::pricing
