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

enum class Agreement { all_succeeded, some_failed, timed_out };

/// Whether `succeeded` is true on all ranks, unless a rank does not reply in time. Collective.
Agreement agree_on_success(const Communicator& communicator, bool succeeded) {
  struct Flags {
    int mine, all;
  };
  auto flags = std::make_unique<Flags>(Flags{succeeded ? 1 : 0, 0});
  const auto* comm = static_cast<MPI_Comm*>(communicator.backend().mpi_communicator());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&flags->mine, &flags->all, 1, MPI_INT, MPI_MIN, *comm, &request);
  int is_complete = 0;
  if (succeeded) is_complete = MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS ? 1 : 0;
  for (const Stopwatch waiting; is_complete == 0 && waiting.seconds() < rank_timeout;) {
    MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (is_complete == 0) {
    (void)flags.release();  // never freed, because MPI may still write to it
    return Agreement::timed_out;
  }
  return flags->all != 0 ? Agreement::all_succeeded : Agreement::some_failed;
}

}  // namespace

void agree_with_timeout(const Communicator& communicator, const std::function<void()>& body) {
  std::exception_ptr mine;
  try {
    body();
  } catch (...) {
    mine = std::current_exception();
  }
  const auto throw_own_error = [&] {
    if (mine) std::rethrow_exception(mine);
  };
  switch (agree_on_success(communicator, !mine)) {
    case Agreement::all_succeeded:
      return;
    case Agreement::some_failed:
      return communicator.agree(throw_own_error);
    case Agreement::timed_out:
      throw_own_error();
  }
}

}  // namespace gsim::io
