#pragma once
// Time that processors worked, beside the wall-clock time of timer.hpp.

namespace gsim {

/// Seconds for which processors have executed this process, the sum over all of its threads.
/// Waiting for messages counts where the MPI library polls.
double processor_seconds();

}  // namespace gsim
