// Compiled once for each CPU level and once by nvcc. On the host a piece of a line along x, a few
// registers of cells, is computed at a time and written with non-temporal stores, while the next
// pieces are prefetched. On the GPU each thread computes one cell, and neighbouring threads read
// neighbouring cells.

#include <utility>

#include <gsim/exec/grid_launch.hpp>
#include <gsim/exec/streaming.hpp>

#include "collide.hpp"

GSIM_TARGET_BEGIN
namespace lbm_kernels {

using ::lbm::End;
using ::lbm::opposite;
using ::lbm::populations;
using ::lbm::StepArgs;

/// Where a population of the cells of one line comes from: a neighbouring line, or the wall beside
/// the line. line[x] + wall_momentum arrives at cell x, except at an end of the line beyond which
/// there is no cell.
struct Source {
  const double* line;
  double wall_momentum;  ///< added by a moving wall
  bool is_wall;
};

struct Step {
  StepArgs args;

  GSIM_HD Index row(Index y, Index z) const {
    return args.block.first + y * args.block.stride_y + z * args.block.stride_z;
  }

  /// Whether `coordinate` along `axis` is beyond an end with a wall; wraps it on periodic axes.
  GSIM_HD bool is_beyond_wall(int axis, Index& coordinate, int& side) const {
    const Index size = args.block.size[axis];
    if (coordinate >= 0 && coordinate < size) return false;
    side = coordinate < 0 ? 0 : 1;
    const End end = args.block.end[axis][side];
    if (end == End::wrap) coordinate += side == 0 ? size : -size;
    return end == End::wall;
  }

  GSIM_HD Source source(int i, Index y, Index z) const {
    Index from_y = y - args.direction[i][1], from_z = z - args.direction[i][2];
    int side_y = 0, side_z = 0;
    const bool is_wall_y = is_beyond_wall(1, from_y, side_y);
    const bool is_wall_z = is_beyond_wall(2, from_z, side_z);
    if (!is_wall_y && !is_wall_z)
      return {args.from[i] + row(from_y, from_z) - args.direction[i][0], 0, false};
    const double wall_momentum = is_wall_y && is_wall_z ? 0
                                 : is_wall_z            ? args.wall_momentum[2][side_z][i]
                                                        : args.wall_momentum[1][side_y][i];
    return {args.from[opposite(i)] + row(y, z), wall_momentum, true};
  }

  /// Population i of cell x of a line.
  GSIM_HD double arriving(const Source& s, int i, Index x, Index y, Index z) const {
    Index from_x = x - args.direction[i][0];
    int side = 0;
    const bool is_wall_x = is_beyond_wall(0, from_x, side);
    if (s.is_wall) return s.line[x] + (is_wall_x ? 0 : s.wall_momentum);
    if (is_wall_x) return args.from[opposite(i)][row(y, z) + x] + args.wall_momentum[0][side][i];
    return s.line[from_x + args.direction[i][0]] + s.wall_momentum;
  }
};

#if defined(__CUDACC__)
struct StepCell {
  Step step;
  CollisionFactors rates;

  StepCell(const StepArgs& args, const CollisionFactors& collision)
      : step{args}, rates(collision) {}

  /// Whether no population of the cell comes from a wall.
  GSIM_HD bool is_away_from_walls(const std::int32_t (&place)[3]) const {
    bool is_away = true;
    for (int a = 0; a < 3; ++a) {
      const ::lbm::Block& block = step.args.block;
      const auto last = static_cast<std::int32_t>(block.size[a]) - 1;
      is_away = is_away && (place[a] > 0 || block.end[a][0] != End::wall) &&
                (place[a] < last || block.end[a][1] != End::wall);
    }
    return is_away;
  }

  /// Row offsets along one axis to the cells from which populations arrive that move towards higher
  /// and towards lower coordinates.
  struct Neighbours {
    std::int32_t below, above;
    template <int direction>
    GSIM_HD std::int32_t source() const {
      return direction > 0 ? below : direction < 0 ? above : 0;
    }
  };
  GSIM_HD Neighbours neighbours(int axis, std::int32_t place, Index stride) const {
    const ::lbm::Block& block = step.args.block;
    const auto one = static_cast<std::int32_t>(stride);
    const auto last = static_cast<std::int32_t>(block.size[axis]) - 1;
    const bool wraps_below = place == 0 && block.end[axis][0] == End::wrap;
    const bool wraps_above = place == last && block.end[axis][1] == End::wrap;
    return {wraps_below ? one * last : -one, wraps_above ? -one * last : one};
  }

