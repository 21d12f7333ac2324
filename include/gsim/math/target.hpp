#pragma once
// Compilation of one source for several targets. A kernel source is compiled once per target: by
// the host compiler for each CPU level (base, avx2, avx512) and by nvcc (cuda). All objects are in
// one library, so everything that is compiled per target is in an inline namespace named after it:
// two targets never share a symbol, and the linker never replaces the code of one target by that of
// another.
//
// The build defines GSIM_TARGET for kernel sources. Ordinary host code (tests, set-up code) is
// compiled for the target `host`.

#include "gsim/core/host_device.hpp"

#ifndef GSIM_TARGET
#if defined(__CUDACC__)
#define GSIM_TARGET cuda
#else
#define GSIM_TARGET host
#endif
#endif

/// Opens and closes the namespace of everything that is compiled once per target.
#define GSIM_TARGET_BEGIN \
  namespace gsim {        \
  inline namespace GSIM_TARGET {
#define GSIM_TARGET_END \
  }                     \
  }
