#pragma once
// Kernels for runs without rare features of geometries and tallies.

#include "gsim/core/host_device.hpp"
#include "gsim/math/target.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Whether this code belongs to a kernel that is only for simple geometries
/// (GeometryView::is_simple) and for tallies without cylindrical meshes. Code for what such runs do
/// not have would need registers, so that others would be spilled. The source of such a kernel
/// defines GSIM_TRANSPORT_SIMPLE_KERNEL before its first #include. Its host code is that of all
/// other sources, and its device code is not linked with theirs.
#if defined(__CUDA_ARCH__) && defined(GSIM_TRANSPORT_SIMPLE_KERNEL)
inline constexpr bool is_simple_kernel = true;
#else
inline constexpr bool is_simple_kernel = false;
#endif

}  // namespace transport_kernels
GSIM_TARGET_END
