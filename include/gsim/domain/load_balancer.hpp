#pragma once
// New cuts from measured work. It changes who computes what, never what is computed.

#include <cstdint>
#include <span>

#include "gsim/comm/communicator.hpp"
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

/// Decides when new cuts are worth their cost, from the time that each rank's own work took.
class LoadBalancer {
 public:
  /// Balances when the slowest rank takes more than `tolerance` (0.05: 5 %) over the mean.
  explicit LoadBalancer(double tolerance = 0.05) : tolerance_(tolerance) {}

  /// Adds seconds that this rank has computed, waiting for others not included.
  void add(double seconds) { seconds_ += seconds; }
  /// This rank's since the last take_imbalance().
  double seconds() const { return seconds_; }
  /// Largest over mean of all ranks' seconds since the last call, 1 when none has any; begins anew.
  /// Collective, the same on all ranks.
  double take_imbalance(const Communicator& communicator);
  /// Whether an imbalance calls for new cuts.
  bool is_due(double imbalance) const { return imbalance > 1.0 + tolerance_; }

 private:
  double tolerance_;
  double seconds_ = 0;
};

}  // namespace gsim
