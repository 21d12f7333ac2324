#pragma once
// Managed memory: host memory that kernels access at the same addresses.

namespace ptxemu {

/// Whether the pointer is in memory of cudaMallocManaged().
bool is_managed(const void* pointer);
/// Frees memory of cudaMallocManaged(); returns false if the pointer is not the start of it.
bool release_managed(void* pointer);

}  // namespace ptxemu
