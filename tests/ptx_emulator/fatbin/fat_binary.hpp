#pragma once
// Fat binaries, in which nvcc embeds device code in host objects.

#include <string>

namespace ptxemu {

/// Returns the PTX text in the fat binary that `wrapper`, the argument of __cudaRegisterFatBinary,
/// points to; if there are several, the one for the newest architecture up to `capability`, which
/// is 90 for sm_90. Empty if there is none. Throws PtxError for an unknown container or
/// compression.
std::string extract_ptx(const void* wrapper, int capability);

/// Returns the machine code (cubin) for sm_90 in the fat binary; empty if there is none. Throws as
/// extract_ptx().
std::string extract_cubin(const void* wrapper);

}  // namespace ptxemu
