#pragma once
// The results of batches, as series and totals.

#include <array>
#include <string_view>
#include <vector>

#include "gsim/core/digest.hpp"
#include "gsim/io/dataset.hpp"
#include "src/modules/transport/tracking/histories.hpp"

namespace gsim::transport {

/// The mean values of each batch, and totals of the counts.
class BatchSeries {
 public:
  void add(const BatchSums& sums);
  /// Adds only the lost particles, of a batch that generates weight windows.
  void add_lost(const BatchSums& sums);
  Index batches() const { return static_cast<Index>(k_collision.size()); }

  /// By batch, as in BatchSums.
  std::vector<double> k_collision, k_absorption, k_track_length, leakage, timed_out;
  std::int64_t collisions = 0, flights = 0, secondaries = 0, lost = 0;
  std::int64_t overlapping = 0;  ///< number of lost particles in two cells at once; ends the run
  LostParticle first_lost;       ///< the first one of the first batch in which a particle was lost

  /// Writes datasets below `group`, which are equal on every rank.
  void save(DatasetWriter& writer, const std::string& group) const;
  void restore(DatasetReader& reader, const std::string& group);
  void add_to(Digest& digest) const;
};

}  // namespace gsim::transport
