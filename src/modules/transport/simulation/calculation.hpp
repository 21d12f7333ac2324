#pragma once
// What a run does with its batches: the k-eigenvalue problem, or a fixed source.

#include <memory>
#include <string>
#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/transport/simulation/batch_series.hpp"
#include "src/modules/transport/simulation/system.hpp"

namespace gsim::transport {

class Calculation {
 public:
  virtual ~Calculation() = default;

  /// Makes the state before the first batch. Collective.
  virtual void begin() = 0;
  /// Runs batch number `batch`. Collective.
  virtual void run(Index batch) = 0;
  const BatchSeries& series() const { return series_; }

  /// The same on every rank.
  virtual std::vector<Estimate> estimates() const = 0;
  /// Lines below the table of estimates.
  virtual std::vector<std::string> remarks() const = 0;

  /// The state, and back on any number of ranks. Collective.
  virtual void save(DatasetWriter& writer) const = 0;
  virtual void restore(DatasetReader& reader) = 0;
  virtual void write_results(DatasetWriter& writer) const = 0;
  /// Adds all that "same bits" covers. Collective.
  virtual void add_to(Digest& digest) const = 0;

 protected:
  BatchSeries series_;
};

std::unique_ptr<Calculation> make_eigenvalue(const TransportConfig& config, const Context& context,
                                             System& system);
std::unique_ptr<Calculation> make_fixed_source(const TransportConfig& config,
                                               const Context& context, System& system);

/// What batches are run with.
HistoriesSetup histories_setup(const TransportConfig& config, const Context& context,
                               const System& system);

}  // namespace gsim::transport
