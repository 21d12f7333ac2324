// Bounding boxes of regions. Half-spaces of planes normal to an axis, spheres, and cylinders and
// tori parallel to an axis have exact bounds along the axes; regions with slanted surfaces get the
// boxes of intersections of all their half-spaces.

#include "src/modules/transport/geometry/bounds/cell_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gsim/core/error.hpp"
#include "src/modules/transport/geometry/bounds/half_space_bounds.hpp"

namespace gsim::transport {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

SampleBox all_space() {
  return {{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
}

/// Intersects `box` with [centre - r, centre + r] along an axis.
void cut(SampleBox& box, std::size_t axis, double centre, double r) {
  box.lower[axis] = std::max(box.lower[axis], centre - r);
  box.upper[axis] = std::min(box.upper[axis], centre + r);
}

/// The bounds along the axes of one side of a surface; infinite for slanted surfaces.
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

SampleBox empty_box() {
  return {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
}
bool is_empty(const SampleBox& box) {
  return box.lower[0] > box.upper[0] || box.lower[1] > box.upper[1] || box.lower[2] > box.upper[2];
}
/// The smallest box that contains a and b.
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

/// The box around the points that the steps [first, last) of a region accept. It is computed from
/// the last step to the first, since jumps only go forward.
SampleBox box_of_steps(const Geometry& g, std::int32_t first, std::int32_t last) {
  std::vector<SampleBox> box_from_step(static_cast<std::size_t>(last - first));
  const auto box_after = [&](std::int32_t next) {
    if (next == RegionStep::inside) return all_space();
    return next < 0 ? empty_box() : box_from_step[static_cast<std::size_t>(next - first)];
  };
  for (std::int32_t i = last - 1; i >= first; --i) {
    const RegionStep& step = g.steps[static_cast<std::size_t>(i)];
    box_from_step[static_cast<std::size_t>(i - first)] =
        around(intersection(box_of_half_space(g, step.half_space), box_after(step.if_true)),
               intersection(box_of_half_space(g, step.half_space ^ 1), box_after(step.if_false)));
  }
  return box_from_step.front();
}

using HalfSpaces = std::vector<std::int32_t>;  // ascending

/// The list with `half_space` added.
HalfSpaces with(HalfSpaces half_spaces, std::int32_t half_space) {
  const auto at = std::lower_bound(half_spaces.begin(), half_spaces.end(), half_space);
  if (at == half_spaces.end() || *at != half_space) half_spaces.insert(at, half_space);
  return half_spaces;
}

/// As box_of_steps(), for regions with slanted surfaces. Each path through the steps
/// contributes the box of the half-spaces that hold on all paths to its last step: for
/// intersections these are all half-spaces; alternatives within an intersection are left out, which
/// makes the box larger.
SampleBox slanted_box_of_steps(const Geometry& g, std::int32_t first, std::int32_t last) {
  struct StepState {
    bool is_reached = false;
    HalfSpaces half_spaces;  // that hold on all paths to the step
  };
  std::vector<StepState> states(static_cast<std::size_t>(last - first));
  states.front().is_reached = true;
  SampleBox box = empty_box();
  for (std::int32_t i = first; i < last; ++i) {
    const StepState here = std::move(states[static_cast<std::size_t>(i - first)]);
    if (!here.is_reached) continue;
    const RegionStep& step = g.steps[static_cast<std::size_t>(i)];
    const std::pair<std::int32_t, std::int32_t> branches[] = {{step.if_true, step.half_space},
                                                              {step.if_false, step.half_space ^ 1}};
    for (const auto& [next, half_space] : branches) {
      if (next == RegionStep::outside) continue;
      HalfSpaces holding = with(here.half_spaces, half_space);
      if (next == RegionStep::inside) {
        box = around(box, box_around_all(g, holding));
        continue;
      }
      StepState& target = states[static_cast<std::size_t>(next - first)];
      if (target.is_reached)
        holding.erase(std::remove_if(holding.begin(), holding.end(),
                                     [&target](std::int32_t h) {
                                       return !std::binary_search(target.half_spaces.begin(),
                                                                  target.half_spaces.end(), h);
                                     }),
                      holding.end());
      target.is_reached = true;
      target.half_spaces = std::move(holding);
    }
  }
  return box;
}

/// `exact`, except where `other`, which is correct up to rounding, is smaller by more than
/// rounding. Exact bounds are thus kept to the bit.
SampleBox smaller_bounds(SampleBox exact, const SampleBox& other) {
  if (is_empty(exact) || is_empty(other)) return other;
  for (std::size_t a = 0; a < 3; ++a) {
    const double rounding =
        1e-6 * std::max(1.0, std::isfinite(other.lower[a]) && std::isfinite(other.upper[a])
                                 ? std::max(std::abs(other.lower[a]), std::abs(other.upper[a]))
                                 : 0.0);
    if (other.lower[a] > exact.lower[a] + rounding) exact.lower[a] = other.lower[a];
    if (other.upper[a] < exact.upper[a] - rounding) exact.upper[a] = other.upper[a];
  }
  return exact;
}

}  // namespace

SampleBox box_of_cell(const Geometry& g, std::size_t index) {
  const Cell& cell = g.cells[index];
  const auto sides = g.surfaces_of(cell);
  const bool has_slanted = std::any_of(sides.begin(), sides.end(), [&g](const CellSurface& side) {
    return is_slanted(g.surfaces[static_cast<std::size_t>(side.half_space >> 1)]);
  });
  if (cell.first_step >= 0) {
    auto last = static_cast<std::int32_t>(g.steps.size());
    for (std::size_t i = index + 1; i < g.cells.size(); ++i)
      if (g.cells[i].first_step >= 0) last = std::min(last, g.cells[i].first_step);
    const SampleBox box = box_of_steps(g, cell.first_step, last);
    return has_slanted ? smaller_bounds(box, slanted_box_of_steps(g, cell.first_step, last)) : box;
  }
  SampleBox box = all_space();
  HalfSpaces half_spaces;
  for (const CellSurface& side : sides) {
    box = intersection(box, box_of_half_space(g, side.half_space));
    half_spaces.push_back(side.half_space);
  }
  return has_slanted ? smaller_bounds(box, box_around_all(g, half_spaces)) : box;
}

SampleBox box_of_root(const Geometry& geometry) {
  SampleBox box = empty_box();
  for (std::size_t i = 0; i < geometry.cells.size(); ++i)
    if (geometry.cells[i].universe == geometry.root) box = around(box, box_of_cell(geometry, i));
  return box;
}

SampleBox bounding_box(const Geometry& geometry) {
  const SampleBox box = box_of_root(geometry);
  for (std::size_t a = 0; a < 3; ++a)
    if (!(std::isfinite(box.lower[a]) && std::isfinite(box.upper[a])))
      throw InputError(
          std::string("the bounds of the geometry along ") + "xyz"[a] +
          " do not follow from its planes, tori and surfaces of second order; give a box");
  return box;
}

}  // namespace gsim::transport
