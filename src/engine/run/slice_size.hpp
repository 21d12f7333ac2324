#pragma once
// The number of units before the next control point. Rank 0 decides and broadcasts it. It changes
// when ranks communicate and signals are handled, but never the results.

#include "gsim/core/types.hpp"

namespace gsim::engine {

class SliceSize {
 public:
  /// `grain`: units that all ranks and threads compute at the same time (WorkPlan::units_at_once);
  /// slices are multiples of it. `fixed` > 0 sets the size of every slice.
  SliceSize(Index grain, Index fixed)
      : grain_(grain < 1 ? 1 : grain), fixed_(fixed), max_next_(grain_) {}

  /// Updates the measured speed by a slice of `units` units that took `seconds`.
  void update(Index units, double seconds);
  /// Units of the next slice, for slices of at most `target` seconds where one of `grain` units
  /// does not take longer. Before an evaluation point, `left` units ahead, a slice is extended by
  /// up to a half of its time so that no short one is left.
  Index next(double target, Index left) const;
  /// Measured speed in units per second; 0 before the first slice.
  double units_per_second() const { return speed_; }

 private:
  Index grain_, fixed_;
  Index max_next_;  // limit on the next slice; each slice of this size raises it eightfold
  double speed_ = 0;
};

}  // namespace gsim::engine
