#include "gsim/comm/mpi_session.hpp"

#include <cstdlib>
#include <cstring>

#include "src/comm/mpi/launch_environment.hpp"
#include "src/comm/mpi/mpi_check.hpp"

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace gsim {
namespace detail {

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
  throw CommError(std::string(call) + " failed: " +
                  (length > 0 ? std::string(text, static_cast<std::size_t>(length))
                              : "error " + std::to_string(code)) +
                  "; a rank may have ended, or the network failed: see the output of the launcher "
                  "and of other ranks");
}

bool mpi_is_initialized() {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0;
}

}  // namespace detail

namespace {
const char* environment(const char* name) { return std::getenv(name); }
}  // namespace

LaunchEnvironment launch_environment() { return detail::read_launch_environment(environment); }

MpiSession::MpiSession(int* argc, char*** argv) {
  int provided = MPI_THREAD_SINGLE;
  detail::check_mpi(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  try {
    // MPICH 4.2 and MPI 4.0 use the error handler of MPI_COMM_SELF for errors without a
    // communicator.
    detail::check_mpi(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN),
                      "MPI_Comm_set_errhandler");
    detail::check_mpi(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN),
                      "MPI_Comm_set_errhandler");
    if (provided < MPI_THREAD_FUNNELED)
      throw CommError("this MPI library (" + library_version() +
                      ") does not support programs with several threads; use one that provides "
                      "MPI_THREAD_FUNNELED");
    int size = 0;
    detail::check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
    detail::check_world(launch_environment(), size, library_version(), environment);
  } catch (...) {
    MPI_Finalize();
    throw;
  }
}

MpiSession::~MpiSession() {
  if (detail::mpi_is_initialized()) MPI_Finalize();
}

std::string MpiSession::library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0, major = 0, minor = 0;
  detail::check_mpi(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  detail::check_mpi(MPI_Get_version(&major, &minor), "MPI_Get_version");
  return detail::short_library_name(std::string(text, static_cast<std::size_t>(length))) +
         " (MPI " + std::to_string(major) + "." + std::to_string(minor) + ")";
}

bool MpiSession::claims_gpu_awareness() {
#if defined(MPIX_GPU_SUPPORT_CUDA)  // MPICH 4 and its descendants
  int supported = 0;
  if (MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &supported) == MPI_SUCCESS && supported != 0)
    return true;
#endif
#if defined(MPIX_CUDA_AWARE_SUPPORT)  // Open MPI
  if (MPIX_Query_cuda_support() == 1) return true;
#endif
  const char* const cray = std::getenv("MPICH_GPU_SUPPORT_ENABLED");  // of Cray MPICH
  return cray != nullptr && std::strcmp(cray, "1") == 0;
}

}  // namespace gsim
