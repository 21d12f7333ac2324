#pragma once
// Histories on a CUDA device: one thread each, in passes.

#include <functional>
#include <vector>

#include "gsim/exec/array.hpp"
#include "kernels/transport/histories.hpp"

namespace gsim::transport {

/// Runs batches on a device. Particles that histories leave in the bank go on in the next pass; if
/// a list overflows, the batch is run again with more room, so that results never depend on it.
class DeviceHistories {
 public:
  explicit DeviceHistories(const Executor& executor);

  /// Runs the batch of `args`, whose sites and particles are in host memory and whose other views
  /// are on the device. `undo` takes back what a batch that is run again has added elsewhere.
  /// Fission sites are given in the order of parents and births.
  HistoryScores run(HistoriesArgs args, const std::function<void()>& undo,
                    std::vector<Site>& fission_sites);

 private:
  struct Counts {
    Index sites = 0, secondaries = 0;
  };
  HistoryScores pass(HistoriesArgs& args, Counts& counts);
  bool try_run(HistoriesArgs& args, HistoryScores& sum);
  LostParticle find_lost(HistoriesArgs args, std::int64_t history);

  Executor executor_;
  Array<Site> start_sites_, sites_;
  Array<SourceParticle> start_particles_;
  Array<ParticleRecord> secondaries_, continued_;
  Array<GrowingList<Site>> site_list_;
  Array<GrowingList<ParticleRecord>> secondary_list_;
  Array<HistoryScores> scores_;
  Index kept_sites_ = 0;  ///< of the passes so far
};

}  // namespace gsim::transport
