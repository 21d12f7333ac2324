#pragma once
// The time of all ranks by region, divided into computing and waiting for other ranks.

#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/json.hpp"
#include "gsim/core/timer.hpp"

namespace gsim::engine {

/// Minimum, mean and maximum over ranks, in seconds.
struct Spread {
  double min = 0, mean = 0, max = 0;
};

/// All members but `ranks` are set on rank 0 only.
struct RankTimes {
  struct Region {
    std::string name;
    Spread busy, waiting;
  };
  int ranks = 0;
  std::vector<Region>
      regions;           ///< regions of all ranks, in the order of the lowest rank that has each
  Spread busy, waiting;  ///< of the sums over all regions of each rank

  /// {"busy": {"min": …, "mean": …, "max": …}, "waiting": …, "regions": {NAME: {"busy": …, …}}}
  Json json() const;
};

/// The differences between two states of a RegionTimer; `before` has the first regions of `after`.
/// Collective.
RankTimes rank_times(const Communicator& communicator, const std::vector<RegionTime>& before,
                     const std::vector<RegionTime>& after);

}  // namespace gsim::engine
