#include "src/io/hdf5/agree_with_timeout.hpp"

#include <chrono>
#include <exception>
#include <memory>
#include <thread>

#include <mpi.h>

#include "gsim/core/timer.hpp"

namespace gsim::io {
namespace {

constexpr double rank_timeout = 15;  // seconds that a failed rank waits for the others

enum class Verdict { good, failed, others_stuck };

/// Whether `good` is true on all ranks. Collective.
Verdict ask_all(const Communicator& communicator, bool good) {
  struct Words {
    int mine, all;
  };
  auto words = std::make_unique<Words>(Words{good ? 1 : 0, 0});
  const auto* comm = static_cast<MPI_Comm*>(communicator.backend().mpi_communicator());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&words->mine, &words->all, 1, MPI_INT, MPI_MIN, *comm, &request);
  int here = 0;
  if (good) here = MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS ? 1 : 0;
  for (const Stopwatch waiting; here == 0 && waiting.seconds() < rank_timeout;) {
    MPI_Test(&request, &here, MPI_STATUS_IGNORE);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (here == 0) {
    (void)words.release();  // never freed, because MPI may still write to it
    return Verdict::others_stuck;
  }
  return words->all != 0 ? Verdict::good : Verdict::failed;
}

}  // namespace

void agree_with_timeout(const Communicator& communicator, const std::function<void()>& body) {
  std::exception_ptr mine;
  try {
    body();
  } catch (...) {
    mine = std::current_exception();
  }
  const auto outcome = [&] {
    if (mine) std::rethrow_exception(mine);
  };
  switch (ask_all(communicator, !mine)) {
    case Verdict::good:
      return;
    case Verdict::failed:
      return communicator.agree(outcome);
    case Verdict::others_stuck:
      outcome();
  }
}

}  // namespace gsim::io
