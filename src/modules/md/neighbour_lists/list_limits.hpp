#pragma once
// Conditions for building neighbour lists, and for how long they are valid.

#include "gsim/domain/box.hpp"

namespace gsim::md {

/// The initial capacity of a row of full lists, in neighbours.
inline constexpr int full_list_capacity = 128;

/// InputError if cutoff or skin is negative or both are 0, or if a periodic width of the box is
/// less than twice cutoff + skin.
void check_list_radius(const Box& box, double cutoff, double skin);

/// The largest distance by which lists should extend beyond the cutoff. Kernels on a host use
/// shorter lists made from these, so that longer lists cost little and are rebuilt less often: 2.5
/// times the skin.
inline constexpr double widest_cluster_margin(double skin) { return 2.5 * skin; }
/// Full lists, as on devices, are used as they are. By the model of an H200 (scripts/gpu_model) a
/// Lennard-Jones liquid of 32,000 atoms with the cutoff 2.5 runs 12 % faster with a margin of 0.45
/// than with one of 0.3, since it is rebuilt every 12 instead of every 7 steps.
inline constexpr double widest_full_margin(double cutoff, double skin) {
  const double widest = 1.5 * skin < 0.18 * cutoff ? 1.5 * skin : 0.18 * cutoff;
  return widest < skin ? skin : widest;
}
/// The distance by which lists should extend beyond the cutoff: between `skin` and `widest`. Two
/// limits apply unless the result is `skin`: the list radius is at most `narrowing` times half of
/// each periodic width, so that check_list_radius() still accepts a box that has shrunk to
/// `narrowing` times its width; and the ghosts of a rank are at most 1.5 times those of the radius
/// cutoff + skin.
double list_margin(const Box& box, int ranks, double cutoff, double skin, double widest,
                   double narrowing = 0.8);

/// NumericalError if the box is too narrow for the minimum image within `reach`.
void check_box_width(const Box& box, double reach);

/// The largest skin up to `skin` for which the box is at least twice as wide as `reach` plus the
/// skin. NumericalError as check_box_width().
double fitting_skin(const Box& box, double reach, double skin);

/// An upper bound of the ratio of a distance in box `from` to the same distance in box `to`: above
/// 1 if the box has shrunk.
double shrinkage(const Box& from, const Box& to);

/// The displacement up to which lists are valid. They contain the pairs within cutoff + skin in the
/// box `listed`; while no atom has moved farther, in lengths of that box, they contain all pairs
/// within the cutoff in the box `now`. Negative if they may miss pairs already.
double allowed_move(const Box& listed, const Box& now, double cutoff, double skin);

}  // namespace gsim::md
