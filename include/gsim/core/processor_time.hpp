#pragma once
// CPU time, in contrast to the wall-clock time of timer.hpp.

namespace gsim {

/// CPU time of this process in seconds, summed over all threads. Waiting for messages counts if the
/// MPI library polls.
double processor_seconds();

}  // namespace gsim
