#pragma once
// Histories on a CUDA device: one thread per history, in passes
// (kernels/transport/tracking/histories.hpp).

#include <functional>
#include <vector>

#include "gsim/exec/array.hpp"
#include "kernels/transport/tracking/histories.hpp"

namespace gsim::transport {

/// The records that histories produce.
struct HistoryLists {
  std::vector<FissionSite>& fission_sites;
  std::vector<CrossingRecord>& crossings;
};

/// Runs batches on a device. Suspended particles and banked secondaries of a pass are transported
/// in the next one. If a list overflows, the batch is run again with larger lists, so that results
/// do not depend on their capacities.
class DeviceHistories {
 public:
  explicit DeviceHistories(const Executor& executor);

  /// Runs the batch of `args`, whose sites and particles are in host memory and whose other views
  /// are on the device. `undo` discards the tally contributions of a batch that is run again.
  /// Fission sites are returned in ascending order, crossings in any order.
  HistoryScores run(HistoriesArgs args, const std::function<void()>& undo,
                    const HistoryLists& lists);

  /// Begins a batch that is run in parts; `args` are those of the whole batch.
  void begin_batch(const HistoriesArgs& args);
  /// Runs a part of a batch in one domain. Its sites, particles and arrivals are in host memory.
  /// Particles that leave the domain are appended to `leaving`.
  HistoryScores run_part(HistoriesArgs args, std::vector<SuspendedParticle>& leaving);
  /// Ends a batch that was run in parts, and returns its records in any order. False: a list was
  /// too short; it has been enlarged, and all ranks must run the batch again.
  bool end_batch(const HistoryLists& lists) const;
  /// Finds the lost particle of a history by running it again, alone and without tallies. `args`:
  /// those of the batch, with sites and particles in host memory.
  LostParticle find_lost(HistoriesArgs args, std::int64_t history);

 private:
  /// Numbers of entries of the lists.
  struct Counts {
    Index sites = 0, crossings = 0, secondaries = 0, departures = 0, suspended = 0;
  };
  /// Copies sites, particles and arrivals to the device, and sets their views in `args`.
  void upload_starts(HistoriesArgs& args);
  /// Runs one pass. `counts`: sites and crossings before the pass; all counts after it.
  HistoryScores pass(HistoriesArgs& args, Counts& counts);
  /// Runs all passes of `batch`. False: a list was too short and has been enlarged.
  bool try_run(HistoriesArgs batch, HistoryScores& sum,
               std::vector<SuspendedParticle>* leaving = nullptr);

  Executor executor_;
  Array<FissionSite> start_sites_, sites_;  ///< where histories start; those that they produce
  Array<CrossingRecord> crossings_;
  Array<SourceParticle> start_particles_;
  /// Secondaries banked in this pass, and those of the previous pass, transported in this one.
  Array<BankedParticle> secondaries_, banked_;
  Array<SuspendedParticle> departures_, arrivals_;  ///< to and from other domains
  /// Particles suspended in this pass, and those of the previous pass, resumed in this one.
  Array<SuspendedParticle> suspended_, resumed_;
  Array<GrowingList<FissionSite>> site_list_;
  Array<GrowingList<CrossingRecord>> crossing_list_;
  Array<GrowingList<BankedParticle>> secondary_list_;
  Array<GrowingList<SuspendedParticle>> departure_list_, suspended_list_;
  Array<HistoryScores> scores_;
  Index kept_sites_ = 0, kept_crossings_ = 0;  ///< number of records of the batch so far
  bool has_capacity_ = true;                   ///< no list has overflowed in this batch
};

}  // namespace gsim::transport
