#pragma once
// What a run will need, before it runs: `gsim check`.

#include <string>
#include <vector>

#include "src/modules/md/setup/start_system.hpp"

namespace gsim::md {

struct RunForecast {
  double bytes_per_rank = 0;       ///< of the rank that needs most
  std::vector<std::string> notes;  ///< lines for people
};

/// What decides how much memory pairs take.
struct PairMemory {
  double list_radius = 0, cutoff = 0;
  bool mixed = true;           ///< precision
  bool full_lists = false;     ///< else clusters
  bool on_device = false;      ///< a CUDA executor's memory is forecast, else the process's
  bool ghosts_listed = false;  ///< ghosts have rows in full lists
  int threads = 1;             ///< of a rank
  /// Of embedded atoms how many densities a pair has: 1, or 2 with several types; else 0.
  int densities = 0;
};

/// A run of `system` on `ranks` ranks whose ghosts reach `width` far. With `dry_run` the exchange
/// of ghosts is planned for every rank (domain/halo_forecast.hpp), which takes the memory of all
/// positions; without, and above 20 million atoms, its size is reckoned from the density.
/// InputError as check_halo_width.
RunForecast forecast_run(const StartSystem& system, int ranks, double width,
                         const PairMemory& pairs, bool dry_run);

}  // namespace gsim::md
