#pragma once
// Memory estimate per rank, for `gsim check`.

#include "gsim/exec/executor.hpp"
#include "src/modules/pricing/pricing_setup.hpp"
#include "src/modules/pricing/statistics/estimator.hpp"

namespace gsim::pricing {

/// Bytes of one of `ranks` ranks while the policies and upper bounds of early exercise are found:
/// the recorded states of paths, and the statistics of inner simulations.
double exercise_bytes(const PortfolioSize& size, const ExerciseOptions& options, int ranks);

/// Bytes of one rank: the process itself, configuration and set-up of the trades, path tables, the
/// tiles of every thread, the sums, the estimates at all evaluation points and the result tables;
/// and what exercise_bytes() gives.
/// Within a factor of 1.5 of the measured resident memory on the host (tests/cli/memory.py).
double memory_forecast(const Simulation& simulation, const PortfolioSize& size,
                       double bytes_of_exercise, const Executor& executor,
                       const EvaluationSchedule& schedule);

}  // namespace gsim::pricing
