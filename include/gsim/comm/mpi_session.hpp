#pragma once
// The life of MPI in this process, and what the launcher made of it.

#include <string>

#include "gsim/core/error.hpp"

namespace gsim {

/// What the environment says before MPI is up (Slurm, Hydra, Open MPI, PALS, Flux, PMI variables).
struct LaunchEnvironment {
  int rank = 0;            ///< world rank that the launcher gave; who may speak before MPI is up
  int local_rank = 0;      ///< rank within the node, 0 without a launcher
  int local_ranks = 0;     ///< ranks on this node, 0 when the launcher does not say
  int expected_ranks = 0;  ///< world size that the launcher promised, 0 when it does not say
  std::string launcher;    ///< "srun", "mpiexec (Hydra)", … or empty
  /// False where a launcher's variables are set, but none that leads to the launcher itself: they
  /// are left over from another program.
  bool is_connected = true;
};
LaunchEnvironment launch_environment();

/// The launcher that belongs to gsim's MPI, as it may be typed: the `mpiexec` beside the program
/// (bundles), else the one that the build found, by its name alone where PATH leads to it
/// ("mpiexec.mpich"), "mpiexec" where nothing is known.
std::string mpi_launcher();

/// Sends the launcher the request to end all ranks with `exit_code`, where MPI has not been started
/// and this rank cannot start it. Works with Hydra (PMI version 1); does nothing with other
/// launchers.
void abort_before_mpi_init(const LaunchEnvironment& launch, int exit_code);

/// The launcher's world is not what it promised: the command line's fault, hence exit code 2.
class LaunchError : public CommError {
 public:
  using CommError::CommError;
  ExitCode exit_code() const noexcept override { return ExitCode::bad_input; }
};

/// Initialises MPI (thread level FUNNELED or better: only the main thread may communicate) for its
/// lifetime. The CUDA device must have been chosen before. Throws LaunchError when the launcher
/// promised N ranks and MPI made N separate worlds of one (`srun --mpi=none`, a foreign mpiexec,
/// Ubuntu 24.04's mpiexec), naming the remedy; every one of the N processes throws, so print it
/// where launch_environment().rank is 0. GSIM_SINGLE_RANK=1 in the environment allows it.
class MpiSession {
 public:
  MpiSession(int* argc, char*** argv);
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// "MPICH 4.0.2 (MPI 4.0)".
  static std::string library_version();
  /// What MPIX_GPU_query_support (or the library's like) answers for CUDA buffers. A "yes" is a
  /// claim: probe_buffer_path (comm/device_binding.hpp) proves it.
  static bool claims_gpu_awareness();
};

}  // namespace gsim
