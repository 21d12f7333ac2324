#pragma once
// Functions that run on hosts and on devices.

/// Marks a function that runs on both machines. Always inlined, so that no out-of-line copy exists.
#if defined(__CUDACC__)
#define GSIM_HD __host__ __device__ __forceinline__
#else
#define GSIM_HD inline __attribute__((always_inline))
#endif
