#pragma once
// A loop over the cells of a grid for hosts and devices. The operation on a cell and its neighbours
// is written once, in a functor,
//
//   struct Diffuse {
//     FieldView<const double> from;
//     FieldView<double> to;
//     double exchange;
//     template <class Cells>
//     GSIM_HD void operator()(const Cells& c) const {
//       const auto u = c.at(from), west = c.at(from, -1, 0, 0), east = c.at(from, 1, 0, 0);
//       c.set(to, u + exchange * ((west + east) - (u + u)));
//     }
//   };
//
// and for_each_cell() calls it with one cell per thread on a device, and on a host with as many
// adjacent cells along x as a vector register has lanes: `u` is then a pack (math/pack.hpp), each
// lane of which has the same bits as the cell alone. Branches are written as select(mask, a, b)
// instead of `if`. For kernel sources only, like exec/launch.hpp; CellLoop itself is plain data
// that host code creates.

#include "gsim/domain/field_view.hpp"
#include "gsim/exec/grid_launch.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/streaming.hpp"
#include "gsim/math/pack.hpp"

namespace gsim {

struct CellBlock;
struct FieldLayout;

/// A range of cells of a rank and its layout in the memory of fields. Coordinates are relative to
/// the first cell of the rank's block. A neighbour outside the block is a ghost; along an axis
/// without ghost layers it is the cell at the opposite end of the block, which is correct for
/// periodic axes that are not divided among ranks (divided_axes() in domain/field_parts.hpp), and
/// irrelevant where no neighbours are read.
struct CellLoop {
  Index first = 0;                        ///< row of the first cell of the block
  Index stride[3] = {1, 0, 0};            ///< row offset to the next cell along each axis
  Index size[3] = {0, 0, 0};              ///< number of cells of the block
  Index origin[3] = {0, 0, 0};            ///< first cell of the block in the whole grid
  Index begin[3] = {0, 0, 0};             ///< first cell of the range
  Index count[3] = {0, 0, 0};             ///< number of cells of the range
  bool wraps[3] = {false, false, false};  ///< axes without ghost layers
  /// Whether the first field that the functor sets, if it consists of doubles with one component,
  /// is written with non-temporal stores (exec/streaming.hpp): a tuning choice for fields larger
  /// than the caches, which does not change results.
  bool past_caches = false;

  /// The loop over `part` of the layout's block.
  static CellLoop of(const FieldLayout& layout, const CellBlock& part);
  /// The loop over all cells of the rank.
  static CellLoop of(const FieldLayout& layout);

  Index cells() const { return count[0] * count[1] * count[2]; }
};

}  // namespace gsim

GSIM_TARGET_BEGIN

/// Row offsets to nearby cells along y or z. On a host the offsets of near neighbours are computed
/// once per line of cells.
struct CellShifts {
  static constexpr int near = 2;
  Index at[2 * near + 1];

  /// Offsets for cells with coordinate `place` along an axis.
  GSIM_HD static CellShifts of(const CellLoop& loop, int axis, Index place) {
    return {{far(loop, axis, place, -2), far(loop, axis, place, -1), 0, far(loop, axis, place, 1),
             far(loop, axis, place, 2)}};
  }
  /// The row offset for a `step` of any length.
  GSIM_HD static Index far(const CellLoop& loop, int axis, Index place, Index step) {
    const Index to = place + step, size = loop.size[axis];
    if (loop.wraps[axis]) step = wrapped(to, size) - place;
    return step * loop.stride[axis];
  }
  /// `place` modulo `size`.
  GSIM_HD static Index wrapped(Index place, Index size) {
    if (place >= 0 && place < size) return place;
    const Index rest = place % size;
    return rest < 0 ? rest + size : rest;
  }
};

/// Buffer for non-temporal stores of consecutive cells of the first field that is set.
struct CellStage {
  static constexpr Index cells = 32;
  alignas(64) double value[cells + 8];  ///< 8 more: a register stored for the last cells
  double* to = nullptr;                 ///< the field; null until it is set
  Index row = 0;                        ///< row of the first cell
};

