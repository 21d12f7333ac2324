#pragma once
// What a run on many ranks would send, found in one process and without a message: a dry run of
// Decomposition and HaloPlan for `gsim check --ranks N`.

#include <span>

#include "gsim/core/types.hpp"
#include "gsim/domain/decomposition.hpp"

namespace gsim {

/// Sums and extremes over the pretended ranks, of one halo exchange.
struct HaloForecast {
  int ranks = 1;
  Index particles = 0;
  Index most_particles = 0;  ///< of one rank
  Index ghosts = 0;          ///< of all ranks
  Index most_ghosts = 0;     ///< of one rank
  Index messages = 0;        ///< sent by all ranks; only those that carry particles
  Index most_messages = 0;   ///< sent by one rank
  double imbalance = 1;      ///< most_particles over the mean, 1 without particles

  /// Bytes that all ranks send for `row_bytes` a particle.
  Index bytes(Index row_bytes) const { return ghosts * row_bytes; }
};

/// The exchange that HaloPlan::build would plan if all particles of the run, at `positions` (host
/// memory), were divided by `decomposition`: the same rows, counted. InputError as
/// check_halo_width. Takes time in proportion to particles times neighbouring ranks.
HaloForecast forecast_halo(const Box& box, const Decomposition& decomposition,
                           std::span<const FixedPosition> positions, double width);

}  // namespace gsim
