#pragma once
// cell_at() for the lanes of packs: the innermost cells at several positions. Lanes whose cell
// needs more than comparisons of positions with planes, spheres, cylinders and the edges of
// rectangular lattices are not found, and are left to cell_at(): positions on surfaces, regions
// that are not intersections, search grids, hexagonal lattices and transformations.

#include "kernels/transport/geometry/locate.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// The materials of the lanes, as reals.
template <class R>
struct MaterialLanes {
  R material;
  mask_of<R> is_found;
};

/// The `Record` of a search whose levels are not stored. All positions are origins of flights, and
/// inside of the outer boundaries, so that half-spaces bounded by these are not tested.
struct NoRecord {
  static constexpr SearchRegion where = SearchRegion::inside_outer_boundary;
};

/// The search for the cells of the lanes of a pack. Lanes in universes whose cells have the same
/// regions are searched together. The positions are at `path` of flights from `origin` along d.
/// `Record` stores the cells and the levels that are found (LevelRecord), or nothing (NoRecord);
/// its member `where` states what is known about the positions (SearchRegion).
template <class R, class Record = NoRecord>
class CellSearchLanes {
 public:
  using Lanes = mask_of<R>;
  using Words = rebind<R, std::uint64_t>;

  GSIM_HD CellSearchLanes(const GeometryView& g, const LaneVector<R>& origin, R path,
                          const LaneVector<R>& d, Record& record)
      : g_(g), record_(record), origin_(origin), d_(d), path_(path), material_(-1.0) {
    pending_ = is_found_ = path != path;
    move_to(origin);
  }

  /// Searches the root universe in `lanes`.
  GSIM_HD void enter_root(Lanes lanes) {
    pending_ = pending_ | lanes;
    universe_.bits = select(lanes, Words(bits_of(g_.search.universes[g_.root])), universe_.bits);
  }
  /// Enters the fills of the cells in `lanes`, which are at these places of universe_cells.
  GSIM_HD void enter_cells(Lanes lanes, Words place) {
    pending_ = pending_ | lanes;
    enter(place, lanes);
  }
  /// The materials of the lanes that were entered.
  GSIM_HD MaterialLanes<R> find() {
    for (unsigned pending = lane_bits(pending_); pending != 0; pending = lane_bits(pending_)) {
      const std::uint64_t universe = extract(universe_.bits, __builtin_ctz(pending));
      const std::uint64_t shape = universe >> 32;
      search_shape(static_cast<std::int32_t>(static_cast<std::uint32_t>(shape)),
                   pending_ & (universe_.second() == Words(shape)));
    }
    return {material_, is_found_};
  }
  /// The positions and directions in the innermost universes so far.
  GSIM_HD const LaneVector<R>& positions() const { return x_; }
  GSIM_HD const LaneVector<R>& directions() const { return d_; }
  /// Enters elements (i, j, k) of a lattice in `inside`; `origin` is that of the flights in the
  /// coordinates of the lattice.
  GSIM_HD void enter_element(const Lattice& l, Lanes inside, R i, R j, R k,
                             const LaneVector<R>& origin) {
    const double nx = l.count[0], ny = l.count[1], nz = l.count[2];
    const R zero(0.0);
    pending_ = pending_ | inside;
    const Lanes is_in =
        inside & (i >= zero) & (i < R(nx)) & (j >= zero) & (j < R(ny)) & (k >= zero) & (k < R(nz));
    const R place = select(is_in, fma(fma(k, R(ny), j), R(nx), i), zero);
    const auto universe = gather_pairs<transport::SearchUniverse, R>(
        g_.search.elements.data + l.first_universe, convert<std::int32_t>(place));
    universe_.bits = select(is_in, universe.bits, universe_.bits);
    const Lanes is_out = inside & !is_in;
    if (any(is_out)) {
      const transport::SearchUniverse outer =
          l.outer >= 0 ? g_.search.universes[l.outer] : transport::SearchUniverse{};
      universe_.bits = select(is_out, Words(bits_of(outer)), universe_.bits);
    }
    const LaneVector<R> centre{fma(R(l.pitch[0]), i, R(l.origin.x)),
                               fma(R(l.pitch[1]), j, R(l.origin.y)),
                               fma(R(l.pitch[2]), k, R(l.origin.z))};
    const LaneVector<R> moved = origin - centre;
    if constexpr (is_recorded)
      record_.enter_element(inside, static_cast<double>(&l - g_.lattices.data), i, j, k, centre,
                            moved);
    move_to(chosen<R>(inside, moved, origin_));
  }

 private:
  static constexpr bool is_recorded = !std::is_same_v<Record, NoRecord>;

  GSIM_HD void move_to(const LaneVector<R>& origin) {
    origin_ = origin;
    if constexpr (is_recorded)
      x_ = along(origin_, path_, d_);
    else
      x_ = origin_;
    last_surface_ = -1;
  }
  static GSIM_HD std::uint64_t bits_of(transport::SearchUniverse u) {
    return joined(u.first_cell, u.shape);
  }
  static GSIM_HD std::uint64_t joined(std::int32_t low, std::int32_t high) {
    return static_cast<std::uint32_t>(low) | std::uint64_t{static_cast<std::uint32_t>(high)} << 32;
  }