/// One cell, or adjacent cells along x, one per lane. On a host, cells at the end of a range
/// (`is_at_end`) may be fewer than lanes, or have neighbours at the opposite end of the block. On a
/// device `is_at_end` is set where an axis that wraps has less than device_reach cells.
/// `is_staged`: the first field that is set is written through a CellStage.
template <bool is_at_end, bool is_staged = false>
class Cells {
 public:
  static constexpr int lanes = lanes_of<packed<double>>;
  /// Values of type T, one per lane; a single T on a device.
  template <class T>
  using Values = rebind<packed<double>, std::remove_const_t<T>>;
  /// The longest step on a device that reaches the opposite end of an axis at most once.
  static constexpr int device_reach = 8;
  /// Coordinates and row numbers, which have 31 bits.
#if defined(__CUDACC__)
  using Coordinate = std::int32_t;
#else
  using Coordinate = Index;
#endif

  /// Cells at (x, y, z), with `row` of the first one and row offsets `shifts` along y and z (null
  /// on a device).
  GSIM_HD Cells(const CellLoop& loop, const CellShifts* shifts, Coordinate x, Coordinate y,
                Coordinate z, Coordinate row, Index valid, CellStage* stage = nullptr)
      : loop_(loop), shifts_(shifts), stage_(stage), place_{x, y, z}, row_(row), valid_(valid) {}

  /// Reads a component of a field in the cells.
  template <class T, int Components>
  GSIM_HD Values<T> at(const FieldView<T, Components>& field, int component = 0) const {
    return values(field, row_, 0, 0, component);
  }
  /// Reads a component in the cells displaced by (dx, dy, dz).
  template <class T, int Components>
  GSIM_HD Values<T> at(const FieldView<T, Components>& field, int dx, int dy, int dz,
                       int component = 0) const {
    return values(field, row_ + shift(1, dy) + shift(2, dz), dx, dy, component);
  }
  /// Sets a component of a field in the cells.
  template <class T, int Components>
  GSIM_HD void set(const FieldView<T, Components>& field, Values<T> value,
                   int component = 0) const {
#if defined(__CUDACC__)
    field.data[static_cast<Index>(row_) * Components + component] = value;
#else
    if constexpr (is_staged && Components == 1 && std::is_same_v<T, double>) {
      if (stage_->to == nullptr) stage_->to = field.data;
      if (stage_->to == field.data) return store(stage_->value + (row_ - stage_->row), value);
    }
    T* const to = field.data + row_ * Components + component;
    if (Components == 1 && valid() == lanes) return store(to, value);
    alignas(64) T lane[lanes];
    store(lane, value);
    for (Index i = 0; i < valid(); ++i) to[i * Components] = lane[i];
#endif
  }

  /// Reads the elements of `line`, an array over the block's cells along one axis, that belong to
  /// the cells.
  template <class T>
  GSIM_HD Values<T> along(int axis, const T* line) const {
#if !defined(__CUDACC__)
    if (axis == 0 && valid() == lanes) return load<Values<T>>(line + place_[0]);
    if (axis == 0) return gathered(line + place_[0], 1);
#endif
    return Values<T>(line[place_[axis]]);
  }
  /// The global coordinates of the cells along an axis.
  GSIM_HD Values<double> number(int axis) const {
    const Values<double> first(static_cast<double>(loop_.origin[axis] + place_[axis]));
    return axis == 0 ? first + lane_index<Values<double>>() : first;
  }
  /// The coordinate of the first cell along an axis, relative to the first cell of the block.
  GSIM_HD Index place(int axis) const { return place_[axis]; }

 private:
  /// Number of lanes that hold cells of the range.
  GSIM_HD Index valid() const { return is_at_end ? valid_ : lanes; }

  /// Row offset to the cells displaced by `step` along an axis.
  GSIM_HD Coordinate shift(int axis, int step) const {
#if defined(__CUDACC__)
    if (step == 0) return 0;
    if (is_at_end || step > device_reach || step < -device_reach)
      return static_cast<std::int32_t>(CellShifts::far(loop_, axis, place_[axis], step));
    const auto stride = static_cast<std::int32_t>(loop_.stride[axis]);
    const auto size = static_cast<std::int32_t>(loop_.size[axis]);
    const std::int32_t around = loop_.wraps[axis] ? size * stride : 0;
    const std::int32_t to = place_[axis] + step;
    return step * stride + (to < 0 ? around : to >= size ? -around : 0);
#else
    if (step < -CellShifts::near || step > CellShifts::near)
      return CellShifts::far(loop_, axis, place_[axis], step);
    return shifts_[axis - 1].at[step + CellShifts::near];
#endif
  }

