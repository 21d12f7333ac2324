#pragma once
// Functions that are compiled for the host and for devices.

/// Marks a function for both host and device. Always inlined, so that no out-of-line copy exists.
#if defined(__CUDACC__)
#define GSIM_HD __host__ __device__ __forceinline__
#else
#define GSIM_HD inline __attribute__((always_inline))
#endif
