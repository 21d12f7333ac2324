#pragma once
// Makes weight windows from the flux, before the batches that count.

#include <memory>

#include "gsim/engine/module.hpp"
#include "src/modules/transport/simulation/system.hpp"
#include "src/modules/transport/tracking/histories.hpp"
#include "src/modules/transport/variance_reduction/weight_windows.hpp"

namespace gsim::transport {

/// Iterations of batches: each one's flux makes the windows that the next one runs with. Histories
/// draw from streams of their own, so that those that count owe nothing to the windows.
class WindowGenerator {
 public:
  /// `setup`: of the histories that count, with the windows' view in it.
  WindowGenerator(const TransportConfig& config, const Context& context, System& system,
                  const HistoriesSetup& setup, WeightWindows& windows);

  /// Memory that a rank needs for it.
  static double bytes(const TransportConfig& config, const System& system, int threads, int ranks);

  /// Runs batch number `batch`, from 0. Collective.
  BatchSums run(Index batch);

  /// What there is between two iterations, under "weight_windows". Collective.
  void save(DatasetWriter& writer) const;
  void restore(DatasetReader& reader);

 private:
  const WindowsConfig& config_;
  Index groups_;
  System& system_;
  WeightWindows& windows_;
  Histories histories_;
  TallySet flux_;
};

}  // namespace gsim::transport
