#pragma once
// Fat binaries, in which nvcc embeds device code in host objects.

#include <string>

namespace ptxemu {

/// The PTX text in the fat binary that `wrapper`, the argument of __cudaRegisterFatBinary, points
/// to; of several, the one for the newest architecture up to sm_90. Empty where it has none. Throws
/// PtxError for a container or a compression that is not known.
std::string extract_ptx(const void* wrapper);

}  // namespace ptxemu
