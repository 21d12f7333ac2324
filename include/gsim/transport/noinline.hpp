#pragma once
// Functions of kernels that are not inlined.

#include "gsim/core/host_device.hpp"

/// Marks long functions that are rarely called.
#if defined(__CUDACC__)
#define GSIM_TRANSPORT_NOINLINE inline __host__ __device__ __noinline__
#else
#define GSIM_TRANSPORT_NOINLINE inline __attribute__((noinline))
#endif