  template <class T, int Components>
  GSIM_HD Values<T> values(const FieldView<T, Components>& field, Coordinate row, int dx, int dy,
                           int component) const {
    const T* const from = field.data + component;
#if defined(__CUDA_ARCH__)
    // No thread reads a value after any thread has written it in this launch, so that loads may be
    // executed before stores.
    return __ldg(from + static_cast<Index>(row + shift(0, dx)) * Components);
#elif defined(__CUDACC__)
    return from[static_cast<Index>(row + shift(0, dx)) * Components];
#else
    if constexpr (is_at_end) {
      const bool wraps = loop_.wraps[0] && dx != 0 &&
                         (place_[0] + dx < 0 || place_[0] + valid_ + dx > loop_.size[0]);
      if (wraps) return around(from, row, dx, Components);
    }
    // Prefetch the next line: there are more memory streams than the hardware prefetcher follows.
    if constexpr (is_staged)
      if (dx == 0 && dy == 0) __builtin_prefetch(from + (row + loop_.stride[1]) * Components, 0, 2);
    // Lanes beyond the range read the memory behind it, up to Field::margin.
    if constexpr (Components == 1) return load<Values<T>>(from + row + dx);
    return gathered(from + (row + dx) * Components, Components);
#endif
  }

#if !defined(__CUDACC__)
  /// Elements with this stride, one per lane, and 0 in lanes beyond the range.
  template <class T>
  GSIM_HD Values<T> gathered(const T* from, Index stride) const {
    alignas(64) std::remove_const_t<T> lane[lanes] = {};
    for (Index i = 0; i < valid(); ++i) lane[i] = from[i * stride];
    return load<Values<T>>(lane);
  }
  /// The values displaced by dx along x, where that axis is periodic within the block.
  template <class T>
  GSIM_HD Values<T> around(const T* from, Index row, int dx, Index stride) const {
    alignas(64) std::remove_const_t<T> lane[lanes] = {};
    for (Index i = 0; i < valid(); ++i)
      lane[i] =
          from[(row - place_[0] + CellShifts::wrapped(place_[0] + i + dx, loop_.size[0])) * stride];
    return load<Values<T>>(lane);
  }
#endif

  const CellLoop& loop_;
  const CellShifts* shifts_;
  CellStage* stage_;
  Coordinate place_[3];
  Coordinate row_;
  Index valid_;
};

namespace cell_detail {

#if defined(__CUDACC__)
/// Calls the functor with one cell. `is_small`: an axis that wraps has few cells.
template <class Functor, bool is_small>
struct Thread {
  CellLoop loop;
  Functor functor;
  /// The cell at coordinates that are relative to the first cell of the range.
  GSIM_HD void operator()(std::int32_t x, std::int32_t y, std::int32_t z) const {
    x += static_cast<std::int32_t>(loop.begin[0]);
    y += static_cast<std::int32_t>(loop.begin[1]);
    z += static_cast<std::int32_t>(loop.begin[2]);
    const std::int32_t row = static_cast<std::int32_t>(loop.first) + x +
                             y * static_cast<std::int32_t>(loop.stride[1]) +
                             z * static_cast<std::int32_t>(loop.stride[2]);
    functor(Cells<is_small>(loop, nullptr, x, y, z, row, 1));
  }
};
#else
/// Calls the functor with the cells of a line along x, or of one piece of a long line.
template <class Functor>
struct Line {
  static constexpr Index longest = 4096;  // maximum number of cells of a line per work item
  static constexpr Index reach = 4;       // maximum displacement along x where that axis wraps
  static constexpr Index lanes = Cells<false>::lanes;
  CellLoop loop;
  Functor functor;

  /// The number of pieces, which are work items, in a line.
  GSIM_HD Index pieces() const { return (loop.count[0] + longest - 1) / longest; }

