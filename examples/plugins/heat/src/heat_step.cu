// Compiled once for each CPU level and once by nvcc. On the host four lines along x, one above the
// other, are worked on together, a few registers of cells at a time; on the GPU a thread takes a
// cell, and neighbouring threads read neighbouring cells.

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

struct StepCell {
  StepArgs args;
  GSIM_HD double at(Index x, Index y, Index z) const {
    const Block& block = args.block;
    const double* const line = args.from + row_of(block, y, z);
    return advanced(args, line[x], line[next_to(block, 0, x, -1)], line[next_to(block, 0, x, 1)],
                    args.from[row_of(block, next_to(block, 1, y, -1), z) + x],
                    args.from[row_of(block, next_to(block, 1, y, 1), z) + x],
                    args.from[row_of(block, y, next_to(block, 2, z, -1)) + x],
                    args.from[row_of(block, y, next_to(block, 2, z, 1)) + x]);
  }
#if defined(__CUDACC__)
  GSIM_HD void operator()(Index i) const {
    const auto n = static_cast<std::uint32_t>(i);  // rows are numbered in 31 bits
    const auto size_x = static_cast<std::uint32_t>(args.part.size[0]);
    const auto size_y = static_cast<std::uint32_t>(args.part.size[1]);
    const std::uint32_t line = n / size_x;
    const Index x = args.part.lo[0] + (n - line * size_x);
    const Index y = args.part.lo[1] + line % size_y, z = args.part.lo[2] + line / size_y;
    args.to[row_of(args.block, y, z) + x] = at(x, y, z);
  }
#endif
};

#if !defined(__CUDACC__)
/// Lines of several planes at a time: each is read once for all of them, and memory has several
/// streams to bring.
struct StepLines {
  static constexpr Index planes = 4;
  static constexpr Index piece = 16;  // cells of a line that are worked on at a time
  StepArgs args;

  GSIM_HD const double* line(Index y, Index z) const {
    return args.from + row_of(args.block, y, z);
  }

  template <Index count>
  GSIM_HD void advance(Index y, Index z) const {
    const Block& block = args.block;
    const double* from[count + 2];  // from below the first plane to above the last
    const double *south[count], *north[count];
    double* to[count];
    for (Index k = 0; k < count; ++k) {
      from[k + 1] = line(y, z + k);
      south[k] = line(next_to(block, 1, y, -1), z + k);
      north[k] = line(next_to(block, 1, y, 1), z + k);
      to[k] = args.to + row_of(block, y, z + k);
    }
    from[0] = line(y, next_to(block, 2, z, -1));
    from[count + 1] = line(y, next_to(block, 2, z + count - 1, 1));
    const Index last = args.part.lo[0] + args.part.size[0];
    for (Index x = args.part.lo[0]; x < last; x += piece) {
      // As many cells as may be: those at the ends of a line that wraps, and cells beyond the end,
      // are not what they should be.
      alignas(64) double buffer[count][piece];
      for (Index k = 1; k < count + 2; ++k)
        gsim::stream_ahead(from[k] + block.stride_y + x, piece);  // for the line after this one
#pragma omp simd
      for (Index i = 0; i < piece; ++i)
        for (Index k = 0; k < count; ++k) {
          const double* const u = from[k + 1] + x;
          buffer[k][i] = advanced(args, u[i], u[i - 1], u[i + 1], south[k][x + i], north[k][x + i],
                                  from[k][x + i], from[k + 2][x + i]);
        }
      const Index cells = last - x < piece ? last - x : piece;
      for (Index k = 0; k < count; ++k) {
        if (x == 0) buffer[k][0] = StepCell{args}.at(0, y, z + k);
        if (x + cells == block.size[0])
          buffer[k][cells - 1] = StepCell{args}.at(x + cells - 1, y, z + k);
        store(to[k] + x, buffer[k], cells);
      }
    }
  }

  /// Fields that no cache holds are written past the caches.
  GSIM_HD void store(double* to, const double* from, Index count) const {
    if (args.is_large) return gsim::stream_out(to, from, count);
    for (Index i = 0; i < count; ++i) to[i] = from[i];
  }

  GSIM_HD void operator()(Index n) const {
    const Index y = args.part.lo[1] + n % args.part.size[1];
    const Index first = n / args.part.size[1] * planes, left = args.part.size[2] - first;
    const Index z = args.part.lo[2] + first;
    if (left >= planes) {
      advance<planes>(y, z);
    } else {
      for (Index k = 0; k < left; ++k) advance<1>(y, z + k);
    }
    gsim::stream_fence();
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
  using heat_kernels::StepLines;
  const Index groups = (args.part.size[2] + StepLines::planes - 1) / StepLines::planes;
  launch(executor, "heat step", groups * args.part.size[1], StepLines{args});
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
