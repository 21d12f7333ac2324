#pragma once
// Batches of histories on all ranks. Each rank starts a contiguous range of the histories of a
// batch and transports them to their ends or, with domain decomposition, within its domain. Results
// depend on the seed, the geometry, the cross sections and the history numbers alone, not on ranks,
// threads or device.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/work_shares.hpp"
#include "kernels/transport/tracking/histories.hpp"
#include "src/modules/transport/tallies/tally_set.hpp"
#include "src/modules/transport/tracking/device_histories.hpp"
#include "src/modules/transport/tracking/growing_lists.hpp"

namespace gsim::transport {

/// Results of the histories of one batch, over all ranks. Weights are per history.
struct BatchSums {
  double k_collision = 0;         ///< neutrons produced, by the collision estimator
  double k_absorption = 0;        ///< by the absorption estimator
  double k_track_length = 0;      ///< by the track-length estimator; 0 in delta tracking
  double leakage = 0;             ///< weight that leaked
  double timed_out = 0;           ///< weight that reached the time cutoff
  double fission_production = 0;  ///< weight of fission neutrons in this batch
  std::int64_t collisions = 0, flights = 0, secondaries = 0, lost = 0;
  std::int64_t overlapping = 0;  ///< number of lost particles that collided in two cells at once
  LostParticle first_lost;       ///< that of the lowest history; Reason::none: no particle was lost
};

class Histories {
 public:
  /// `args`: the arguments that all batches have in common (geometry, materials, sources, rules,
  /// variance_reduction, domains, key), with views of the executor's memory. `particles`: number of
  /// histories per batch, over all ranks.
  Histories(Communicator communicator, Executor executor, const HistoriesArgs& args,
            Index particles);

  const Communicator& communicator() const { return communicator_; }
  const Executor& executor() const { return executor_; }
  Index particles() const { return particles_; }
  /// Selects the tallies that histories add to from now on; null: none.
  void tally(TallySet* set) { tallies_ = set; }
  /// Selects the surface crossings that histories record from now on.
  void record(const RecordedSurfaces& surfaces) { recorded_ = surfaces; }
  /// The range of histories of a batch that a rank starts, and that of this rank.
  IndexRange range_of(int rank) const { return owners_.range(rank); }
  IndexRange mine() const { return range_of(communicator_.rank()); }
  /// Divides the histories of the following batches in proportion to the speeds of the ranks in the
  /// batches so far. The same on all ranks; not collective.
  void rebalance();

  /// Runs batch number `batch` (from 0): from fission sites in the memory of the executor, with
  /// fission yields divided by k; from the sources; or from particles; one site or particle for
  /// each history of this rank. Collective.
  BatchSums run(Index batch, View<const FissionSite> sites, double k);
  BatchSums run(Index batch);
  BatchSums run(Index batch, std::span<const SourceParticle> particles);

  /// The fission sites that this rank's histories of the last batch have banked, in their order
  /// (particle.hpp) and in the memory of the executor. Valid until the next batch.
  OrderedSites fission_sites();
  /// The crossings that this rank's histories of the last batch have recorded, in the order of
  /// histories.
  const std::vector<CrossingRecord>& crossings() const { return crossings_; }

 private:
  HistoriesArgs arguments(Index batch, Start start) const;
  BatchSums run(HistoriesArgs& args);
  /// Discards the contributions of the batch to the tallies, before it is run again.
  void undo_tallies();
  /// Runs histories on host threads; their sites follow the first `kept_sites` of fission_sites_.
  HistoryScores run_on_host(HistoriesArgs batch, std::size_t kept_sites);
  /// Runs a batch with domain decomposition, again if the lists of a device were too short.
  HistoryScores run_in_domains(const HistoriesArgs& args);
  /// Transports histories and exchanges the particles that leave domains until none is left.
  HistoryScores run_exchanges(const HistoriesArgs& args);
  /// Transports some histories within the domain, and appends particles that leave it to `leaving`.
  HistoryScores run_part(HistoriesArgs args, std::vector<SuspendedParticle>& leaving);
  /// Sends sites and crossings, in the memory of the host, to the ranks that started their
  /// histories.
  void send_records_to_owners(const HistoriesArgs& args);
  /// Sets scores.first_lost, of which a device reports the history only.
  void find_first_lost(const HistoriesArgs& args, HistoryScores& scores);
  /// The sums over all ranks, per history.
  BatchSums add_up(const HistoryScores& mine) const;

  Communicator communicator_;
  Executor executor_;
  HistoriesArgs common_;  ///< what the arguments of all batches have in common
  Index particles_;
  WorkShares shares_;
  ReplicatedDecomposition owners_;  ///< of the histories of a batch
  // What kernels bank on the host, in a list for each chunk of histories or for each thread.
  GrowingLists<FissionSite> chunk_sites_;
  GrowingLists<CrossingRecord> chunk_crossings_;
  GrowingLists<BankedParticle> secondaries_;
  GrowingLists<SuspendedParticle> departures_, suspended_;
  std::vector<SuspendedParticle> waiting_;  ///< for the next pass
  std::vector<FissionSite> fission_sites_;  ///< on a device they are only exchanged here
  std::vector<CrossingRecord> crossings_;
  std::unique_ptr<DeviceHistories> device_;  ///< null on the host
  TallySet* tallies_ = nullptr;
  RecordedSurfaces recorded_;
};

}  // namespace gsim::transport