  GSIM_HD void operator()(Index i) const {
    const Index parts = pieces(), line = parts == 1 ? i : i / parts;
    const Index y = loop.begin[1] + line % loop.count[1];
    const Index z = loop.begin[2] + line / loop.count[1];
    const Index first = loop.begin[0] + (i - line * parts) * longest;
    const Index end = loop.begin[0] + loop.count[0];
    const Index last = first + longest < end ? first + longest : end;
    if (loop.past_caches)
      staged(first, last, y, z);
    else
      stored(first, last, y, z);
  }

  GSIM_HD Index row(Index y, Index z) const {
    return loop.first + y * loop.stride[1] + z * loop.stride[2];
  }

  /// The cells [x, last) of line (y, z), whose values are stored directly.
  GSIM_HD void stored(Index x, Index last, Index y, Index z) const {
    const CellLoop here = loop;  // local copies, which stores of results cannot alias
    const Functor work = functor;
    const CellShifts shifts[] = {CellShifts::of(here, 1, y), CellShifts::of(here, 2, z)};
    const Index row_0 = row(y, z);
    const auto at_end = [&](Index from, Index to) {
      for (; from < to; from += lanes)
        work(Cells<true>(here, shifts, from, y, z, row_0 + from,
                         to - from < lanes ? to - from : lanes));
    };
    // Where x wraps, the first and the last cells have neighbours at the opposite end.
    const Index inside = here.wraps[0] && x < reach ? (reach + lanes - 1) / lanes * lanes : x;
    Index end = last - lanes + 1;
    if (here.wraps[0] && last > here.size[0] - reach) end = here.size[0] - reach - lanes + 1;
    at_end(x, inside < last ? inside : last);
    for (x = inside; x < end; x += lanes)
      work(Cells<false>(here, shifts, x, y, z, row_0 + x, lanes));
    if (x < last) at_end(x, last);
  }

  /// The cells [first, last) of line (y, z), whose values are stored through a CellStage.
  GSIM_HD void staged(Index first, Index last, Index y, Index z) const {
    const CellLoop here = loop;
    const Functor work = functor;
    const CellShifts shifts[] = {CellShifts::of(here, 1, y), CellShifts::of(here, 2, z)};
    const Index row_0 = row(y, z);
    // Cells from `begin` to `end` have all their neighbours at regular row offsets.
    const Index begin = here.wraps[0] ? reach : 0;
    const Index end = here.wraps[0] ? here.size[0] - reach : here.size[0];
    CellStage stage;
    for (Index piece = first; piece < last; piece += CellStage::cells) {
      const Index stop = piece + CellStage::cells < last ? piece + CellStage::cells : last;
      stage.row = row_0 + piece;
      for (Index x = piece; x < stop; x += lanes) {
        const Index valid = stop - x < lanes ? stop - x : lanes;
        if (valid == lanes && begin <= x && x + lanes <= end)
          work(Cells<false, true>(here, shifts, x, y, z, row_0 + x, lanes, &stage));
        else
          work(Cells<true, true>(here, shifts, x, y, z, row_0 + x, valid, &stage));
      }
      if (stage.to != nullptr)
        stream_out<CellStage::cells>(stage.to + stage.row, stage.value, stop - piece);
    }
  }
};
#endif

}  // namespace cell_detail

/// Calls functor(cells) for all cells of a loop. The functor must not read in other cells what it
/// sets, nor in its own cells what it has set, nor cells displaced by more than 4 along x where
/// that axis wraps. Synchronous on a host, asynchronous on a device.
template <class Functor>
void for_each_cell(const Executor& executor, const char* label, const CellLoop& loop,
                   const Functor& functor) {
  if (loop.cells() <= 0) return;
#if defined(__CUDACC__)
  const std::int32_t count[] = {static_cast<std::int32_t>(loop.count[0]),
                                static_cast<std::int32_t>(loop.count[1]),
                                static_cast<std::int32_t>(loop.count[2])};
  bool is_small = false;
  for (int a = 0; a < 3; ++a)
    is_small = is_small || (loop.wraps[a] && loop.size[a] < Cells<false>::device_reach);
  if (is_small)
    launch_grid(executor, label, count, cell_detail::Thread<Functor, true>{loop, functor});
  else
    launch_grid(executor, label, count, cell_detail::Thread<Functor, false>{loop, functor});
#else
  const cell_detail::Line<Functor> line{loop, functor};
  launch(executor, label, line.pieces() * loop.count[1] * loop.count[2], line);
#endif
}

GSIM_TARGET_END
