#pragma once
// The choice of the length of shortened pair lists. No result depends on it.

#include "gsim/core/types.hpp"

namespace gsim::md {

/// A list that reaches `cutoff + 2 reach` is valid until an atom has moved by `reach`. The shorter
/// it is, the less each step costs, and the more often it has to be made from the long list. With E
/// entries of the long list and e of the short one, which grows like the cube of the radius R plus
/// a cluster's extent x, atoms that move by at most u a step, and k the time to check a cluster
/// pair over that of computing it, a step costs e(R + 2 reach) + k E u / reach. The minimum is at
/// reach^2 = k E u (R + x) / (6 e).
class ListSchedule {
 public:
  /// `ratio`: k.
  ListSchedule(double cutoff, double ratio) : cutoff_(cutoff), ratio_(ratio) {}

  /// Counts a step, after which the farthest atom has moved by `moved` since shortened().
  void step(double moved) {
    ++age_;
    if (moved > 0) move_per_step_ = moved / static_cast<double>(age_);
  }
  /// The reach of a list that is shortened now; atoms may move by `room` before the long list is
  /// made again, which is divided evenly. `extent`: x.
  double choose(double room, double extent) const;
  /// Whether a short list of that reach saves time compared with the long list up to `skin` beyond
  /// the cutoff.
  bool pays(double reach, double skin, double extent) const;
  /// Stores the numbers of cluster pairs in the long and in the short list.
  void shortened(Index all, Index near);

 private:
  double cutoff_, ratio_;
  double move_per_step_ = 0;  // of the atom that moves farthest; 0: not known
  double shortening_ = 1;
  Index age_ = 0;
};

}  // namespace gsim::md
