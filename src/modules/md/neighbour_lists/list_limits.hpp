#pragma once
// Conditions under which neighbour lists may be made, and for how long they are valid.

#include "gsim/domain/box.hpp"

namespace gsim::md {

/// Neighbours that a row of full lists has room for at first.
inline constexpr int full_list_capacity = 96;

/// InputError unless cutoff > 0, skin >= 0 and every periodic width of the box is at least twice
/// cutoff + skin.
void check_list_radius(const Box& box, double cutoff, double skin);

/// The distance by which lists on a host should reach beyond the cutoff, at least `skin`: the lists
/// of kernels are shortened from them, so that longer ones cost little, and are made less often. It
/// is smaller where the box leaves no room, or where there would be half as many ghosts again. A
/// periodic box may become `narrowing` times as wide (or as narrow as the skin allows, if that is
/// more) before check_list_radius refuses it.
double list_margin(const Box& box, int ranks, double cutoff, double skin, double narrowing = 0.8);

/// NumericalError where the box has become too narrow for the minimum image within `reach`.
void check_box_width(const Box& box, double reach);

/// At most `skin`; less where the box has become too narrow for twice `reach` and the skin.
/// NumericalError as check_box_width().
double fitting_skin(const Box& box, double reach, double skin);

/// An upper bound of the factor by which distances have decreased from box `from` to box `to`.
double shrinkage(const Box& from, const Box& to);

/// The distance by which an atom may move, in `listed`, before lists that reach `skin` beyond the
/// cutoff and were made in that box may miss pairs within the cutoff in `now`; negative: they may
/// miss some already.
double allowed_move(const Box& listed, const Box& now, double cutoff, double skin);

}  // namespace gsim::md