  /// The populations that arrive at a cell away from walls. The directions are constants, so that
  /// an address takes two additions.
  template <int... k>
  GSIM_HD void stream(std::int32_t row, const std::int32_t (&place)[3], double* f,
                      std::integer_sequence<int, k...>) const {
    const StepArgs& args = step.args;
    const Neighbours x = neighbours(0, place[0], 1),
                     y = neighbours(1, place[1], args.block.stride_y),
                     z = neighbours(2, place[2], args.block.stride_z);
    ((f[k] =
          args.from[k][row + x.source<::lbm::directions[k][0]>() +
                       y.source<::lbm::directions[k][1]>() + z.source<::lbm::directions[k][2]>()]),
     ...);
  }

  GSIM_HD void operator()(std::int32_t x, std::int32_t y, std::int32_t z) const {
    const StepArgs& args = step.args;
    const std::int32_t place[3] = {x + static_cast<std::int32_t>(args.part.lo[0]),
                                   y + static_cast<std::int32_t>(args.part.lo[1]),
                                   z + static_cast<std::int32_t>(args.part.lo[2])};
    const auto row = static_cast<std::int32_t>(step.row(place[1], place[2])) + place[0];
    double f[populations];
    if (is_away_from_walls(place)) {
      stream(row, place, f, std::make_integer_sequence<int, populations>{});
    } else {
      // Not unrolled: cells beside walls are few, and the code would be several times as long.
      double arrived[populations];
#pragma unroll 1
      for (int k = 0; k < populations; ++k)
        arrived[k] =
            step.arriving(step.source(k, place[1], place[2]), k, place[0], place[1], place[2]);
#pragma unroll
      for (int k = 0; k < populations; ++k) f[k] = arrived[k];
    }
    const AddedTerms<double> to = added_terms(rates, sums_of([&](int k) { return f[k]; }));
    args.to[0][row] = rates.rest_kept * f[0] + to.rest;
#pragma unroll
    for (int k = 0; k < pairs; ++k) {
      const int first = 2 * k + 1, second = first + 1;
      relax_pair(rates, to.even[k], to.odd[k], f[first], f[second]);
      args.to[first][row] = f[first];
      args.to[second][row] = f[second];
    }
  }
};
#else
struct StepLine {
  static constexpr Index piece = 16;  // cells that are computed together
  using Cells = gsim::packed<double>;
  static constexpr Index lanes = gsim::lanes_of<Cells>;
  static constexpr Index prefetch_distance = 32;  // prefetch distance in cells
  Step step;

  /// Whether population i of the cells from x on can be read directly from `source.line`: away from
  /// walls, and not at the end of the line from which it streams.
  GSIM_HD bool is_readable(const Source& source, int i, Index x) const {
    const Index size = step.args.block.size[0], shift = step.args.direction[i][0];
    return !source.is_wall && !(shift > 0 && x == 0) && !(shift < 0 && size <= x + piece);
  }

  /// Copies population i of the cells from x on, at most one piece, to `buffer`, with the right
  /// values at the ends of the line. Values beyond the line are undefined.
  GSIM_HD void copy_piece(double* buffer, const Source& source, int i, Index x, Index y,
                          Index z) const {
    const Index size = step.args.block.size[0], shift = step.args.direction[i][0];
    const double* const from = source.line + x;
#pragma omp simd
    for (Index k = 0; k < piece; ++k) buffer[k] = from[k] + source.wall_momentum;
    if (shift > 0 && x == 0) buffer[0] = step.arriving(source, i, 0, y, z);
    if (shift < 0 && x < size && size <= x + piece)
      buffer[size - 1 - x] = step.arriving(source, i, size - 1, y, z);
  }

