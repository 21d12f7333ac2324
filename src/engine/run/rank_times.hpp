#pragma once
// Where the time of all ranks went: what each was busy with, and where it waited for others.

#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/json.hpp"
#include "gsim/core/timer.hpp"

namespace gsim::engine {

/// Seconds over ranks.
struct Spread {
  double least = 0, mean = 0, most = 0;
};

/// But for the number of ranks, known to rank 0 alone.
struct RankTimes {
  struct Region {
    std::string name;
    Spread busy, waiting;
  };
  int ranks = 0;
  std::vector<Region> regions;  ///< of all ranks, in the order of the first that has it
  Spread busy, waiting;         ///< of each rank's sums

  /// {"busy": {"min": …, "mean": …, "max": …}, "waiting": …, "regions": {NAME: {"busy": …, …}}}
  Json json() const;
};

/// What was added between two looks at a RegionTimer, of which `before` has the first regions of
/// `after`. Collective.
RankTimes rank_times(const Communicator& communicator, const std::vector<RegionTime>& before,
                     const std::vector<RegionTime>& after);

}  // namespace gsim::engine
