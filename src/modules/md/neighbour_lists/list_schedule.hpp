#pragma once
// The choice of the radius of shortened pair lists. Results do not depend on it.

#include "gsim/core/types.hpp"

namespace gsim::md {

/// A list of the pairs within cutoff + 2 reach is valid until an atom has moved by `reach`. A
/// shorter list makes a step cheaper, but has to be made from the long list more often. Let E be
/// the number of cluster pairs in the long list, and e(r) that in a list of radius r, which is
/// proportional to (r + x)^3, where x is the extent of a cluster. Let R be the cutoff, u the
/// largest displacement of an atom in a step, and k the time to check a cluster pair divided by
/// the time to compute it. A step then costs e(R + 2 reach) + k E u / reach, in units of the time
/// to compute a cluster pair; the minimum is at reach^2 = k E u (R + x) / (6 e(R)).
class ListSchedule {
 public:
  /// `ratio`: k.
  ListSchedule(double cutoff, double ratio) : cutoff_(cutoff), ratio_(ratio) {}

  /// Counts a step; `moved` is the largest displacement of an atom since record_shortening().
  void step(double moved) {
    ++age_;
    if (moved > 0) move_per_step_ = moved / static_cast<double>(age_);
  }
  /// The reach of a short list that is made now. Atoms may move by `max_reach` before the long list
  /// must be rebuilt; the reach is `max_reach` divided by a whole number. `extent`: x.
  double choose_reach(double max_reach, double extent) const;
  /// Whether a short list of this reach saves time compared with the long list of pairs within
  /// cutoff + skin.
  bool saves_time(double reach, double skin, double extent) const;
  /// Stores the numbers of cluster pairs in the long list and in the short one that was made from
  /// it, and counts steps from 0 again.
  void record_shortening(Index long_pairs, Index short_pairs);

 private:
  double cutoff_, ratio_;
  double move_per_step_ = 0;  // largest displacement of an atom in a step; 0: unknown
  double shortening_ = 1;     // E / e of the last short list
  Index age_ = 0;             // steps since record_shortening()
};

}  // namespace gsim::md
