#pragma once
// The life of MPI in this process, and what the launcher made of it.

#include <string>

namespace gsim {

/// What the environment says before MPI is up (Slurm, Hydra, Open MPI, PMIx variables).
struct LaunchEnvironment {
  int local_rank = 0;      ///< rank within the node, 0 without a launcher
  int expected_ranks = 0;  ///< world size that the launcher promised, 0 when it does not say
  std::string launcher;    ///< "srun", "mpiexec (hydra)", … or empty
};
LaunchEnvironment launch_environment();

/// Initialises MPI (thread level FUNNELED or better) for its lifetime. The CUDA device must have
/// been chosen before. Throws CommError when the launcher promised N ranks and MPI made N separate
/// worlds of one (`srun --mpi=none`, Ubuntu 24.04's mpiexec), naming the remedy.
class MpiSession {
 public:
  MpiSession(int* argc, char*** argv);
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// "MPICH 4.0.2 (MPI 4.0)".
  static std::string library_version();
  /// What MPIX_GPU_query_support (or the library's like) answers for CUDA buffers.
  static bool says_gpu_aware();
};

}  // namespace gsim
