#pragma once
// Generates weight windows from the flux, before the active batches.

#include <memory>

#include "gsim/engine/module.hpp"
#include "src/modules/transport/simulation/system.hpp"
#include "src/modules/transport/tracking/histories.hpp"
#include "src/modules/transport/variance_reduction/weight_windows.hpp"

namespace gsim::transport {

/// Runs iterations of batches: the flux of one iteration yields the windows of the next. Its
/// histories have their own random number streams, so that active batches are independent of them.
class WindowGenerator {
 public:
  /// `args`: those of active batches, with the view of `windows`.
  WindowGenerator(const TransportConfig& config, const Context& context, System& system,
                  const HistoriesArgs& args, WeightWindows& windows);

  /// Memory per rank, bytes.
  static double bytes(const TransportConfig& config, const System& system, int threads, int ranks);

  /// Runs batch number `batch`, from 0. Collective.
  BatchSums run(Index batch);

  /// Saves and restores the tally of an unfinished iteration, below "weight_windows". Collective.
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
