// Compiled once for each CPU level and once by nvcc. On the host a line of cells along x is the
// unit of work, whose inner loop fills the vector registers; on the GPU a thread takes a cell, and
// neighbouring threads read neighbouring cells.

#include <gsim/exec/streaming.hpp>

#include "heat_step.hpp"

GSIM_TARGET_BEGIN
namespace heat_kernels {

using ::heat::Cells;
using ::heat::ProjectArgs;
using ::heat::StepArgs;

/// Row of the first cell of line `line`, lines along y being adjacent.
GSIM_HD Index row_of(const Cells& cells, Index line) {
  return cells.first + line % cells.size[1] * cells.stride_y +
         line / cells.size[1] * cells.stride_z;
}

/// `count` cells from `row` on, into `to`. The order of operations is the same everywhere, so that
/// bits are. A field that is the same everywhere stays so exactly: all differences are 0.
struct Step {
  StepArgs args;
  GSIM_HD void cells(Index row, Index count, double* to) const {
    const double* const u = args.from + row;
    const double *const south = u - args.cells.stride_y, *const north = u + args.cells.stride_y;
    const double *const below = u - args.cells.stride_z, *const above = u + args.cells.stride_z;
    const double ex = args.exchange[0], ey = args.exchange[1], ez = args.exchange[2];
#if !defined(__CUDACC__)
#pragma omp simd
#endif
    for (Index i = 0; i < count; ++i) {
      const double c = u[i];
      const double along_x = ex * ((u[i - 1] - c) + (u[i + 1] - c));
      const double along_y = ey * ((south[i] - c) + (north[i] - c));
      const double along_z = ez * ((below[i] - c) + (above[i] - c));
      to[i] = c + ((along_x + along_y) + along_z);
    }
  }
};

struct Project {
  ProjectArgs args;
  GSIM_HD void cells(Index row, Index line, Index x, Index last) const {
    const double yz =
        args.along[1][line % args.cells.size[1]] * args.along[2][line / args.cells.size[1]];
#if !defined(__CUDACC__)
#pragma omp simd
#endif
    for (Index i = x; i < last; ++i)
      args.product[row + i] = (args.from[row + i] - args.background) * (args.along[0][i] * yz);
  }
};

#if defined(__CUDACC__)
/// A cell a thread. Rows are numbered in 31 bits, and divisions of 32 bits are fast.
struct StepCell {
  Step step;
  GSIM_HD void operator()(Index i) const {
    const auto n = static_cast<std::uint32_t>(i);
    const auto size_x = static_cast<std::uint32_t>(step.args.cells.size[0]);
    const auto size_y = static_cast<std::uint32_t>(step.args.cells.size[1]);
    const std::uint32_t line = n / size_x, x = n - line * size_x, z = line / size_y;
    const std::uint32_t y = line - z * size_y;
    const Index row =
        step.args.cells.first + y * step.args.cells.stride_y + z * step.args.cells.stride_z + x;
    step.cells(row, 1, step.args.to + row);
  }
};
struct ProjectCell {
  Project project;
  GSIM_HD void operator()(Index i) const {
    const Cells& cells = project.args.cells;
    const Index line = i / cells.size[0], x = i % cells.size[0];
    project.cells(row_of(cells, line), line, x, x + 1);
  }
};
#else
/// Fields that no cache holds are written past the caches, by way of a buffer that one does hold.
struct StepLine {
  static constexpr Index piece = 512;
  Step step;
  GSIM_HD void operator()(Index line) const {
    const StepArgs& args = step.args;
    const Index first = row_of(args.cells, line), last = first + args.cells.size[0];
    if (!args.is_large) return step.cells(first, last - first, args.to + first);
    alignas(64) double buffer[piece];
    for (Index row = first; row < last; row += piece) {
      const Index count = last - row < piece ? last - row : piece;
      step.cells(row, count, buffer);
      gsim::stream_out(args.to + row, buffer, count);
    }
    gsim::stream_fence();
  }
};
struct ProjectLine {
  Project project;
  GSIM_HD void operator()(Index line) const {
    const Cells& cells = project.args.cells;
    project.cells(row_of(cells, line), line, 0, cells.size[0]);
  }
};
#endif

}  // namespace heat_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(heat_step, ::heat::StepArgs) {
  const Index lines = args.cells.size[1] * args.cells.size[2];
#if defined(__CUDACC__)
  launch(executor, "heat step", lines * args.cells.size[0], heat_kernels::StepCell{{args}});
#else
  launch(executor, "heat step", lines, heat_kernels::StepLine{{args}});
#endif
}

GSIM_DEFINE_LAUNCHER(heat_project, ::heat::ProjectArgs) {
  const Index lines = args.cells.size[1] * args.cells.size[2];
#if defined(__CUDACC__)
  launch(executor, "heat projection", lines * args.cells.size[0],
         heat_kernels::ProjectCell{{args}});
#else
  launch(executor, "heat projection", lines, heat_kernels::ProjectLine{{args}});
#endif
}
