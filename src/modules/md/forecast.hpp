#pragma once
// What a run will need, before it runs: `gsim check`.

#include <string>
#include <vector>

#include "src/modules/md/start/start_system.hpp"

namespace gsim::md {

struct RunForecast {
  double bytes_per_rank = 0;       ///< of the rank that needs most
  std::vector<std::string> notes;  ///< lines for people
};

/// A run of `system` on `ranks` ranks of `threads` threads whose ghosts reach `width` far, listing
/// pairs within `list_radius`. With `dry_run` the exchange of ghosts is planned for every rank
/// (domain/halo_forecast.hpp), which takes the memory of all positions; without, its size is
/// reckoned from the density. InputError as check_halo_width.
RunForecast forecast_run(const StartSystem& system, int ranks, int threads, double width,
                         double list_radius, bool dry_run);

}  // namespace gsim::md
