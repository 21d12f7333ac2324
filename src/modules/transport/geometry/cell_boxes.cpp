// Boxes around regions, from the half-spaces that are bounded by themselves.

#include "src/modules/transport/geometry/cell_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gsim/core/error.hpp"

namespace gsim::transport {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

SampleBox all_space() {
  return {{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
}

/// Cuts `box` to what surface s leaves on its negative side, within [centre - r, centre + r] along
/// an axis.
void cut(SampleBox& box, std::size_t axis, double centre, double r) {
  box.lower[axis] = std::max(box.lower[axis], centre - r);
  box.upper[axis] = std::min(box.upper[axis], centre + r);
}

SampleBox box_of(const Surface& s, bool is_positive) {
  SampleBox box = all_space();
  const auto form = static_cast<std::size_t>(s.form);
  if (s.form <= SurfaceForm::z_plane) {
    (is_positive ? box.lower : box.upper)[form] = s.p[0];
    return box;
  }
  if (is_positive) return box;
  if (s.form == SurfaceForm::sphere) {
    for (std::size_t a = 0; a < 3; ++a) cut(box, a, s.p[a], std::sqrt(s.p[3]));
  } else if (s.form >= SurfaceForm::x_cylinder && s.form <= SurfaceForm::z_cylinder) {
    const std::size_t axis = form - static_cast<std::size_t>(SurfaceForm::x_cylinder);
    cut(box, axis == 0 ? 1 : 0, s.p[0], std::sqrt(s.p[2]));
    cut(box, axis == 2 ? 1 : 2, s.p[1], std::sqrt(s.p[2]));
  } else if (s.form >= SurfaceForm::x_torus && s.form <= SurfaceForm::z_torus) {
    const std::size_t axis = form - static_cast<std::size_t>(SurfaceForm::x_torus);
    for (std::size_t a = 0; a < 3; ++a) cut(box, a, s.p[a], a == axis ? s.p[4] : s.p[3] + s.p[5]);
  }
  return box;
}

SampleBox nothing() { return {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}}; }
SampleBox meet(SampleBox a, const SampleBox& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    a.lower[i] = std::max(a.lower[i], b.lower[i]);
    a.upper[i] = std::min(a.upper[i], b.upper[i]);
  }
  return a;
}
bool is_empty(const SampleBox& box) {
  return box.lower[0] > box.upper[0] || box.lower[1] > box.upper[1] || box.lower[2] > box.upper[2];
}
/// Around both.
SampleBox around(SampleBox a, const SampleBox& b) {
  if (is_empty(a)) return b;
  if (is_empty(b)) return a;
  for (std::size_t i = 0; i < 3; ++i) {
    a.lower[i] = std::min(a.lower[i], b.lower[i]);
    a.upper[i] = std::max(a.upper[i], b.upper[i]);
  }
  return a;
}

SampleBox box_of_half_space(const Geometry& g, std::int32_t h) {
  return box_of(g.surfaces[static_cast<std::size_t>(h >> 1)], (h & 1) != 0);
}

/// Around what the steps of [first, last) accept: from the last one back, since jumps go forward.
SampleBox box_of_steps(const Geometry& g, std::int32_t first, std::int32_t last) {
  std::vector<SampleBox> from(static_cast<std::size_t>(last - first));
  const auto beyond = [&](std::int32_t next) {
    if (next == RegionStep::inside) return all_space();
    return next < 0 ? nothing() : from[static_cast<std::size_t>(next - first)];
  };
  for (std::int32_t i = last - 1; i >= first; --i) {
    const RegionStep& step = g.steps[static_cast<std::size_t>(i)];
    from[static_cast<std::size_t>(i - first)] =
        around(meet(box_of_half_space(g, step.half_space), beyond(step.if_true)),
               meet(box_of_half_space(g, step.half_space ^ 1), beyond(step.if_false)));
  }
  return from.front();
}

}  // namespace

SampleBox box_of_cell(const Geometry& g, std::size_t index) {
  const Cell& cell = g.cells[index];
  if (cell.first_step >= 0) {
    auto last = static_cast<std::int32_t>(g.steps.size());
    for (std::size_t i = index + 1; i < g.cells.size(); ++i)
      if (g.cells[i].first_step >= 0) last = std::min(last, g.cells[i].first_step);
    return box_of_steps(g, cell.first_step, last);
  }
  SampleBox box = all_space();
  for (const CellSurface& side : g.surfaces_of(cell))
    box = meet(box, box_of_half_space(g, side.half_space));
  return box;
}

SampleBox box_of_root(const Geometry& geometry) {
  SampleBox box = nothing();
  for (std::size_t i = 0; i < geometry.cells.size(); ++i)
    if (geometry.cells[i].universe == geometry.root) box = around(box, box_of_cell(geometry, i));
  return box;
}

SampleBox bounding_box(const Geometry& geometry) {
  const SampleBox box = box_of_root(geometry);
  for (std::size_t a = 0; a < 3; ++a)
    if (!(std::isfinite(box.lower[a]) && std::isfinite(box.upper[a])))
      throw InputError(
          std::string("the geometry has no bounds along ") + "xyz"[a] +
          " that its planes, spheres, cylinders and tori show; give the box that is meant");
  return box;
}

}  // namespace gsim::transport
