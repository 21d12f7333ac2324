#pragma once
// Functions of kernels that are not inlined.

#include "gsim/core/host_device.hpp"
#include "gsim/math/target.hpp"

/// Marks long functions that are rarely called.
#if defined(__CUDACC__)
#define GSIM_TRANSPORT_NOINLINE inline __host__ __device__ __noinline__
#else
#define GSIM_TRANSPORT_NOINLINE inline __attribute__((noinline))
#endif

/// Marks long functions that are rarely called and change the state of a history. On a device they
/// are inlined: the object that refers to the state is in registers only as long as no called
/// function has its address.
#if defined(__CUDACC__)
#define GSIM_TRANSPORT_HOST_NOINLINE GSIM_HD
#else
#define GSIM_TRANSPORT_HOST_NOINLINE GSIM_TRANSPORT_NOINLINE
#endif

/// Marks functions that are inlined on hosts, and on devices, where they would enlarge kernels and
/// need registers, are not.
#if defined(__CUDACC__)
#define GSIM_TRANSPORT_DEVICE_NOINLINE GSIM_TRANSPORT_NOINLINE
#else
#define GSIM_TRANSPORT_DEVICE_NOINLINE GSIM_HD
#endif

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Whether code is compiled for a device; and how functions that are not inlined receive a `T`: by
/// reference on hosts and by value on devices, where a variable is in registers only as long as its
/// address is not used. Vectors are received by value on hosts, too, since the loops that rarely
/// call such functions would otherwise keep them in memory.
#if defined(__CUDACC__)
inline constexpr bool is_device = true;
template <class T>
using Argument = T;
#else
inline constexpr bool is_device = false;
template <class T>
using Argument = const T&;
#endif

/// Returns an integer, boolean or enumerator. On a device it hides from the compiler how the value
/// was computed, so that the code behind it is not compiled separately for each path. Lanes that
/// have computed it on different paths can then converge here; no result depends on it.
template <class T>
GSIM_HD T converged(T value) {
#if defined(__CUDA_ARCH__)
  int bits = static_cast<int>(value);
  asm volatile("" : "+r"(bits));
  return static_cast<T>(bits);
#else
  return value;
#endif
}

}  // namespace transport_kernels
GSIM_TARGET_END
