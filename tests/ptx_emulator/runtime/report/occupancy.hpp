#pragma once
// Occupancy of a multiprocessor.

#include <algorithm>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace ptxemu {

/// Number of warps of `registers` registers per thread that the register file of a multiprocessor
/// holds: each of its four parts allocates 256 registers at a time.
inline std::uint64_t warps_by_registers(const cudaDeviceProp& p, std::uint64_t registers) {
  if (registers == 0) return ~std::uint64_t{0};
  const std::uint64_t of_warp = (registers * 32 + 255) / 256 * 256;
  return static_cast<std::uint64_t>(p.regsPerMultiprocessor) / 4 / of_warp * 4;
}

/// Number of blocks that a multiprocessor holds, as limited by warps, registers, shared memory and
/// the number of blocks. `registers` of a thread are 0 where they are unknown, and then do not
/// limit; `shared` bytes of a block are static and dynamic ones.
inline int resident_blocks(const cudaDeviceProp& p, std::uint64_t threads, std::uint64_t registers,
                           std::uint64_t shared) {
  const std::uint64_t warps = std::max<std::uint64_t>((threads + 31) / 32, 1);
  const auto max_warps = static_cast<std::uint64_t>(p.maxThreadsPerMultiProcessor) / 32;
  const std::uint64_t bytes = (shared + p.reservedSharedMemPerBlock + 127) / 128 * 128;
  return static_cast<int>(std::min({max_warps / warps, warps_by_registers(p, registers) / warps,
                                    std::uint64_t{p.sharedMemPerMultiprocessor} / bytes,
                                    static_cast<std::uint64_t>(p.maxBlocksPerMultiProcessor)}));
}

}  // namespace ptxemu
