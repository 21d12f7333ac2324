#pragma once
// When pair lists may be made, how long they are good for, and what they have room for.

#include "gsim/domain/box.hpp"

namespace gsim::md {

/// Neighbours that a row of full lists has room for at first.
inline constexpr int full_list_capacity = 96;

/// InputError unless cutoff > 0, skin >= 0 and every periodic width of the box is at least twice
/// cutoff + skin.
void check_list_radius(const Box& box, double cutoff, double skin);

/// How far lists on a host are to reach beyond the cutoff, at least `skin`: what kernels get is
/// shortened from them, so that longer ones cost little, and are made anew more seldom. Less than
/// that pays where the box leaves no room, or where ghosts would become half as many again. A
/// periodic box may become `narrowing` times as wide (or as narrow as the skin allows, if that is
/// more) before check_list_radius refuses it.
double list_margin(const Box& box, int ranks, double cutoff, double skin, double narrowing = 0.8);

/// NumericalError where the box has become too narrow for the minimum image within `reach`.
void check_box_width(const Box& box, double reach);

/// At most `skin`; less where the box has become so narrow that it has no room for twice `reach`
/// and all of it. NumericalError as check_box_width().
double fitting_skin(const Box& box, double reach, double skin);

/// At most how much shorter a distance has become from box `from` to box `to`.
double shrinkage(const Box& from, const Box& to);

/// How far an atom may move, in `listed`, before lists that reach `skin` beyond the cutoff and were
/// made in that box may miss pairs within the cutoff in `now`; negative: they may already.
double allowed_move(const Box& listed, const Box& now, double cutoff, double skin);

}  // namespace gsim::md
