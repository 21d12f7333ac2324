#pragma once
// Histories on a CUDA device, in passes
// (kernels/transport/tracking/histories.hpp).

#include <functional>
#include <vector>

#include "gsim/exec/array.hpp"
#include "gsim/exec/transfer_buffers.hpp"
#include "kernels/transport/tracking/histories.hpp"
#include "src/modules/transport/tracking/site_order.hpp"

namespace gsim::transport {

/// The records that histories produce.
struct HistoryLists {
  std::vector<FissionSite>& fission_sites;
  std::vector<CrossingRecord>& crossings;
};

/// Runs batches on a device. Suspended particles and banked secondaries of a pass are transported
/// in the next one. Several passes are started without waiting for their results, about as many as
/// the last batch needed: the number of copies and synchronisations does not grow with that of
/// passes. If a list overflows, the batch is run again with larger lists, so that results do not
/// depend on their capacities.
class DeviceHistories {
 public:
  explicit DeviceHistories(const Executor& executor);

  /// Runs the batch of `args`, whose particles are in host memory and whose other views are on the
  /// device. `undo` discards the tally contributions of a batch that is run again. Crossings are
  /// returned in any order; fission sites remain on the device.
  HistoryScores run(HistoriesArgs args, const std::function<void()>& undo,
                    std::vector<CrossingRecord>& crossings);

  /// Begins a batch that is run in parts; `args` are those of the whole batch.
  void begin_batch(const HistoriesArgs& args);
  /// Runs a part of a batch in one domain. Its particles and arrivals are in host memory. Particles
  /// that leave the domain are appended to `leaving`.
  HistoryScores run_part(HistoriesArgs args, std::vector<SuspendedParticle>& leaving);
  /// False: a list was too short in the batch that was run in parts; it has been enlarged, and all
  /// ranks must run the batch again.
  bool has_capacity() const { return has_capacity_; }
  /// Copies the records of a batch that was run in parts to the host, in any order.
  void copy_records(const HistoryLists& lists) const;
  /// Replaces the fission sites by these, of host memory.
  void set_fission_sites(const std::vector<FissionSite>& sites);

  /// The fission sites in their order, on the device; their parents are in `parents`. Valid until
  /// the next batch.
  OrderedSites fission_sites(IndexRange parents);
  /// Finds the lost particle of a history by running it again, alone and without tallies. `args`:
  /// those of the batch, with particles in host memory. Fission sites remain those of the batch.
  LostParticle find_lost(HistoriesArgs args, std::int64_t history);

 private:
  /// The particles of the next pass, as far as the host has read them.
  struct Progress {
    Index resumed = 0, banked = 0, started = 0;  ///< PassItems
    Index passes = 0;                            ///< number of passes so far that had particles
    int last_buffer = 1;   ///< which of suspended_ and secondaries_ contain these particles
    bool is_first = true;  ///< no pass has been run yet: `resumed` particles are in arrivals_
    /// Number of particles of the next pass; `histories`: number of histories of the batch.
    Index items(Index histories) const {
      return resumed + banked + new_histories_in_pass(resumed + banked, histories - started);
    }
  };
  /// Copies particles and arrivals to the device, and sets their views in `args`.
  void upload_starts(HistoriesArgs& args);
  /// Runs all passes of `batch`. False: a list was too short and has been enlarged.
  bool try_run(const HistoriesArgs& batch, HistoryScores& sum,
               std::vector<SuspendedParticle>* leaving = nullptr);
  /// Runs `count` passes and copies their lists and scores to the host.
  const DevicePasses& run_passes(const HistoriesArgs& batch, const Progress& progress, Index count);
  /// Enlarges lists that were too short in these passes. False: there were some.
  bool enlarge_lists(const DevicePasses& passes, Index count);

  Executor executor_;
  Array<FissionSite> sites_;
  Array<CrossingRecord> crossings_;
  Array<SourceParticle> start_particles_;
  Array<SuspendedParticle> departures_, arrivals_;  ///< to and from other domains
  /// Secondaries and suspended particles of a pass, and those of the previous pass, in turn.
  Array<BankedParticle> secondaries_[2];
  Array<SuspendedParticle> suspended_[2];
  Array<DevicePasses> state_;
  PinnedBuffer state_on_host_;
  SiteOrder order_;
  Index expected_passes_ = 4;                  ///< number of passes that the last batch needed
  Index kept_sites_ = 0, kept_crossings_ = 0;  ///< number of records of the batch so far
  bool has_capacity_ = true;                   ///< no list has overflowed in this batch
};

}  // namespace gsim::transport
