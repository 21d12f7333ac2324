#pragma once
// New cuts from measured work. It changes who computes what, never what is computed.

#include <cstdint>
#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/types.hpp"
#include "gsim/domain/decomposition.hpp"

namespace gsim {

/// Bricks of equal work per speed, by recursive bisection: each cut, across a brick's longest side,
/// divides the weight of its particles as the ranks' speeds on both sides ask, to one unit of the
/// cut coordinate. `positions` and `weights` (>= 0; none: every particle weighs 1) are this rank's,
/// in host memory; `speed` > 0 is this rank's, in any unit that all share. The same on all ranks,
/// and the same for any distribution of the same particles. Collective. InputError for a negative
/// weight or a speed that is not positive and finite.
Decomposition balanced_decomposition(const Communicator& communicator, const Box& box,
                                     std::span<const FixedPosition> positions,
                                     std::span<const std::int64_t> weights, double speed = 1.0);

/// The same for `ranks` >= 1 ranks that need not be there, equally fast, of positions that are all
/// at hand and weigh the same: what every rank, or a forecast, finds by itself. Not collective.
Decomposition balanced_decomposition(const Box& box, std::span<const FixedPosition> positions,
                                     int ranks);

/// Largest over mean of all ranks' `load`, 1 when none has any. Collective, the same on all ranks.
double imbalance(const Communicator& communicator, double load);

/// How fast a rank is, from the time that its own work took. Work is counted, time is measured: the
/// first says at once where particles are, the second only what processors are like, so it may be
/// averaged for long, and what disturbs a processor for a moment moves no border.
class SpeedMeter {
 public:
  /// Adds seconds that this rank has computed, waiting for others not included.
  void add(double seconds) { seconds_ += seconds; }
  /// Ends an interval of `steps` steps, those of which do the same work; 0: it tells nothing.
  void end_interval(Index steps);
  /// This rank's speed, if each step since the last call did `work`: from the median of the
  /// intervals' seconds a step, averaged with what was known. Ranks about which nothing is known
  /// get the mean of the others, 1 where there are none. Collective.
  double speed(const Communicator& communicator, double work);

 private:
  double seconds_ = 0, speed_ = 0;
  std::vector<double> seconds_per_step_;
};

}  // namespace gsim
