#pragma once
// How long a shortened pair list is to last. No result depends on it.

#include "gsim/core/types.hpp"

namespace gsim::md {

/// A list that reaches `cutoff + 2 reach` is good until an atom has moved by `reach`. The shorter
/// it is the less each step costs, and the oftener it is made, from all that is listed. With the
/// entries that all E and the short list e have, growing like the cube of the radius R plus a
/// cluster's extent x, atoms that move by at most u a step, and k the time to look at a cluster
/// pair in that of computing it, a step costs e(R + 2 reach) + k E u / reach. That is least for
/// reach^2 = k E u (R + x) / (6 e).
class ListSchedule {
 public:
  /// `ratio`: k.
  ListSchedule(double cutoff, double ratio) : cutoff_(cutoff), ratio_(ratio) {}

  /// One step further, at which the farthest atom was `moved` from where shortened() saw it.
  void step(double moved) {
    ++age_;
    if (moved > 0) move_per_step_ = moved / static_cast<double>(age_);
  }
  /// The reach of a list that is shortened now; atoms may move by `room` before all is made anew,
  /// and that is divided evenly. `extent`: x.
  double choose(double room, double extent) const;
  /// Whether a list of that reach saves more than it costs, beside all that is listed up to `skin`
  /// beyond the cutoff.
  bool pays(double reach, double skin, double extent) const;
  /// What became of it: cluster pairs in all, and in the short list.
  void shortened(Index all, Index near);

 private:
  double cutoff_, ratio_;
  double move_per_step_ = 0;  // of the atom that moves farthest; 0: not known
  double shortening_ = 1;
  Index age_ = 0;
};

}  // namespace gsim::md
