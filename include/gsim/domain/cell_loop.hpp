#pragma once
// One loop over cells for hosts and devices. What is done with a cell and its neighbours is written
// once, in a functor,
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
// and for_each_cell() calls it with one cell in each thread of a device, and on a host with as many
// neighbouring cells of a line along x as a register has lanes: `u` is then a pack (math/pack.hpp),
// every lane of which has the bits that the cell has alone. Decisions are select(mask, a, b), not
// `if`. For kernel sources only, like exec/launch.hpp; the CellLoop itself is plain data that host
// code makes.

#include "gsim/domain/field_view.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/streaming.hpp"
#include "gsim/math/pack.hpp"

namespace gsim {

struct CellBlock;
struct FieldLayout;

/// A part of a rank's cells, and where they and their neighbours are in the memory of fields of one
/// layout. Places along axes are counted from the first cell of the rank's block. A neighbour
/// beyond the block is a ghost; along an axis whose layout has no ghost layers it is the cell at
/// the other end of the block, which is right for periodic axes that are not divided among ranks
/// (divided_axes() in domain/field_parts.hpp) and where no neighbours are read.
struct CellLoop {
  Index first = 0;                        ///< row of the block's first cell
  Index stride[3] = {1, 0, 0};            ///< rows from a cell to the next along each axis
  Index size[3] = {0, 0, 0};              ///< cells of the block
  Index origin[3] = {0, 0, 0};            ///< the block's first cell in the whole grid
  Index begin[3] = {0, 0, 0};             ///< the part's first cell
  Index count[3] = {0, 0, 0};             ///< cells of the part
  bool wraps[3] = {false, false, false};  ///< axes without ghost layers
  /// What the functor sets first, if that is a field of doubles of one component, is stored past
  /// the caches of a host (exec/streaming.hpp): a tuning choice for fields that no cache holds,
  /// which changes no result.
  bool past_caches = false;

  /// The loop over `part` of the layout's block.
  static CellLoop of(const FieldLayout& layout, const CellBlock& part);
  /// The loop over all cells of the rank.
  static CellLoop of(const FieldLayout& layout);

  Index cells() const { return count[0] * count[1] * count[2]; }
};

}  // namespace gsim

GSIM_TARGET_BEGIN

/// Rows from a cell to the one that is some places on along y or z: of near neighbours on a host
/// they are found once for each line of cells.
struct CellShifts {
  static constexpr int near = 2;
  Index at[2 * near + 1];

  /// For cells at `place` along an axis.
  GSIM_HD static CellShifts of(const CellLoop& loop, int axis, Index place) {
    return {{far(loop, axis, place, -2), far(loop, axis, place, -1), 0, far(loop, axis, place, 1),
             far(loop, axis, place, 2)}};
  }
  GSIM_HD static Index far(const CellLoop& loop, int axis, Index place, Index step) {
    const Index to = place + step, size = loop.size[axis];
    if (loop.wraps[axis]) step = wrapped(to, size) - place;
    return step * loop.stride[axis];
  }
  GSIM_HD static Index wrapped(Index place, Index size) {
    if (place >= 0 && place < size) return place;
    const Index rest = place % size;
    return rest < 0 ? rest + size : rest;
  }
};

/// Results of neighbouring cells on their way past the caches: those of the first field that is
/// set.
struct CellStage {
  static constexpr Index cells = 32;
  alignas(64) double value[cells + 8];
  double* to = nullptr;  ///< the field; null before it is set
  Index row = 0;         ///< of the first cell
};

/// One cell, or neighbouring cells along x, one a lane. On a host cells at the end of a part may be
/// fewer than lanes, or have neighbours at the other end of the block.
template <bool is_at_end, bool is_staged = false>
class Cells {
 public:
  static constexpr int lanes = lanes_of<packed<double>>;
  /// Values of T, one a lane; T alone on a device.
  template <class T>
  using Values = rebind<packed<double>, std::remove_const_t<T>>;

  /// The cells at a place, `row` being the first one's and `shifts` those along y and z (null on a
  /// device).
  GSIM_HD Cells(const CellLoop& loop, const CellShifts* shifts, Index x, Index y, Index z,
                Index row, Index valid, CellStage* stage = nullptr)
      : loop_(loop), shifts_(shifts), stage_(stage), place_{x, y, z}, row_(row), valid_(valid) {}

  /// A component of a field's values in the cells.
  template <class T, int Components>
  GSIM_HD Values<T> at(const FieldView<T, Components>& field, int component = 0) const {
    return values(field, row_, 0, 0, component);
  }
  /// The same in the cells that are dx, dy and dz places on.
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
    field.data[row_ * Components + component] = value;
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

  /// The values that `line`, an array over the block's cells along an axis, has for the cells.
  template <class T>
  GSIM_HD Values<T> along(int axis, const T* line) const {
#if !defined(__CUDACC__)
    if (axis == 0 && valid() == lanes) return load<Values<T>>(line + place_[0]);
    if (axis == 0) return gathered(line + place_[0], 1);
#endif
    return Values<T>(line[place_[axis]]);
  }
  /// The cells' number along an axis in the whole grid.
  GSIM_HD Values<double> number(int axis) const {
    const Values<double> first(static_cast<double>(loop_.origin[axis] + place_[axis]));
    return axis == 0 ? first + lane_index<Values<double>>() : first;
  }
  /// The place of the first of the cells along an axis, counted from the block's first cell.
  GSIM_HD Index place(int axis) const { return place_[axis]; }

