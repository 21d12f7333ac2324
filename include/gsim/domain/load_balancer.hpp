#pragma once
// Load balancing: new cuts of the decomposition from measured work. It changes which rank computes
// what, never the results.

#include <cstdint>
#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/types.hpp"
#include "gsim/domain/decomposition.hpp"

namespace gsim {

/// Recursive bisection into bricks of equal work per speed: each cut, across the longest side of a
/// brick, divides the weight of its particles in proportion to the summed speeds of the ranks on
/// both sides, to within one unit of the cut coordinate. `positions` and `weights` (>= 0; empty:
/// every particle has weight 1) are this rank's, in host memory; `speed` > 0 is this rank's, in any
/// common unit. The result is the same on all ranks and for any distribution of the same particles.
/// Collective. InputError for a negative weight or a speed that is not positive and finite.
Decomposition balanced_decomposition(const Communicator& communicator, const Box& box,
                                     std::span<const FixedPosition> positions,
                                     std::span<const std::int64_t> weights, double speed = 1.0);

/// As above for `ranks` >= 1 ranks of equal speed, which need not exist, from all positions with
/// equal weights. Not collective; for forecasts, or where every rank has all positions.
Decomposition balanced_decomposition(const Box& box, std::span<const FixedPosition> positions,
                                     int ranks);

/// Maximum divided by mean of the `load` of all ranks; 1 if all loads are 0. Collective, the same
/// on all ranks.
double imbalance(const Communicator& communicator, double load);

/// Measures the speed of a rank from the time of its own work. Work is counted and reflects the
/// current distribution of particles; time is measured and reflects the processor only, so it can
/// be averaged over long times, and short disturbances do not move boundaries.
class SpeedMeter {
 public:
  /// Adds computing time of this rank in seconds, without waiting for other ranks.
  void add(double seconds) { seconds_ += seconds; }
  /// Ends an interval. `steps`: number of its steps, all of which did the same work; 0: the
  /// interval is ignored.
  void end_interval(Index steps);
  /// The speed of this rank if each step since the last call did `work`: from the median over the
  /// intervals of the time per step, averaged with the previous estimate. Ranks without data get
  /// the mean of the others, or 1 if there are none. Collective.
  double speed(const Communicator& communicator, double work);

 private:
  double seconds_ = 0, speed_ = 0;
  std::vector<double> seconds_per_step_;
};

}  // namespace gsim
