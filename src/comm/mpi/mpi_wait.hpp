#pragma once
// Waiting for MPI without keeping the processor from those who are waited for. MPICH and other
// libraries poll in blocking calls and never yield: where ranks, or other programs, share a
// processor, each message then costs a scheduler's time slice (MPICH 4.0.2, 4 ranks on 2
// processors: 15 ms for MPI_Allreduce of 56 bytes, 0.05 ms with what is here). So gsim starts
// non-blocking operations only, and tests for their end.

#include <chrono>
#include <span>

#include <mpi.h>

namespace gsim::detail {

/// What to do between two tests for something that other processes do. The first hundred tests
/// follow each other at once, since most waits are short; then the processor is yielded; after 2
/// ms, or where yielding has shown that other programs run for long, this thread sleeps, for 50 us
/// to 1 ms and at most a 64th of the time waited so far, whichever is more.
class Backoff {
 public:
  void pause();

 private:
  void sleep(std::chrono::steady_clock::duration waited) const;

  int tests_ = 0;
  std::chrono::steady_clock::time_point begin_;
};

/// MPI_Waitall by tests. `statuses` is empty, or has one element a request. Throws CommError.
void wait_all(std::span<MPI_Request> requests, std::span<MPI_Status> statuses = {});
/// MPI_Wait by tests.
void wait_for(MPI_Request& request);

}  // namespace gsim::detail
