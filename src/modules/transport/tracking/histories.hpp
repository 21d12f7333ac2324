#pragma once
// Batches of histories on all ranks. Each rank starts a contiguous part of a batch's numbers, and
// runs them to their ends or, where space is divided among ranks, as far as its part reaches. What
// comes out depends on seed, geometry, data and numbers alone, not on ranks, threads or device.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "kernels/transport/tracking/histories.hpp"
#include "src/modules/transport/tallies/tally_set.hpp"
#include "src/modules/transport/tracking/device_histories.hpp"
#include "src/modules/transport/tracking/growing_lists.hpp"

namespace gsim::transport {

/// What the histories of one batch were, over all ranks. Weights are a history.
struct BatchSums {
  double k_collision = 0;         ///< neutrons made, by the collision estimator
  double k_absorption = 0;        ///< by the absorption estimator
  double k_track_length = 0;      ///< by the track-length estimator; 0 in delta tracking
  double leakage = 0;             ///< that left the geometry
  double timed_out = 0;           ///< that reached the time cutoff
  double fission_production = 0;  ///< of fission neutrons that were followed in this batch
  std::int64_t collisions = 0, flights = 0, secondaries = 0, lost = 0;
  std::int64_t overlapping = 0;  ///< of the lost ones: that collided where two cells are
  LostParticle first_lost;  ///< of the lowest history; its reason is none where nothing was lost
};

struct HistoriesSetup {
  GeometryView geometry;  ///< in the executor's memory, as are all views
  MaterialView materials;
  HistoryRules rules;
  std::uint64_t seed = 0;
  Index particles = 0;  ///< histories a batch, over all ranks
  SourceView sources = {};
  PopulationView population = {};
  DomainView domains = {};  ///< this rank's; without cuts: it follows particles anywhere
  Purpose purpose = Purpose::transport_history;  ///< of the histories' random numbers
};

class Histories {
 public:
  Histories(Communicator communicator, Executor executor, const HistoriesSetup& setup);

  const Communicator& communicator() const { return communicator_; }
  const Executor& executor() const { return executor_; }
  const HistoriesSetup& setup() const { return setup_; }
  /// Histories add to the sums of `set` from now on; null: to none.
  void tally(TallySet* set) { tallies_ = set; }
  /// Histories note these crossings from now on.
  void record(const RecordedSurfaces& surfaces) { recorded_ = surfaces; }
  /// The numbers of a batch that this rank runs.
  IndexRange mine() const;

  /// Runs batch number `batch` (from 0). Collective. From sites, whose fission yields are divided
  /// by k; from the sources; or from particles, whose i-th is of this rank's i-th history.
  BatchSums run(Index batch, std::span<const FissionSite> sites, double k);
  BatchSums run(Index batch);
  BatchSums run(Index batch, std::span<const SourceParticle> particles);

  /// The fission sites that this rank's histories of the last batch left, in the order of parents
  /// and births.
  const std::vector<FissionSite>& fission_sites() const { return fission_sites_; }
  /// The crossings that this rank's histories of the last batch noted, in the order of histories.
  const std::vector<CrossingRecord>& crossings() const { return crossings_; }

 private:
  HistoriesArgs arguments(Index batch, Start start) const;
  BatchSums run(HistoriesArgs& args);
  void undo_tallies();
  HistoryScores run_on_host(HistoriesArgs batch, std::size_t kept_sites);
  HistoryScores run_in_domains(const HistoriesArgs& args);
  HistoryScores run_rounds(const HistoriesArgs& args);
  HistoryScores run_part(HistoriesArgs args, std::vector<SuspendedParticle>& leaving);
  void bring_records_home(const HistoriesArgs& args);
  void find_first_lost(const HistoriesArgs& args, HistoryScores& scores);
  BatchSums add_up(const HistoryScores& mine) const;

  Communicator communicator_;
  Executor executor_;
  HistoriesSetup setup_;
  GrowingLists<FissionSite> chunk_sites_;
  GrowingLists<CrossingRecord> chunk_crossings_;
  GrowingLists<BankedParticle> secondaries_;
  GrowingLists<SuspendedParticle> departures_, suspended_;
  std::vector<SuspendedParticle> waiting_;  ///< between two passes
  std::vector<FissionSite> fission_sites_;
  std::vector<CrossingRecord> crossings_;
  std::unique_ptr<DeviceHistories> device_;  ///< on a device
  TallySet* tallies_ = nullptr;
  RecordedSurfaces recorded_;
};

}  // namespace gsim::transport
