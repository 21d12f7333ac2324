// Instances of the cells of nested universes in space.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/transport/geometry/geometry.hpp"
#include "src/modules/transport/geometry/bounds/cell_boxes.hpp"
#include "src/modules/transport/geometry/volumes/sampled_points.hpp"

namespace gsim::transport {
namespace {
using transport_kernels::centre_of;
using transport_kernels::Element;
using transport_kernels::universe_of;

using Rotation = std::array<double, 9>;

Rotation transposed(const double* m) {
  return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]};
}
Rotation product_of(const Rotation& a, const Rotation& b) {
  Rotation c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) c[3 * i + j] += a[3 * i + k] * b[3 * k + j];
  return c;
}

bool has_volume(const SampleBox& box) {
  return box.lower[0] < box.upper[0] && box.lower[1] < box.upper[1] && box.lower[2] < box.upper[2];
}
SampleBox moved(SampleBox box, const Vector3& by) {
  const double shift[] = {by.x, by.y, by.z};
  for (std::size_t a = 0; a < 3; ++a) {
    box.lower[a] += shift[a];
    box.upper[a] += shift[a];
  }
  return box;
}
/// The bounding box of `box` in the coordinates of a fill: moved by -translation, then rotated.
SampleBox in_fill(const SampleBox& box, const Transformation& t) {
  const SampleBox translated = moved(box, {-t.translation.x, -t.translation.y, -t.translation.z});
  SampleBox bounds{{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (int corner = 0; corner < 8; ++corner) {
    const auto end = [&](std::size_t a) {
      return (corner >> a & 1) != 0 ? translated.upper[a] : translated.lower[a];
    };
    const Vector3 x = product(t.rotation, {end(0), end(1), end(2)});
    const double rotated[] = {x.x, x.y, x.z};
    for (std::size_t a = 0; a < 3; ++a) {
      bounds.lower[a] = std::min(bounds.lower[a], rotated[a]);
      bounds.upper[a] = std::max(bounds.upper[a], rotated[a]);
    }
  }
  return bounds;
}

/// Number of instances of a universe that are visited; more than one, since the cell around an
/// instance may contain only a part of it.
constexpr int max_instances = 4;

/// Visits the first instances of each universe below the root. The elements of a lattice are
/// visited from the middle of the list to its end, then from its beginning.
class InstanceFinder {
 public:
  explicit InstanceFinder(const Geometry& g)
      : g_(g), view_(g.view()), entered_(g.universes.size()) {}

  std::vector<CellInstance> run(const SampleBox& box) {
    enter(g_.root, {-1, box, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {}});
    return std::move(instances_);
  }

 private:
  /// Visits the part of an instance of `universe` that is inside `part.box`; the transformation of
  /// `part` is that of the universe.
  void enter(std::int32_t universe, const CellInstance& part) {
    if (universe < 0 || entered_[static_cast<std::size_t>(universe)] == max_instances) return;
    ++entered_[static_cast<std::size_t>(universe)];
    for (const std::int32_t cell : g_.cells_of(g_.universes[static_cast<std::size_t>(universe)])) {
      CellInstance instance = part;
      instance.cell = cell;
      instance.box = intersection(part.box, box_of_cell(g_, static_cast<std::size_t>(cell)));
      if (!has_volume(instance.box)) continue;
      instances_.push_back(instance);
      enter_fill(g_.cells[static_cast<std::size_t>(cell)], instance);
    }
  }

  void enter_fill(const Cell& cell, CellInstance part) {
    if (cell.fill_kind == FillKind::material) return;
    if (cell.transformation >= 0) {
      const Transformation& t = g_.transformations[static_cast<std::size_t>(cell.transformation)];
      part.box = in_fill(part.box, t);
      part.translation = part.translation + product(part.rotation.data(), t.translation);
      part.rotation = product_of(part.rotation, transposed(t.rotation));
    }
    if (cell.fill_kind == FillKind::universe) return enter(cell.fill, part);
    enter_elements(g_.lattices[static_cast<std::size_t>(cell.fill)], part);
  }

  void enter_elements(const Lattice& lattice, const CellInstance& part) {
    const bool is_hexagonal = lattice.kind == LatticeKind::hexagonal;
    // One more element on each side, for the outer universe.
    const std::int32_t i0 = is_hexagonal ? -lattice.count[0] : -1;
    const std::int32_t k0 = lattice.has_layers != 0 ? -1 : 0;
    const std::int32_t last_j = is_hexagonal ? lattice.count[0] : lattice.count[1];
    const Index columns = lattice.count[0] - i0 + 1, rows = last_j - i0 + 1;
    const Index count = columns * rows * (lattice.has_layers != 0 ? lattice.count[2] + 2 : 1);
    for (Index n = 0; n < count; ++n) {
      const Index e = (n + count / 2) % count;
      enter_element(lattice,
                    {i0 + static_cast<std::int32_t>(e % columns),
                     i0 + static_cast<std::int32_t>(e / columns % rows),
                     k0 + static_cast<std::int32_t>(e / (columns * rows))},
                    part);
    }
  }

  void enter_element(const Lattice& lattice, const Element& e, CellInstance part) {
    const std::int32_t universe = universe_of(view_, lattice, e);
    if (universe < 0 || entered_[static_cast<std::size_t>(universe)] == max_instances) return;
    const Vector3 centre = centre_of(lattice, e);
    part.box =
        intersection(moved(part.box, {-centre.x, -centre.y, -centre.z}), element_box(lattice));
    if (!has_volume(part.box)) return;
    part.translation = part.translation + product(part.rotation.data(), centre);
    enter(universe, part);
  }

  static SampleBox element_box(const Lattice& lattice) {
    SampleBox box{{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    const bool is_hexagonal = lattice.kind == LatticeKind::hexagonal;
    for (std::size_t a = 0; a < 3; ++a) {
      if (!(lattice.pitch[a] > 0) || lattice.inverse_pitch[a] == 0) continue;
      const double half = lattice.pitch[a] / 2;
      const double half_width = is_hexagonal && a < 2 ? half / transport_kernels::half_sqrt3 : half;
      box.lower[a] = -half_width;
      box.upper[a] = half_width;
    }
    return box;
  }

  const Geometry& g_;
  GeometryView view_;
  std::vector<int> entered_;  ///< instances of each universe visited so far
  std::vector<CellInstance> instances_;
};

}  // namespace

std::vector<CellInstance> instances_of_cells(const Geometry& geometry, const SampleBox& box) {
  return InstanceFinder(geometry).run(box);
}

}  // namespace gsim::transport
