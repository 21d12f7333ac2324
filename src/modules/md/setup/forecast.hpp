#pragma once
// Estimate of the memory of a run before it starts, for `gsim check`.

#include <string>
#include <vector>

#include "src/modules/md/setup/start_system.hpp"

namespace gsim::md {

struct RunForecast {
  double bytes_per_rank = 0;       ///< memory of the rank that needs the most
  std::vector<std::string> notes;  ///< lines of output
};

/// Settings that determine the memory of pair forces.
struct PairMemory {
  double list_radius = 0, cutoff = 0;
  bool mixed = true;           ///< whether forces are computed in mixed precision
  bool full_lists = false;     ///< full neighbour lists; else cluster lists
  bool on_device = false;      ///< forecast the memory of a CUDA device; else of the process
  bool ghosts_listed = false;  ///< ghosts have rows in full lists
  int threads = 1;             ///< number of threads of a rank
  /// Electron densities per pair of an embedded-atom potential: 1, or 2 with several types; 0
  /// without such a potential.
  int densities = 0;
};

/// Forecast for a run of `system` on `ranks` ranks with a halo of this `width`. With `dry_run` the
/// exchange of ghosts is planned for every rank (domain/halo_forecast.hpp), which takes the memory
/// of all positions; otherwise, and above 20 million atoms, the number of ghosts is estimated from
/// the density. Throws the InputError of check_halo_width().
RunForecast forecast_run(const StartSystem& system, int ranks, double width,
                         const PairMemory& pairs, bool dry_run);

}  // namespace gsim::md
