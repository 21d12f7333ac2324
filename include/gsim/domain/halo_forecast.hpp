#pragma once
// Predicts the halo exchange of a run on many ranks within one process: a dry run of Decomposition
// and HaloPlan for `gsim check --ranks N`.

#include <span>

#include "gsim/core/types.hpp"
#include "gsim/domain/decomposition.hpp"

namespace gsim {

/// Sums and maxima over the simulated ranks, of one halo exchange.
struct HaloForecast {
  int ranks = 1;
  Index particles = 0;
  Index max_particles = 0;  ///< maximum number of particles of one rank
  Index ghosts = 0;         ///< sum over all ranks
  Index max_ghosts = 0;     ///< maximum number of ghosts of one rank
  Index messages = 0;       ///< number of messages of all ranks that carry particles
  Index max_messages = 0;   ///< maximum number of messages of one rank
  double imbalance = 1;     ///< max_particles divided by the mean; 1 without particles

  /// Bytes that all ranks send with `row_bytes` per particle.
  Index bytes(Index row_bytes) const { return ghosts * row_bytes; }
};

/// Predicts the exchange that HaloPlan::build would plan if all particles of the run, at
/// `positions` (host memory), were divided by `decomposition`: it counts the same rows. InputError
/// as check_halo_width(). The cost is proportional to the number of particles times neighbouring
/// ranks.
HaloForecast forecast_halo(const Box& box, const Decomposition& decomposition,
                           std::span<const FixedPosition> positions, double width);

}  // namespace gsim