  GSIM_HD void search_shape(std::int32_t shape, Lanes group) {
    if (shape >= 0) {
      const transport::Universe& universe = g_.universes[shape];
      const std::int32_t* const cells = g_.universe_cells.data + universe.first_cell;
      for (std::int32_t i = 0; i < universe.cells && any(group); ++i)
        search_cell(i, g_.cells[cells[i]], group);
    }
    pending_ = pending_ & !group;
  }
  /// Removes the lanes in cell `number` of their universes, whose region is that of `cell`, and
  /// those that are on its surfaces, from `group`.
  GSIM_HD void search_cell(std::int32_t number, const Cell& cell, Lanes& group) {
    Lanes inside = group;
    const CellSurface* const sides = g_.cell_surfaces.data + cell.first_surface;
    const std::int32_t checked = Record::where == SearchRegion::anywhere
                                     ? cell.surfaces
                                     : cell.surfaces - cell.outer_half_spaces;
    for (std::int32_t i = 0; i < checked; ++i) {
      const std::int32_t half_space = sides[i].half_space;
      const Surface& s = g_.surfaces[half_space >> 1];
      if (!(s.on_surface > 0)) return give_up(inside, group);
      const R value = value_of(half_space >> 1);
      const Lanes is_clear = abs(value) > R(s.on_surface), is_positive = value > R(0.0);
      give_up(inside & !is_clear, group);
      inside = inside & is_clear & ((half_space & 1) != 0 ? is_positive : !is_positive);
    }
    if (!any(inside)) return;
    group = group & !inside;
    enter(universe_.first() + Words(static_cast<unsigned>(number)), inside);
  }
  /// Ends the search in `lanes` without a result.
  GSIM_HD void give_up(Lanes lanes, Lanes& group) {
    pending_ = pending_ & !lanes;
    group = group & !lanes;
  }
  /// f at the positions. The last surface is kept, since it often bounds the next cell.
  GSIM_HD R value_of(std::int32_t surface) {
    if (surface != last_surface_) {
      last_surface_ = surface;
      last_value_ = value_of_simple_form(g_.surfaces[surface], x_);
    }
    return last_value_;
  }
  /// Enters cells at places of universe_cells.
  GSIM_HD void enter(Words places, Lanes inside) {
    using transport::SearchFill;
    const auto place = convert<std::int32_t>(select(inside, places, Words(0)));
    if constexpr (is_recorded) record_.enter_cell(inside, place);
    const auto fill = gather_pairs<SearchFill, R>(g_.search.fills.data, place);
    const Words kind = fill.first();
    const Lanes in_material = inside & (kind == Words(std::uint64_t{SearchFill::material}));
    material_ = select(in_material, fill.second_as_real(), material_);
    is_found_ = is_found_ | in_material;
    pending_ = pending_ & !in_material;
    // Lanes with the same fill are entered together.
    Lanes left = inside & !in_material;
    for (unsigned bits = lane_bits(left); bits != 0; bits = lane_bits(left)) {
      const std::uint64_t first = extract(fill.bits, __builtin_ctz(bits));
      const Lanes same = left & (fill.bits == Words(first));
      enter_fill_of(static_cast<std::int32_t>(first & 0xff), static_cast<std::int32_t>(first >> 32),
                    same);
      left = left & !same;
    }
  }
  GSIM_HD void enter_fill_of(std::int32_t kind, std::int32_t fill, Lanes inside) {
    if (kind == transport::SearchFill::lattice) {
      enter_lattice(g_.lattices[fill], inside);
    } else if (kind == transport::SearchFill::universe) {
      universe_.bits = select(inside, Words(bits_of(g_.search.universes[fill])), universe_.bits);
      if constexpr (is_recorded) record_.enter_universe(inside, origin_);
    } else {
      pending_ = pending_ & !inside;
    }
  }
  /// The index of the element along an axis; removes lanes near an edge from `inside`.
  GSIM_HD R element_along(const Lattice& l, int axis, R x, Lanes& inside) {
    if (l.inverse_pitch[axis] == 0) return R(0.0);
    const auto [edge, off] = nearest_edge(x, l.inverse_pitch[axis]);
    inside = inside & (abs(off) > R(g_.tolerance * l.inverse_pitch[axis]));
    return select(off < R(0.0), edge - 1.0, edge);
  }
  GSIM_HD void enter_lattice(const Lattice& l, Lanes lanes) {
    pending_ = pending_ & !lanes;
    if (l.kind != transport::LatticeKind::rectangular) return;
    Lanes inside = lanes;
    const R i = element_along(l, 0, x_.x - l.origin.x, inside);
    const R j = element_along(l, 1, x_.y - l.origin.y, inside);
    const R k = element_along(l, 2, x_.z - l.origin.z, inside);
    enter_element(l, inside, i, j, k, origin_);
  }

  const GeometryView& g_;
  Record& record_;
  LaneVector<R> origin_, x_;  ///< in the coordinates of the universes
  LaneVector<R> d_;
  R path_;
  IntegerPairs<R> universe_{Words(0)};  ///< SearchUniverse
  R material_;
  Lanes pending_, is_found_;
  std::int32_t last_surface_ = -1;
  R last_value_{0.0};
};

/// The materials at the positions x of the lanes in `searched`, which are inside of the outer
/// boundaries: as cell_at() finds them for any direction.
template <class R>
GSIM_TRANSPORT_NOINLINE MaterialLanes<R> materials_at(const GeometryView& g, const LaneVector<R>& x,
                                                      mask_of<R> searched) {
  NoRecord record;
  CellSearchLanes<R> search(g, x, R(0.0), x, record);
  search.enter_root(searched);
  return search.find();
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
