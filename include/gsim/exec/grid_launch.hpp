#pragma once
// Launches over three-dimensional ranges on a device, whose threads have coordinates without
// divisions. For kernel sources only, like launch.hpp.

#include "gsim/exec/launch.hpp"

#if defined(__CUDACC__)

GSIM_TARGET_BEGIN

/// The threads of a block, and how many cells each computes one after the other.
struct GridShape {
  unsigned x, y;       ///< threads of a block; consecutive threads compute neighbours along x
  std::int32_t depth;  ///< consecutive cells along z of each thread
};

/// What the threads of a launch read.
enum class GridReads {
  neighbours,  ///< also values of cells that are nearby along y and z
  own          ///< each value once
};

inline constexpr unsigned grid_threads = 256;  ///< of a block

/// The shape for a range of `count` cells. Where neighbours are read, a block has few threads along
/// x and several lines along y, so that the values of a line are read again from the cache of the
/// multiprocessor, as are those of the consecutive cells of a thread along z.
inline GridShape grid_shape(const std::int32_t (&count)[3], GridReads reads) {
  // The widest block that leaves at most an eighth of its threads without cells.
  unsigned x = reads == GridReads::neighbours ? 64 : grid_threads;
  const auto size = static_cast<unsigned>(count[0]);
  while (x > 8 && (size + x - 1) / x * x > size + size / 8) x /= 2;
  const unsigned y = grid_threads / x;
  // Large enough to read most planes once, but with several blocks for each multiprocessor.
  constexpr std::int64_t many_blocks = 4096;
  const std::int64_t blocks =
      std::int64_t{(size + x - 1) / x} * ((static_cast<unsigned>(count[1]) + y - 1) / y) * count[2];
  std::int64_t depth = blocks / many_blocks;
  depth = depth < 1 || reads == GridReads::own ? 1 : depth > 16 ? 16 : depth;
  return {x, y, static_cast<std::int32_t>(depth)};
}

/// `at_once`: cells along z whose loads are executed together.
template <int at_once, class Functor>
__global__ void __launch_bounds__(grid_threads)
    grid_loop(std::int32_t size_x, std::int32_t size_y, std::int32_t size_z, std::int32_t depth,
              const __grid_constant__ Functor functor) {
  const auto x = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= size_x) return;
  for (auto first = static_cast<std::int32_t>(blockIdx.z) * depth; first < size_z;
       first += static_cast<std::int32_t>(gridDim.z) * depth) {
    const std::int32_t last = first + depth < size_z ? first + depth : size_z;
    for (auto y = static_cast<std::int32_t>(blockIdx.y * blockDim.y + threadIdx.y); y < size_y;
         y += static_cast<std::int32_t>(gridDim.y * blockDim.y))
#pragma unroll at_once
      for (std::int32_t z = first; z < last; ++z) functor(x, y, z);
  }
}

/// Calls functor(x, y, z) for all coordinates from 0 to `count`, asynchronously on the executor's
/// stream.
template <GridReads reads = GridReads::neighbours, class Functor>
void launch_grid(const Executor& executor, const char* label, const std::int32_t (&count)[3],
                 const Functor& functor) {
  static_assert(std::is_trivially_copyable_v<Functor>);
  if (count[0] <= 0 || count[1] <= 0 || count[2] <= 0) return;
  const GridShape shape = grid_shape(count, reads);
  constexpr unsigned most = 65535;  // blocks along y and z
  const auto blocks = [](std::int32_t cells, unsigned each) {
    return (static_cast<unsigned>(cells) + each - 1) / each;
  };
  const auto at_most = [](unsigned n) { return n < most ? n : most; };
  const dim3 grid(blocks(count[0], shape.x), at_most(blocks(count[1], shape.y)),
                  at_most(blocks(count[2], static_cast<unsigned>(shape.depth))));
  void* const stream = executor.stream();
  constexpr int at_once = reads == GridReads::neighbours ? 4 : 1;
  grid_loop<at_once><<<grid, dim3(shape.x, shape.y), 0, static_cast<cudaStream_t>(stream)>>>(
      count[0], count[1], count[2], shape.depth, functor);
  launching::check_launch(label, static_cast<int>(cudaGetLastError()), stream);
}

GSIM_TARGET_END

#endif
