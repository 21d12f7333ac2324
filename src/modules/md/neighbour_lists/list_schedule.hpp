#pragma once
// The choice of the radius of shortened pair lists. Results do not depend on it.

#include "gsim/core/types.hpp"

namespace gsim::md {

/// A list of the pairs within cutoff + 2 reach is valid until an atom has moved by `reach`. A
/// shorter list makes a step cheaper and has to be made from the long list more often. Let E be the
/// number of entries of the long list, and e that of the short one, which grows like the cube of
/// the radius R plus the extent x of a cluster; let atoms move by at most u in a step, and k be the
/// time to check a cluster pair over the time to compute it. A step then costs e(R + 2 reach) + k E
/// u / reach, and the minimum is at reach^2 = k E u (R + x) / (6 e).
class ListSchedule {
 public:
  /// `ratio`: k.
  ListSchedule(double cutoff, double ratio) : cutoff_(cutoff), ratio_(ratio) {}

  /// Counts a step; `moved` is the largest displacement of an atom since record_shortening().
  void step(double moved) {
    ++age_;
    if (moved > 0) move_per_step_ = moved / static_cast<double>(age_);
  }
  /// The reach of a list that is made now. Atoms may move by `max_reach` before the long list must
  /// be rebuilt; `max_reach` is divided into equal parts. `extent`: x.
  double choose_reach(double max_reach, double extent) const;
  /// Whether a short list of this reach saves time compared with the long list of pairs within
  /// cutoff + skin.
  bool saves_time(double reach, double skin, double extent) const;
  /// Stores the numbers of cluster pairs in the long and in the short list.
  void record_shortening(Index long_pairs, Index short_pairs);

 private:
  double cutoff_, ratio_;
  double move_per_step_ = 0;  // largest displacement of an atom in a step; 0: unknown
  double shortening_ = 1;     // E / e
  Index age_ = 0;             // steps since shortened()
};

}  // namespace gsim::md