 private:
  /// The lanes that are cells of the part.
  GSIM_HD Index valid() const { return is_at_end ? valid_ : lanes; }

  /// Rows from the cells to those `step` places on along an axis.
  GSIM_HD Index shift(int axis, int step) const {
#if defined(__CUDACC__)
    return step == 0 ? 0 : CellShifts::far(loop_, axis, place_[axis], step);
#else
    if (step < -CellShifts::near || step > CellShifts::near)
      return CellShifts::far(loop_, axis, place_[axis], step);
    return shifts_[axis - 1].at[step + CellShifts::near];
#endif
  }

  template <class T, int Components>
  GSIM_HD Values<T> values(const FieldView<T, Components>& field, Index row, int dx, int dy,
                           int component) const {
    const T* const from = field.data + component;
#if defined(__CUDACC__)
    return from[(row + shift(0, dx)) * Components];
#else
    if constexpr (is_at_end) {
      const bool wraps = loop_.wraps[0] && dx != 0 &&
                         (place_[0] + dx < 0 || place_[0] + valid_ + dx > loop_.size[0]);
      if (wraps) return around(from, row, dx, Components);
    }
    // The line after this one is fetched from memory meanwhile: more streams are read than a
    // processor follows by itself.
    if constexpr (is_staged)
      if (dx == 0 && dy == 0) __builtin_prefetch(from + (row + loop_.stride[1]) * Components, 0, 2);
    // Lanes that are no cells of the part read what is beyond them, up to Field::margin.
    if constexpr (Components == 1) return load<Values<T>>(from + row + dx);
    return gathered(from + (row + dx) * Components, Components);
#endif
  }

#if !defined(__CUDACC__)
  /// Elements `stride` apart, one a lane, and 0 in lanes that are no cells of the part.
  template <class T>
  GSIM_HD Values<T> gathered(const T* from, Index stride) const {
    alignas(64) std::remove_const_t<T> lane[lanes] = {};
    for (Index i = 0; i < valid(); ++i) lane[i] = from[i * stride];
    return load<Values<T>>(lane);
  }
  /// The values dx places on along x, where that axis begins again behind its end.
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
  Index place_[3];
  Index row_;
  Index valid_;
};

namespace cell_detail {

#if defined(__CUDACC__)
template <class Functor>
struct Thread {
  CellLoop loop;
  Functor functor;
  GSIM_HD void operator()(Index i) const {
    const auto n = static_cast<std::uint32_t>(i);  // rows are numbered in 31 bits
    const auto size_x = static_cast<std::uint32_t>(loop.count[0]);
    const auto size_y = static_cast<std::uint32_t>(loop.count[1]);
    const std::uint32_t line = n / size_x;
    const Index x = loop.begin[0] + (n - line * size_x);
    const Index y = loop.begin[1] + line % size_y, z = loop.begin[2] + line / size_y;
    const Index row = loop.first + x + y * loop.stride[1] + z * loop.stride[2];
    functor(Cells<false>(loop, nullptr, x, y, z, row, 1));
  }
};
#else
template <class Functor>
struct Line {
  static constexpr Index longest = 4096;  // cells of a line that a thread takes at a time
  static constexpr Index reach = 4;       // how far neighbours along x are read where it wraps
  static constexpr Index lanes = Cells<false>::lanes;
  CellLoop loop;
  Functor functor;

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

  GSIM_HD void stored(Index x, Index last, Index y, Index z) const {
    const CellLoop here = loop;  // copies, to which no store of a result can point
    const Functor work = functor;
    const CellShifts shifts[] = {CellShifts::of(here, 1, y), CellShifts::of(here, 2, z)};
    const Index row_0 = row(y, z);
    const auto at_end = [&](Index from, Index to) {
      for (; from < to; from += lanes)
        work(Cells<true>(here, shifts, from, y, z, row_0 + from,
                         to - from < lanes ? to - from : lanes));
    };
    // Where x begins again behind its end the first and the last cells have neighbours elsewhere.
    const Index inside = here.wraps[0] && x < reach ? (reach + lanes - 1) / lanes * lanes : x;
    Index end = last - lanes + 1;
    if (here.wraps[0] && last > here.size[0] - reach) end = here.size[0] - reach - lanes + 1;
    at_end(x, inside < last ? inside : last);
    for (x = inside; x < end; x += lanes)
      work(Cells<false>(here, shifts, x, y, z, row_0 + x, lanes));
    if (x < last) at_end(x, last);
  }

  GSIM_HD void staged(Index first, Index last, Index y, Index z) const {
    const CellLoop here = loop;
    const Functor work = functor;
    const CellShifts shifts[] = {CellShifts::of(here, 1, y), CellShifts::of(here, 2, z)};
    const Index row_0 = row(y, z);
    // Cells from `begin` on have all their neighbours where rows say, up to `end`.
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
/// sets, nor cells more than 4 places on along x where that axis wraps. Returns when all is done on
/// a host; asynchronous on a device.
template <class Functor>
void for_each_cell(const Executor& executor, const char* label, const CellLoop& loop,
                   const Functor& functor) {
  if (loop.cells() <= 0) return;
#if defined(__CUDACC__)
  launch(executor, label, loop.cells(), cell_detail::Thread<Functor>{loop, functor});
#else
  const cell_detail::Line<Functor> line{loop, functor};
  launch(executor, label, line.pieces() * loop.count[1] * loop.count[2], line);
#endif
}

GSIM_TARGET_END
