#include "src/modules/md/neighbour_lists/list_limits.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "kernels/md/neighbour_lists/shrinkage.hpp"
#include "src/modules/md/cube_root.hpp"

namespace gsim::md {

double shrinkage(const Box& from, const Box& to) {
  return md_kernels::shrinkage(from.matrix(0).data(), to.matrix(0).data());
}

void check_list_radius(const Box& box, double cutoff, double skin) {
  if (!(cutoff >= 0) || !(skin >= 0) || !(cutoff + skin > 0) || !std::isfinite(cutoff + skin))
    throw InputError("the cutoff and the skin must not be negative, and not both be 0");
  for (int a = 0; a < 3; ++a)
    if (box.boundary(a) == Boundary::periodic && box.width(a) < 2 * (cutoff + skin))
      throw InputError(
          "the box is narrower than twice cutoff + skin along a periodic axis, so "
          "an atom would interact with two images of another one; make the box larger");
}

double list_margin(const Box& box, int ranks, double cutoff, double skin, double widest,
                   double narrowing) {
  double radius = cutoff + widest;
  for (int a = 0; a < 3; ++a)
    if (box.boundary(a) == Boundary::periodic)
      radius = std::min(radius, narrowing / 2 * box.width(a));
  if (ranks > 1) {
    // The volume of a cubic domain and of its ghosts, which extend by `width`.
    const auto with_ghosts = [&](double edge, double width) {
      return (edge + 2 * width) * (edge + 2 * width) * (edge + 2 * width);
    };
    const double own_volume = box.volume() / ranks, edge = cube_root(own_volume);
    const double ghosts = with_ghosts(edge, cutoff + skin) - own_volume;
    radius = std::min(radius, (cube_root(own_volume + 1.5 * ghosts) - edge) / 2);
  }
  return std::max(skin, radius - cutoff);
}

void check_box_width(const Box& box, double reach) {
  for (int a = 0; a < 3; ++a)
    if (box.boundary(a) == Boundary::periodic && box.width(a) < 2 * reach)
      throw NumericalError(fmt::format(
          "the box has shrunk to a width of {:.6g} across {}, less than twice the distance, "
          "{:.6g}, within which atoms interact, so an atom would interact with two images of "
          "another "
          "one; start with more atoms, or with a pressure that changes the density less",
          box.width(a), "xyz"[a], reach));
}

double fitting_skin(const Box& box, double reach, double skin) {
  check_box_width(box, reach);
  constexpr double rounding = 1e-12;  // keeps 2 (reach + skin) below the rounded width
  for (int a = 0; a < 3; ++a)
    if (box.boundary(a) == Boundary::periodic && box.width(a) < 2 * (reach + skin))
      skin = std::max(0.0, (1 - rounding) / 2 * box.width(a) - reach);
  return skin;
}

double allowed_move(const Box& listed, const Box& now, double cutoff, double skin) {
  return md_kernels::allowed_move(listed.matrix(0).data(), now.matrix(0).data(), cutoff, skin);
}

}  // namespace gsim::md