  /// The collision of a piece: populations i of its cells arrive at lines[i] + x, and `write(i, k,
  /// cells)` stores their values after the collision for the cells from k on. Each loop is short,
  /// and its iterations are independent, so that a processor executes many at a time.
  template <class Write>
  GSIM_HD static void collide(const CollisionFactors& rates, const double* const* lines, Index x,
                              const Write& write) {
    constexpr Index registers = piece / lanes;
    const auto arrived = [&](int i, Index t) {
      return gsim::load<Cells>(lines[i] + x + t * lanes);
    };
    Sums<Cells> sums[registers];
    AddedTerms<Cells> to[registers];
    for (Index t = 0; t < registers; ++t) sums[t] = sums_of([&](int i) { return arrived(i, t); });
    for (Index t = 0; t < registers; ++t) to[t] = added_terms(rates, sums[t]);
    for (Index t = 0; t < registers; ++t)
      write(0, t * lanes, rates.rest_kept * arrived(0, t) + to[t].rest);
    for (int k = 0; k < pairs; ++k) {
      const int one = 2 * k + 1, other = one + 1;
      for (Index t = 0; t < registers; ++t) {
        Cells first = arrived(one, t), second = arrived(other, t);
        relax_pair(rates, to[t].even[k], to[t].odd[k], first, second);
        write(one, t * lanes, first);
        write(other, t * lanes, second);
      }
    }
  }

  GSIM_HD void operator()(Index line) const {
    const StepArgs& args = step.args;
    const Index y = args.part.lo[1] + line % args.part.size[1];
    const Index z = args.part.lo[2] + line / args.part.size[1];
    const Index row = step.row(y, z), size = args.block.size[0];
    const Index begin = args.part.lo[0], end = begin + args.part.size[0];
    const CollisionFactors rates(args.relaxation);
    Source sources[populations];
    const double* lines[populations];
    double* to[populations];
    bool is_beside_wall = false, is_aligned = true;
    for (int i = 0; i < populations; ++i) {
      sources[i] = step.source(i, y, z);
      lines[i] = sources[i].line;
      to[i] = args.to[i] + row;
      is_beside_wall = is_beside_wall || sources[i].is_wall;
      is_aligned = is_aligned && gsim::is_cache_line_aligned(to[i] + begin);
    }
    for (Index x = begin; x < end; x += piece) {
      for (int i = 0; i < populations; ++i) gsim::prefetch(lines[i] + x + prefetch_distance, piece);
      const double* const* arriving = lines;
      Index at = x;
      alignas(64) double buffer[populations][piece];
      const double* copied[populations];
      if (is_beside_wall || x == 0 || x + piece >= size) {
        for (int i = 0; i < populations; ++i) {
          copied[i] = lines[i] + x;
          if (is_readable(sources[i], i, x)) continue;
          copy_piece(buffer[i], sources[i], i, x, y, z);
          copied[i] = buffer[i];
        }
        arriving = copied;
        at = 0;
      }
      if (is_aligned && x + piece <= end) {
        collide(rates, arriving, at,
                [&](int i, Index k, Cells cells) { gsim::stream(to[i] + x + k, cells); });
        continue;
      }
      alignas(64) double written[populations][piece];
      collide(rates, arriving, at,
              [&](int i, Index k, Cells cells) { gsim::store(written[i] + k, cells); });
      for (int i = 0; i < populations; ++i)
        gsim::stream_out<piece>(to[i] + x, written[i], end - x < piece ? end - x : piece);
    }
  }
};
#endif

}  // namespace lbm_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(lbm_step, ::lbm::StepArgs) {
#if defined(__CUDACC__)
  const std::int32_t count[] = {static_cast<std::int32_t>(args.part.size[0]),
                                static_cast<std::int32_t>(args.part.size[1]),
                                static_cast<std::int32_t>(args.part.size[2])};
  launch_grid<gsim::GridReads::own>(
      executor, "lattice Boltzmann step", count,
      lbm_kernels::StepCell(args, lbm_kernels::CollisionFactors(args.relaxation)));
#else
  const Index lines = args.part.size[1] * args.part.size[2];
  launch(executor, "lattice Boltzmann step", lines, lbm_kernels::StepLine{{args}});
#endif
}
