#pragma once
// cell_at() for the lanes of packs: the innermost cells at several positions. Lanes whose cell needs
// more than comparisons of positions with planes, spheres, cylinders and the edges of rectangular
// lattices are not found, and are left to cell_at(): positions on surfaces, regions that are not
// intersections, search grids, hexagonal lattices and transformations.

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

/// The search for cells that are inside of the outer boundaries of the geometry. Lanes in universes
/// whose cells have the same regions are searched together.
template <class R>
class CellSearchLanes {
 public:
  GSIM_HD CellSearchLanes(const GeometryView& g, const LaneVector<R>& x) : g_(g), x_(x) {
    const transport::SearchUniverse root = g.search.universes[g.root];
    universe_.bits = Words(bits_of(root));
  }

  /// The materials of the lanes in `searched`.
  GSIM_HD MaterialLanes<R> find(mask_of<R> searched) {
    pending_ = searched;
    is_found_ = searched & !searched;
    material_ = R(-1.0);
    for (unsigned pending = lane_bits(pending_); pending != 0; pending = lane_bits(pending_)) {
      const std::uint64_t universe = extract(universe_.bits, __builtin_ctz(pending));
      const std::uint64_t shape = universe >> 32;
      search_shape(static_cast<std::int32_t>(static_cast<std::uint32_t>(shape)),
                   pending_ & (universe_.second() == Words(shape)));
    }
    return {material_, is_found_};
  }

 private:
  using Lanes = mask_of<R>;
  using Words = rebind<R, std::uint64_t>;

  static GSIM_HD std::uint64_t bits_of(transport::SearchUniverse u) {
    return joined(u.first_cell, u.shape);
  }
  static GSIM_HD std::uint64_t joined(std::int32_t low, std::int32_t high) {
    return static_cast<std::uint32_t>(low) |
           std::uint64_t{static_cast<std::uint32_t>(high)} << 32;
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
    for (std::int32_t i = 0; i < cell.surfaces - cell.outer_half_spaces; ++i) {
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
    enter(number, inside);
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
  /// Enters cell `number` of the universes of the lanes in `inside`.
  GSIM_HD void enter(std::int32_t number, Lanes inside) {
    using transport::SearchFill;
    const Words place = select(inside, universe_.first() + Words(static_cast<unsigned>(number)),
                               Words(0));
    const auto fill = gather_pairs<SearchFill, R>(g_.search.fills.data,
                                                  convert<std::int32_t>(place));
    const Words kind = fill.first();
    const Lanes in_material = inside & (kind == Words(std::uint64_t{SearchFill::material}));
    material_ = select(in_material, fill.second_as_real(), material_);
    is_found_ = is_found_ | in_material;
    pending_ = pending_ & !in_material;
    const unsigned others = lane_bits(inside & !in_material);
    if (others == 0) return;
    Lanes left = inside & !in_material;
    // Lanes with the same fill are entered together.
    for (unsigned bits = others; bits != 0; bits = lane_bits(left)) {
      const std::uint64_t first = extract(fill.bits, __builtin_ctz(bits));
      const Lanes same = left & (fill.bits == Words(first));
      enter_fill_of(static_cast<std::int32_t>(first & 0xff), static_cast<std::int32_t>(first >> 32),
                    same);
      left = left & !same;
    }
  }
  GSIM_HD void enter_fill_of(std::int32_t kind, std::int32_t fill, Lanes inside) {
    if (kind == transport::SearchFill::lattice)
      enter_lattice(g_.lattices[fill], inside);
    else if (kind == transport::SearchFill::universe)
      universe_.bits =
          select(inside, Words(bits_of(g_.search.universes[fill])), universe_.bits);
    else
      pending_ = pending_ & !inside;
  }
  /// The index of the element along an axis; removes lanes near an edge from `inside`.
  GSIM_HD R element_along(const Lattice& l, int axis, R x, Lanes& inside) {
    if (l.inverse_pitch[axis] == 0) return R(0.0);
    const auto [edge, off] = nearest_edge(x, l.inverse_pitch[axis]);
    inside = inside & (abs(off) > R(g_.tolerance * l.inverse_pitch[axis]));
    return select(off < R(0.0), edge - 1.0, edge);
  }
  GSIM_HD void enter_lattice(const Lattice& l, Lanes lanes) {
    Lanes inside = lanes;
    if (l.kind != transport::LatticeKind::rectangular) {
      pending_ = pending_ & !lanes;
      return;
    }
    const R i = element_along(l, 0, x_.x - l.origin.x, inside);
    const R j = element_along(l, 1, x_.y - l.origin.y, inside);
    const R k = element_along(l, 2, x_.z - l.origin.z, inside);
    pending_ = pending_ & (inside | !lanes);
    const double nx = l.count[0], ny = l.count[1], nz = l.count[2];
    const R zero(0.0);
    const Lanes is_in = inside & (i >= zero) & (i < R(nx)) & (j >= zero) & (j < R(ny)) &
                        (k >= zero) & (k < R(nz));
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
    x_ = chosen<R>(inside, x_ - centre, x_);
    last_surface_ = -1;
  }

  const GeometryView& g_;
  LaneVector<R> x_;           ///< in the coordinates of the universes
  IntegerPairs<R> universe_;  ///< SearchUniverse
  R material_;
  Lanes pending_, is_found_;
  std::int32_t last_surface_ = -1;
  R last_value_;
};

/// The materials at the positions x of the lanes in `searched`, which are inside of the outer
/// boundaries: as cell_at() finds them for any direction.
template <class R>
GSIM_TRANSPORT_NOINLINE MaterialLanes<R> materials_at(const GeometryView& g,
                                                      const LaneVector<R>& x,
                                                      mask_of<R> searched) {
  return CellSearchLanes<R>(g, x).find(searched);
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
