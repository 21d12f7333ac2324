// Ends the other ranks if this rank cannot initialise MPI. The launcher does not notice a process
// that ends before it has connected, and the other ranks would wait for it in MPI_Init.

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include <poll.h>
#include <unistd.h>

#include "gsim/comm/mpi_session.hpp"

namespace gsim {
namespace {

bool send_line(int descriptor, const std::string& line) {
  return ::write(descriptor, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

}  // namespace

void abort_before_mpi_init(const LaunchEnvironment& launch, int exit_code) {
  const char* const text = std::getenv("PMI_FD");
  if (launch.launcher != "mpiexec (Hydra)" || text == nullptr) return;
  const int server = std::atoi(text);
  // PMI version 1, as in MPICH's src/pmi: lines of the form "key=value key=value".
  if (!send_line(server, "cmd=init pmi_version=1 pmi_subversion=1\n")) return;
  constexpr int timeout_ms = 2000;
  pollfd answer{server, POLLIN, 0};
  std::array<char, 256> line{};
  if (::poll(&answer, 1, timeout_ms) != 1 || ::read(server, line.data(), line.size()) <= 0) return;
  if (!send_line(server, "cmd=abort exitcode=" + std::to_string(exit_code) + "\n")) return;
  std::this_thread::sleep_for(
      std::chrono::milliseconds(timeout_ms));  // until the launcher ends this process
}

}  // namespace gsim
