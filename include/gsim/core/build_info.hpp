#pragma once
// Version, compiler and options of this build, for `gsim version`, `gsim info` and the provenance
// of results.

#include <string>

namespace gsim {

struct BuildInfo {
  std::string version;  ///< "0.1.0"
  /// Short hash of the commit, with "+" appended if files differed from it; "unknown" without git.
  std::string git_hash;
  std::string compiler;            ///< "GNU 12.2.0"
  std::string build_type;          ///< "Release"
  std::string flags;               ///< compiler flags of kernels without those of a CPU level
  std::string cpu_levels;          ///< "avx2 avx512": the CPU levels that kernels are compiled for
  std::string cuda_version;        ///< version of nvcc; empty in a build without CUDA
  std::string cuda_architectures;  ///< "90"; empty in a build without CUDA
  std::string mpi;         ///< MPI library found at configure time: "MPICH", "Open MPI" or empty
  std::string mpiexec;     ///< launcher found at configure time: "/usr/bin/mpiexec.mpich" or empty
  std::string sanitizers;  ///< "address,undefined"; usually empty
  std::string assertions;  ///< "on" in debug builds, else "off"
};

const BuildInfo& build_info();

}  // namespace gsim
