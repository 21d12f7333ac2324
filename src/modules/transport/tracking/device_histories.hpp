#pragma once
// Histories on a CUDA device: one thread each, in passes
// (kernels/transport/tracking/histories.hpp).

#include <functional>
#include <vector>

#include "gsim/exec/array.hpp"
#include "kernels/transport/tracking/histories.hpp"

namespace gsim::transport {

/// What histories leave behind.
struct HistoryLists {
  std::vector<FissionSite>& fission_sites;
  std::vector<CrossingRecord>& crossings;
};

/// Runs batches on a device. Particles that outlive a pass, or that histories leave in the bank, go
/// on in the next one; if a list overflows, the batch is run again with more room, so that results
/// never depend on it.
class DeviceHistories {
 public:
  explicit DeviceHistories(const Executor& executor);

  /// Runs the batch of `args`, whose sites and particles are in host memory and whose other views
  /// are on the device. `undo` takes back what a batch that is run again has added elsewhere.
  /// Fission sites are given in their order, crossings in any.
  HistoryScores run(HistoriesArgs args, const std::function<void()>& undo,
                    const HistoryLists& lists);

  /// Begins a batch that is run in parts; `args` are of the whole batch.
  void begin_batch(const HistoriesArgs& args);
  /// Runs a part of a batch in one of several domains, whose sites, particles and arrivals are in
  /// host memory, and adds those that leave the domain to `leaving`.
  HistoryScores run_part(HistoriesArgs args, std::vector<SuspendedParticle>& leaving);
  /// Ends the batch that such parts made, and gives what it left, in any order. False: a list was
  /// too short; it has room now, and all ranks have to run the batch again.
  bool end_batch(const HistoryLists& lists) const;
  /// Where the history was lost: it is run once more, alone. Tallies are not told. `args`: of the
  /// batch, with sites and particles in host memory.
  LostParticle find_lost(HistoriesArgs args, std::int64_t history);

 private:
  struct Counts {
    Index sites = 0, crossings = 0, secondaries = 0, departures = 0, suspended = 0;
  };
  void upload_starts(HistoriesArgs& args);
  HistoryScores pass(HistoriesArgs& args, Counts& counts);
  bool try_run(HistoriesArgs batch, HistoryScores& sum,
               std::vector<SuspendedParticle>* leaving = nullptr);

  Executor executor_;
  Array<FissionSite> start_sites_, sites_;
  Array<CrossingRecord> crossings_;
  Array<SourceParticle> start_particles_;
  Array<BankedParticle> secondaries_, banked_;
  Array<SuspendedParticle> departures_, resumed_;
  Array<SuspendedParticle> suspended_, followed_;  ///< of this pass, and of the one before
  Array<GrowingList<FissionSite>> site_list_;
  Array<GrowingList<CrossingRecord>> crossing_list_;
  Array<GrowingList<BankedParticle>> secondary_list_;
  Array<GrowingList<SuspendedParticle>> departure_list_, suspended_list_;
  Array<HistoryScores> scores_;
  Index kept_sites_ = 0, kept_crossings_ = 0;  ///< of the batch so far
  bool had_room_ = true;                       ///< all parts of the batch so far
};

}  // namespace gsim::transport
