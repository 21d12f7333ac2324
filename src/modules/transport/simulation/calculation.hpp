#pragma once
// What a run does with its batches: the k-eigenvalue problem, or a fixed source.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/engine/module.hpp"
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

  /// Makes the state before the first batch. Collective.
  virtual void begin() = 0;
  /// Runs batch number `batch`. Collective.
  virtual void run(Index batch) = 0;
  const BatchSeries& series() const { return series_; }
  const TallySet& tallies() const { return tallies_; }
  TallySet& tallies() { return tallies_; }
  /// Null where none is written.
  const ParticleFile* particle_file() const { return particle_file_.get(); }
  ParticleFile* particle_file() { return particle_file_.get(); }
  /// Wall time of the batches that tallies hold, s; of those before a resume it is estimated.
  double tally_seconds() const;
  /// The same of this rank's processors, summed over threads; on a device the time of that.
  double tally_work_seconds() const;
  /// Batches that tallies may hold.
  static BatchPlan batch_plan(const TransportConfig& config);

  /// The same on every rank. One of no samples where no batch has counted yet.
  virtual std::vector<Estimate> estimates() const = 0;
  /// Lines below the table of estimates.
  virtual std::vector<std::string> remarks() const = 0;
  /// What results must not be used without, of which the run warns at its end; empty: nothing.
  virtual std::string caution() const { return {}; }

  /// The state, and back on any number of ranks. Collective.
  virtual void save(DatasetWriter& writer) const = 0;
  virtual void restore(DatasetReader& reader) = 0;
  virtual void write_results(DatasetWriter& writer) const = 0;
  /// What OpenMC's statepoint says beside tallies.
  virtual StatepointRun statepoint_run() const;
  /// Adds all that "same bits" covers. Collective.
  virtual void add_to(Digest& digest) const = 0;

 protected:
  /// Of which no batch has told anything.
  static Estimate unknown_estimate(const char* name);
  /// What batches are run with.
  HistoriesSetup histories_setup(const TransportConfig& config, const Context& context,
                                 const System& system) const;
  /// What `run` returns, which runs a batch of `histories`; with `counts` tallies and the file of
  /// particles take it in.
  BatchSums tallied(Histories& histories, bool counts, const std::function<BatchSums()>& run);

  BatchSeries series_;

 private:
  /// What all batches that tallies hold took, as far as one knows from those that were timed.
  double of_all_batches(double timed_seconds) const;

  std::optional<Domains> domains_;  ///< where space is divided among ranks
  int rank_;
  bool is_on_device_;
  TallySet tallies_;
  std::unique_ptr<ParticleFile> particle_file_;
  StatepointRun statepoint_;
  double sources_, particles_;  ///< a batch, over the source's strength, and as they are
  double seconds_ = 0, work_seconds_ = 0;
  Index timed_batches_ = 0;
};

std::unique_ptr<Calculation> make_eigenvalue(const TransportConfig& config, const Context& context,
                                             System& system);
std::unique_ptr<Calculation> make_fixed_source(const TransportConfig& config,
                                               const Context& context, System& system);

/// Values of tallies whose sums one of `ranks` ranks holds, at most: those of the domains that a
/// run on so many has. Every rank finds it by itself.
Index tally_values_of_rank(const TransportConfig& config, const Context& context,
                           const System& system, int ranks);

}  // namespace gsim::transport
