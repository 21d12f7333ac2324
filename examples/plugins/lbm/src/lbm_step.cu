// Compiled once for each CPU level and once by nvcc. On the host a piece of a line of cells along x
// is brought into a buffer in the fastest cache, population by population, collides there, a
// register of cells at a time, and is sent off past the caches; on the GPU a thread takes a cell,
// and neighbouring threads read neighbouring cells.

#include <gsim/exec/streaming.hpp>

#include "collide.hpp"

GSIM_TARGET_BEGIN
namespace lbm_kernels {

using ::lbm::End;
using ::lbm::opposite;
using ::lbm::populations;
using ::lbm::StepArgs;

/// Where a population of the cells of one line comes from: another line, or that of the opposite
/// population of the same cells, and what a wall that moves adds.
struct Source {
  const double* line;
  bool is_wall;
  double moving;
};

struct Step {
  StepArgs args;

  GSIM_HD Index row(Index y, Index z) const {
    return args.block.first + y * args.block.stride_y + z * args.block.stride_z;
  }

  /// Whether `place` along `axis` is beyond an end with a wall; wraps it where it shall be.
  GSIM_HD bool is_beyond_wall(int axis, Index& place, int& side) const {
    const Index size = args.block.size[axis];
    if (place >= 0 && place < size) return false;
    side = place < 0 ? 0 : 1;
    const End end = args.block.end[axis][side];
    if (end == End::wrap) place += side == 0 ? size : -size;
    return end == End::wall;
  }

  GSIM_HD Source source(int i, Index y, Index z) const {
    Index from_y = y - args.direction[i][1], from_z = z - args.direction[i][2];
    int side_y = 0, side_z = 0;
    const bool is_wall_y = is_beyond_wall(1, from_y, side_y);
    const bool is_wall_z = is_beyond_wall(2, from_z, side_z);
    if (is_wall_y || is_wall_z)
      return {args.from[opposite(i)] + row(y, z), true,
              is_wall_y && is_wall_z ? 0
              : is_wall_z            ? args.moving[2][side_z][i]
                                     : args.moving[1][side_y][i]};
    return {args.from[i] + row(from_y, from_z), false, 0};
  }

  /// Population i of cell x of a line.
  GSIM_HD double arriving(const Source& s, int i, Index x, Index y, Index z) const {
    Index from_x = x - args.direction[i][0];
    int side = 0;
    const bool is_wall_x = is_beyond_wall(0, from_x, side);
    if (s.is_wall) return s.line[x] + (is_wall_x ? 0 : s.moving);
    if (is_wall_x) return args.from[opposite(i)][row(y, z) + x] + args.moving[0][side][i];
    return s.line[from_x];
  }
};

#if defined(__CUDACC__)
struct StepCell {
  Step step;
  GSIM_HD void operator()(Index n) const {
    const StepArgs& args = step.args;
    const auto i = static_cast<std::uint32_t>(n);  // rows are numbered in 31 bits
    const auto size_x = static_cast<std::uint32_t>(args.part.size[0]);
    const auto size_y = static_cast<std::uint32_t>(args.part.size[1]);
    const std::uint32_t line = i / size_x;
    const Index x = args.part.lo[0] + (i - line * size_x);
    const Index y = args.part.lo[1] + line % size_y, z = args.part.lo[2] + line / size_y;
    double f[populations];
#pragma unroll
    for (int k = 0; k < populations; ++k) f[k] = step.arriving(step.source(k, y, z), k, x, y, z);
    collide(f, 1, args.relaxation);
    const Index row = step.row(y, z) + x;
#pragma unroll
    for (int k = 0; k < populations; ++k) args.to[k][row] = f[k];
  }
};
#else
struct StepLine {
  static constexpr Index piece = 128;  // 19 KB
  Step step;

  /// Cells [x, x + count) of population i, into `to`.
  GSIM_HD void gather(double* to, int i, Index x, Index count, Index y, Index z) const {
    const Source s = step.source(i, y, z);
    const ::lbm::Block& block = step.args.block;
    const Index shift = step.args.direction[i][0];
    // The cells at the ends of a line are apart where something else than a cell is beyond.
    const bool is_first_apart = shift > 0 && x == 0 && block.end[0][0] != End::cells;
    const bool is_last_apart =
        shift < 0 && x + count == block.size[0] && block.end[0][1] != End::cells;
    const Index first = is_first_apart ? 1 : 0, last = is_last_apart ? count - 1 : count;
    const double* const from = s.line + x - (s.is_wall ? 0 : shift);
    if (s.is_wall) {
#pragma omp simd
      for (Index k = first; k < last; ++k) to[k] = from[k] + s.moving;
    } else {
#pragma omp simd
      for (Index k = first; k < last; ++k) to[k] = from[k];
    }
    if (is_first_apart) to[0] = step.arriving(s, i, 0, y, z);
    if (is_last_apart) to[count - 1] = step.arriving(s, i, x + count - 1, y, z);
    // What the next line needs of this population: 19 streams are more than a core follows.
    gsim::stream_ahead(s.line + block.stride_y + x, count);
  }

  GSIM_HD void operator()(Index line) const {
    const StepArgs& args = step.args;
    const Index y = args.part.lo[1] + line % args.part.size[1];
    const Index z = args.part.lo[2] + line / args.part.size[1];
    alignas(64) double buffer[populations * piece];
    const Index last = args.part.lo[0] + args.part.size[0];
    for (Index x = args.part.lo[0]; x < last; x += piece) {
      const Index count = last - x < piece ? last - x : piece;
      for (int i = 0; i < populations; ++i) gather(buffer + i * piece, i, x, count, y, z);
#pragma omp simd
      for (Index k = 0; k < count; ++k) collide(buffer + k, piece, args.relaxation);
      for (int i = 0; i < populations; ++i)
        gsim::stream_out(args.to[i] + step.row(y, z) + x, buffer + i * piece, count);
    }
    gsim::stream_fence();
  }
};
#endif

}  // namespace lbm_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(lbm_step, ::lbm::StepArgs) {
  const Index lines = args.part.size[1] * args.part.size[2];
#if defined(__CUDACC__)
  launch(executor, "lattice Boltzmann step", lines * args.part.size[0],
         lbm_kernels::StepCell{{args}});
#else
  launch(executor, "lattice Boltzmann step", lines, lbm_kernels::StepLine{{args}});
#endif
}
