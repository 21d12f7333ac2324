#pragma once
// A transport calculation: the k-eigenvalue problem, or a fixed source. It runs batches, and keeps
// their results.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gsim/core/timer.hpp"
#include "gsim/engine/module.hpp"
#include "src/modules/transport/eigenvalue/generation_statistics.hpp"
#include "src/modules/transport/particle_files/particle_file.hpp"
#include "src/modules/transport/simulation/batch_series.hpp"
#include "src/modules/transport/simulation/system.hpp"
#include "src/modules/transport/tallies/output/tally_files.hpp"
#include "src/modules/transport/tracking/domains.hpp"

namespace gsim::transport {

class Calculation {
 public:
  Calculation(const TransportConfig& config, const Context& context, const System& system);
  virtual ~Calculation() = default;
  Calculation(const Calculation&) = delete;
  Calculation& operator=(const Calculation&) = delete;

  /// Sets up the state before the first batch. Collective.
  virtual void begin() = 0;
  /// Runs batch number `batch`. Collective.
  virtual void run(Index batch) = 0;
  const BatchSeries& series() const { return series_; }
  const TallySet& tallies() const { return tallies_; }
  TallySet& tallies() { return tallies_; }
  /// Null if none is written.
  const ParticleFile* particle_file() const { return particle_file_.get(); }
  ParticleFile* particle_file() { return particle_file_.get(); }
  /// Wall time of all tallied batches, s; that of batches before a restart is estimated.
  double tally_seconds() const;
  /// Processor time of this rank for tallied batches, summed over threads, s; on a device the wall
  /// time.
  double tally_work_seconds() const;
  /// The batches that are tallied.
  static BatchPlan batch_plan(const TransportConfig& config);

  /// The estimates, equal on every rank. Before the first active batch there is one, without
  /// samples.
  virtual std::vector<Estimate> estimates() const = 0;
  /// Lines below the table of estimates.
  virtual std::vector<std::string> remarks() const = 0;
  /// A warning that must be shown beside the results; empty: none.
  virtual std::string caution() const { return {}; }

  /// Saves the state, and restores it on any number of ranks. Collective.
  void save(DatasetWriter& writer) const;
  void restore(DatasetReader& reader);
  void write_results(DatasetWriter& writer) const;
  /// The contents of OpenMC's statepoint apart from tallies.
  virtual StatepointRun statepoint_run() const;
  /// Adds everything that is reproducible bit by bit to the digest. Collective.
  void add_to(Digest& digest) const;

 protected:
  // What the functions above save, restore, write and add beside the series of batches.
  virtual void save_state(DatasetWriter& writer) const = 0;
  virtual void restore_state(DatasetReader& reader) = 0;
  virtual void write_more_results(DatasetWriter& writer) const = 0;
  virtual void add_state_to(Digest& digest) const = 0;

  /// An estimate without samples.
  static Estimate unknown_estimate(const char* name);
  /// The estimate from the values `series` of active batches, whose mean is `m`.
  static Estimate estimate(const char* name, const MeanAndError& m, std::span<const double> series);
  /// The arguments that all batches of histories have in common.
  HistoriesArgs histories_args(const TransportConfig& config, const Context& context,
                               const System& system) const;
  /// Before `histories` run a batch: selects the tallies and the recorded surfaces that an active
  /// batch scores at, and starts the timers.
  void begin_batch(Histories& histories, bool is_active);
  /// After a batch: adds its sums to the series, its tallies to the tally statistics, and its
  /// crossings to the particle file. Collective.
  void end_batch(const Histories& histories, const BatchSums& sums);

  BatchSeries series_;

 private:
  /// The time of all tallied batches, extrapolated from those that were timed.
  double extrapolate_to_all_batches(double timed_seconds) const;

  std::optional<Domains> domains_;  ///< empty without domain decomposition
  int rank_;
  bool is_on_device_;
  TallySet tallies_;
  std::unique_ptr<ParticleFile> particle_file_;
  StatepointRun statepoint_;
  double particles_per_strength_;          ///< particles per batch, divided by the source strength
  double particles_;                       ///< particles per batch
  double seconds_ = 0, work_seconds_ = 0;  ///< wall and processor time of the timed batches
  Index timed_batches_ = 0;
  bool is_tallied_ = false, is_recorded_ = false;  ///< of the current batch
  Stopwatch watch_;                                ///< of the current batch
  double processor_at_start_ = 0;                  ///< processor time at its beginning, s
};

std::unique_ptr<Calculation> make_eigenvalue(const TransportConfig& config, const Context& context,
                                             System& system);
std::unique_ptr<Calculation> make_fixed_source(const TransportConfig& config,
                                               const Context& context, System& system);

/// The largest number of tally values whose sums a rank holds in a run on `ranks` ranks. Every rank
/// computes it without communication.
Index tally_values_of_rank(const TransportConfig& config, const Context& context,
                           const System& system, int ranks);

}  // namespace gsim::transport
