#pragma once
// When pair lists may be made, and how long they are good for.

#include "gsim/domain/box.hpp"

namespace gsim::md {

/// InputError unless cutoff > 0, skin >= 0 and every periodic width of the box is at least twice
/// cutoff + skin.
void check_list_radius(const Box& box, double cutoff, double skin);

/// NumericalError where the box has become too narrow for the minimum image within the cutoff.
void check_box_width(const Box& box, double cutoff);

/// How far an atom may move, in `listed`, before lists that reach `skin` beyond the cutoff and were
/// made in that box may miss pairs within the cutoff in `now`; negative: they may already.
double allowed_move(const Box& listed, const Box& now, double cutoff, double skin);

}  // namespace gsim::md
