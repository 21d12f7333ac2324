// Compiled once for each CPU level and once by nvcc. On the host a line of cells along x is the
// unit of work, a few registers of cells at a time; on the GPU a thread takes a cell, and
// neighbouring threads read neighbouring cells.

#include <gsim/exec/streaming.hpp>

#include "heat_step.hpp"

GSIM_TARGET_BEGIN
namespace heat_kernels {

using ::heat::Block;
using ::heat::ProjectArgs;
using ::heat::StepArgs;

GSIM_HD Index row_of(const Block& block, Index y, Index z) {
  return block.first + y * block.stride_y + z * block.stride_z;
}

/// The place next to `place` along an axis, on side `step` (-1 or 1).
GSIM_HD Index next_to(const Block& block, int axis, Index place, Index step) {
  const Index next = place + step, size = block.size[axis];
  if (!block.wraps[axis] || (next >= 0 && next < size)) return next;
  return next - step * size;
}

/// The temperature one step on of a cell with temperature c. The order of operations is the same
/// everywhere, so that bits are. A field that is the same everywhere stays so exactly: all
/// differences are 0.
GSIM_HD double advanced(const StepArgs& args, double c, double west, double east, double south,
                        double north, double below, double above) {
  const double twice = c + c;
  const double along_x = args.exchange[0] * ((west + east) - twice);
  const double along_y = args.exchange[1] * ((south + north) - twice);
  const double along_z = args.exchange[2] * ((below + above) - twice);
  return c + ((along_x + along_y) + along_z);
}

#if defined(__CUDACC__)
struct StepCell {
  StepArgs args;
  GSIM_HD void operator()(Index i) const {
    const Block& block = args.block;
    const auto n = static_cast<std::uint32_t>(i);  // rows are numbered in 31 bits
    const auto size_x = static_cast<std::uint32_t>(args.part.size[0]);
    const auto size_y = static_cast<std::uint32_t>(args.part.size[1]);
    const std::uint32_t line = n / size_x;
    const Index x = args.part.lo[0] + (n - line * size_x);
    const Index y = args.part.lo[1] + line % size_y, z = args.part.lo[2] + line / size_y;
    const Index row = row_of(block, y, z);
    const double* const u = args.from + row;
    args.to[row + x] = advanced(args, u[x], u[next_to(block, 0, x, -1)], u[next_to(block, 0, x, 1)],
                                args.from[row_of(block, next_to(block, 1, y, -1), z) + x],
                                args.from[row_of(block, next_to(block, 1, y, 1), z) + x],
                                args.from[row_of(block, y, next_to(block, 2, z, -1)) + x],
                                args.from[row_of(block, y, next_to(block, 2, z, 1)) + x]);
  }
};
#else
struct StepLine {
  static constexpr Index piece = 32;  // cells that are worked on at a time
  StepArgs args;

  GSIM_HD const double* line(Index y, Index z) const {
    return args.from + row_of(args.block, y, z);
  }

  GSIM_HD void operator()(Index n) const {
    const Block& block = args.block;
    const Index y = args.part.lo[1] + n % args.part.size[1];
    const Index z = args.part.lo[2] + n / args.part.size[1];
    const double* const u = line(y, z);
    const double* const south = line(next_to(block, 1, y, -1), z);
    const double* const north = line(next_to(block, 1, y, 1), z);
    const double* const below = line(y, next_to(block, 2, z, -1));
    const double* const above = line(y, next_to(block, 2, z, 1));
    double* const to = args.to + row_of(block, y, z);
    const auto cell = [&](Index x, Index west, Index east) {
      return advanced(args, u[x], u[west], u[east], south[x], north[x], below[x], above[x]);
    };
    const Index size = block.size[0];
    // Cells [x, x + count), those at the ends of a line that wraps apart.
    const auto advance = [&](Index x, Index count, double* cells) {
#pragma omp simd
      for (Index i = 0; i < count; ++i) cells[i] = cell(x + i, x + i - 1, x + i + 1);
      if (!block.wraps[0]) return;
      if (x == 0) cells[0] = cell(0, size - 1, size > 1 ? 1 : 0);
      if (x + count == size) cells[count - 1] = cell(size - 1, size > 1 ? size - 2 : 0, 0);
    };
    const Index first = args.part.lo[0], last = first + args.part.size[0];
    if (!args.is_large) return advance(first, last - first, to + first);
    // Fields that no cache holds are written past the caches.
    for (Index x = first; x < last; x += piece) {
      gsim::stream_ahead(u + block.stride_y + x, piece);  // for the line after this one
      gsim::stream_ahead(above + block.stride_y + x, piece);
      alignas(64) double buffer[piece];
      const Index count = last - x < piece ? last - x : piece;
      advance(x, count, buffer);
      gsim::stream_out<piece>(to + x, buffer, count);
    }
  }
};
#endif

struct Project {
  ProjectArgs args;
  /// Cells [x, last) of a line, lines along y being adjacent.
  GSIM_HD void cells(Index line, Index x, Index last) const {
    const Index y = line % args.block.size[1], z = line / args.block.size[1];
    const Index row = row_of(args.block, y, z);
    const double yz = args.along[1][y] * args.along[2][z];
#if !defined(__CUDACC__)
#pragma omp simd
#endif
    for (Index i = x; i < last; ++i)
      args.product[row + i] = (args.from[row + i] - args.background) * (args.along[0][i] * yz);
  }
  GSIM_HD void operator()(Index i) const {
    const Index size = args.block.size[0];
#if defined(__CUDACC__)
    cells(i / size, i % size, i % size + 1);
#else
    cells(i, 0, size);
#endif
  }
};

}  // namespace heat_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(heat_step, ::heat::StepArgs) {
#if defined(__CUDACC__)
  launch(executor, "heat step", args.part.size[0] * args.part.size[1] * args.part.size[2],
         heat_kernels::StepCell{args});
#else
  launch(executor, "heat step", args.part.size[1] * args.part.size[2],
         heat_kernels::StepLine{args});
#endif
}

GSIM_DEFINE_LAUNCHER(heat_project, ::heat::ProjectArgs) {
  const Index lines = args.block.size[1] * args.block.size[2];
#if defined(__CUDACC__)
  launch(executor, "heat projection", lines * args.block.size[0], heat_kernels::Project{args});
#else
  launch(executor, "heat projection", lines, heat_kernels::Project{args});
#endif
}
