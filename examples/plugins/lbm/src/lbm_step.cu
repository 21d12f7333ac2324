// Compiled once for each CPU level and once by nvcc. On the host a few registers of cells of a line
// along x are brought together, collide, and are sent off past the caches, while those that come
// next are asked for; on the GPU a thread takes a cell, and neighbouring threads read neighbouring
// cells.

#include <gsim/exec/streaming.hpp>

#include "collide.hpp"

GSIM_TARGET_BEGIN
namespace lbm_kernels {

using ::lbm::End;
using ::lbm::opposite;
using ::lbm::populations;
using ::lbm::StepArgs;

/// Where a population of the cells of one line comes from, a neighbour or the wall beside the line:
/// line[x] + moving arrives at cell x, but at an end of the line, where something else than a cell
/// is beyond.
struct Source {
  const double* line;
  double moving;  ///< what a wall that moves adds
  bool is_wall;
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
    if (!is_wall_y && !is_wall_z)
      return {args.from[i] + row(from_y, from_z) - args.direction[i][0], 0, false};
    const double moving = is_wall_y && is_wall_z ? 0
                          : is_wall_z            ? args.moving[2][side_z][i]
                                                 : args.moving[1][side_y][i];
    return {args.from[opposite(i)] + row(y, z), moving, true};
  }

  /// Population i of cell x of a line.
  GSIM_HD double arriving(const Source& s, int i, Index x, Index y, Index z) const {
    Index from_x = x - args.direction[i][0];
    int side = 0;
    const bool is_wall_x = is_beyond_wall(0, from_x, side);
    if (s.is_wall) return s.line[x] + (is_wall_x ? 0 : s.moving);
    if (is_wall_x) return args.from[opposite(i)][row(y, z) + x] + args.moving[0][side][i];
    return s.line[from_x + args.direction[i][0]] + s.moving;
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
    const Index row = step.row(y, z) + x;
    collide(
        args.relaxation, [&](int k) { return f[k]; },
        [&](int k, double value) { args.to[k][row] = value; });
  }
};
#else
struct StepLine {
  static constexpr Index piece = 16;  // cells that collide together
  static constexpr Index ahead = 32;  // cells: how far it is to those that are asked for
  Step step;

  /// Population i of the cells from x on, as many as may be, in `room`: those at the ends of the
  /// line are right, too, cells beyond it are not what they should be.
  GSIM_HD void bring(double* room, const Source& source, int i, Index x, Index y, Index z) const {
    const Index size = step.args.block.size[0], shift = step.args.direction[i][0];
    const double* const from = source.line + x;
#pragma omp simd
    for (Index k = 0; k < piece; ++k) room[k] = from[k] + source.moving;
    if (shift > 0 && x == 0) room[0] = step.arriving(source, i, 0, y, z);
    if (shift < 0 && x < size && size <= x + piece)
      room[size - 1 - x] = step.arriving(source, i, size - 1, y, z);
  }

  GSIM_HD void operator()(Index line) const {
    const StepArgs& args = step.args;
    const Index y = args.part.lo[1] + line % args.part.size[1];
    const Index z = args.part.lo[2] + line / args.part.size[1];
    Source sources[populations];
    bool is_beside_wall = false;
    for (int i = 0; i < populations; ++i) {
      sources[i] = step.source(i, y, z);
      is_beside_wall = is_beside_wall || sources[i].is_wall;
    }
    const Index row = step.row(y, z), size = args.block.size[0];
    const Index last = args.part.lo[0] + args.part.size[0];
    for (Index x = args.part.lo[0]; x < last; x += piece) {
      // Away from walls and the ends of lines populations are read where they are.
      const bool is_plain = !is_beside_wall && x > 0 && x + piece < size;
      alignas(64) double room[populations][piece], leaving[populations][piece];
      const double* arriving[populations];
      for (int i = 0; i < populations; ++i) {
        arriving[i] = sources[i].line + x;
        gsim::stream_ahead(arriving[i] + ahead, piece);
        if (is_plain) continue;
        bring(room[i], sources[i], i, x, y, z);
        arriving[i] = room[i];
      }
#pragma omp simd
      for (Index k = 0; k < piece; ++k)
        collide(
            args.relaxation, [&](int i) { return arriving[i][k]; },
            [&](int i, double value) { leaving[i][k] = value; });
      const Index count = last - x < piece ? last - x : piece;
      for (int i = 0; i < populations; ++i)
        gsim::stream_out<piece>(args.to[i] + row + x, leaving[i], count);
    }
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
