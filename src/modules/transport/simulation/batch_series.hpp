#pragma once
// What batches gave, one after the other.

#include <array>
#include <string_view>
#include <vector>

#include "gsim/core/digest.hpp"
#include "gsim/io/dataset.hpp"
#include "src/modules/transport/tracking/histories.hpp"

namespace gsim::transport {

/// One value a batch of each of a batch's sums, and the totals of what is counted.
class BatchSeries {
 public:
  void add(const BatchSums& sums);
  /// The particles alone that were lost in a batch that does not count.
  void add_lost(const BatchSums& sums);
  Index batches() const { return static_cast<Index>(k_collision.size()); }

  std::vector<double> k_collision, k_absorption, k_track_length, leakage, timed_out;
  std::int64_t collisions = 0, flights = 0, secondaries = 0, lost = 0;
  std::int64_t overlapping = 0;  ///< of the lost ones; a run ends at the first one
  LostParticle first_lost;       ///< of the first batch that lost one

  /// Datasets below `group`, whole on every rank.
  void save(DatasetWriter& writer, const std::string& group) const;
  void restore(DatasetReader& reader, const std::string& group);
  void add_to(Digest& digest) const;
};

}  // namespace gsim::transport
