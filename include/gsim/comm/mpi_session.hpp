#pragma once
// Initialisation of MPI in this process, and the launch environment.

#include <string>

#include "gsim/core/error.hpp"

namespace gsim {

/// The launch environment as read from environment variables, before MPI is initialised: those of
/// Hydra, Open MPI, MVAPICH, PALS, jsrun, Flux, Slurm and other PMI launchers.
struct LaunchEnvironment {
  int rank = 0;  ///< world rank, as set by the launcher; decides which rank prints before MPI_Init
  int local_rank = 0;      ///< rank within the node, 0 without a launcher
  int local_ranks = 0;     ///< ranks on this node; 0 if unknown
  int expected_ranks = 0;  ///< world size, as set by the launcher; 0 if unknown
  std::string launcher;    ///< "srun", "mpiexec (Hydra)", … or empty
  /// False if the variables of a launcher are set but none refers to a running launcher: they were
  /// inherited from another program.
  bool is_connected = true;
};
LaunchEnvironment launch_environment();

/// The launcher that belongs to gsim's MPI library, as a user would type it: the `mpiexec` beside
/// the program (relocatable archives), else the one that was found at configure time, by its name
/// alone if PATH leads to it ("mpiexec.mpich"), else "mpiexec".
std::string mpi_launcher();

/// Requests the launcher to end all ranks with `exit_code`, for ranks that cannot initialise MPI.
/// Works with Hydra (PMI version 1) and does nothing with other launchers.
void abort_before_mpi_init(const LaunchEnvironment& launch, int exit_code);

/// The size of MPI_COMM_WORLD differs from what the launcher announced. The command line is wrong,
/// hence exit code 2.
class LaunchError : public CommError {
 public:
  using CommError::CommError;
  ExitCode exit_code() const noexcept override { return ExitCode::bad_input; }
};

/// Initialises MPI for the lifetime of the object (thread level FUNNELED or better: only the main
/// thread may communicate). The CUDA device must have been chosen before. Throws LaunchError with a
/// remedy if the launcher announced N ranks and MPI made N separate worlds of one rank (`srun
/// --mpi=none`, an mpiexec of another MPI library, Ubuntu 24.04's mpiexec); every one of the N
/// processes throws, so the message should be printed where launch_environment().rank is 0.
/// GSIM_SINGLE_RANK=1 in the environment disables this check.
class MpiSession {
 public:
  MpiSession(int* argc, char*** argv);
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// "MPICH 4.0.2 (MPI 4.0)".
  static std::string library_version();
  /// Whether the library reports support for CUDA buffers (MPIX_GPU_query_support or an
  /// equivalent). This is a claim only: probe_buffer_path (comm/device_binding.hpp) tests it.
  static bool claims_gpu_awareness();
};

}  // namespace gsim
