#pragma once
// Resources of kernels, as ptxas wrote them into machine code.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace ptxemu {

/// What ptxas assigned to one kernel.
struct KernelResources {
  std::uint32_t registers = 0;     ///< of a thread
  std::uint32_t stack = 0;         ///< bytes of local memory of a thread, with called functions
  std::uint32_t frame = 0;         ///< bytes of the kernel itself
  std::uint32_t shared = 0;        ///< bytes of static shared memory of a block
  std::uint32_t instructions = 0;  ///< number of machine instructions without the final padding
};

/// Reads a cubin, an ELF file of machine code; the result is by kernel name. Throws PtxError for
/// other data.
std::map<std::string, KernelResources> read_cubin(std::string_view file);

}  // namespace ptxemu
