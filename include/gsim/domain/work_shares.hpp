#pragma once
// Shares of ranks in work that any of them can do, by their measured speeds. It changes which rank
// computes what, never the results.

#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/types.hpp"
#include "gsim/domain/load_balancer.hpp"
#include "gsim/domain/replicated.hpp"

namespace gsim {

/// Unequal processors or GPUs of one run get unequal shares of its paths or histories.
class WorkShares {
 public:
  /// The ranges of all ranks: in proportion to their speeds, or equal while these are unknown or
  /// differ by less than 5 %. The same on all ranks; not collective.
  ReplicatedDecomposition divide(const Communicator& communicator, IndexRange items) const;
  /// This rank has computed `items` items in `seconds`, without waiting for other ranks. Times are
  /// added up to a millisecond, below which they say nothing of a processor: a rank that was slow
  /// once, and has a small share since, is measured again. Collective.
  void measure(const Communicator& communicator, Index items, double seconds);
  /// Speeds of all ranks relative to their mean; empty: equal shares.
  const std::vector<double>& speeds() const { return speeds_; }

 private:
  SpeedMeter meter_;
  Index items_ = 0;  ///< that have not been measured yet
  double seconds_ = 0;
  std::vector<double> speeds_;
};

}  // namespace gsim
