#pragma once
// Waiting for MPI without occupying the processor. MPICH and other libraries poll in blocking calls
// and never yield: if ranks or other programs share a processor, each message then costs a time
// slice of the scheduler (MPICH 4.0.2, 4 ranks on 2 processors: 15 ms for MPI_Allreduce of 56
// bytes, 0.05 ms with these functions). Therefore gsim starts only non-blocking operations and
// tests them for completion.

#include <chrono>
#include <span>

#include <mpi.h>

namespace gsim::detail {

/// Waits between two tests for an event in another process. The first hundred tests follow each
/// other immediately, since most waits are short; then the processor is yielded; after 2 ms, or if
/// a yield has shown that other programs run for long, the thread sleeps for 1/64 of the time
/// waited so far, at least 50 us and at most 1 ms.
class Backoff {
 public:
  void pause();

 private:
  void sleep(std::chrono::steady_clock::duration waited) const;

  int tests_ = 0;
  std::chrono::steady_clock::time_point begin_;
};

/// MPI_Waitall implemented by tests. `statuses` is empty or has one element per request. Throws
/// CommError.
void wait_all(std::span<MPI_Request> requests, std::span<MPI_Status> statuses = {});
/// MPI_Wait implemented by tests.
void wait_for(MPI_Request& request);

}  // namespace gsim::detail
