#include "src/comm/mpi/memory_probe.hpp"

#include <csetjmp>
#include <csignal>
#include <vector>

#include <mpi.h>

namespace gsim::detail {
namespace {

sigjmp_buf before_access;

extern "C" void leave_access(int) { siglongjmp(before_access, 1); }

/// Leaves the calling function at an invalid access to memory, instead of ending the process.
class InvalidAccessHandler {
 public:
  InvalidAccessHandler() {
    struct sigaction action {};
    action.sa_handler = leave_access;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &segmentation_fault_);
    sigaction(SIGBUS, &action, &bus_error_);
  }
  ~InvalidAccessHandler() {
    sigaction(SIGSEGV, &segmentation_fault_, nullptr);
    sigaction(SIGBUS, &bus_error_, nullptr);
  }
  InvalidAccessHandler(const InvalidAccessHandler&) = delete;
  InvalidAccessHandler& operator=(const InvalidAccessHandler&) = delete;

 private:
  struct sigaction segmentation_fault_ {};
  struct sigaction bus_error_ {};
};

}  // namespace

bool mpi_can_read(const void* data, int bytes) {
  std::vector<char> packed(static_cast<std::size_t>(bytes));
  const InvalidAccessHandler handler;
  // No object is created between here and MPI_Pack, so that none is left undestroyed.
  if (sigsetjmp(before_access, 1) != 0) return false;
  int position = 0;
  return MPI_Pack(data, bytes, MPI_BYTE, packed.data(), bytes, &position, MPI_COMM_SELF) ==
         MPI_SUCCESS;
}

}  // namespace gsim::detail
