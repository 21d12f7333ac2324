#pragma once
// What trades record of simulated paths. Trades whose paths have the same measure and the same
// random numbers are recorded in one simulation: the paths are simulated once for all of them, and
// each trade has the bits that it has alone, since the draws of an asset do not depend on the
// other assets that are simulated.

#include <memory>
#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/pricing/exercise/recorded_states.hpp"
#include "src/modules/pricing/exposures/exposure_options.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// The samples of a unit: from `first`, and for the regressions from `first_regression` on. Numbers
/// of paths are multiples of regression_block.
struct UnitSamples {
  Index first = 0, paths = 0;
  Index first_regression = 0, regression_paths = 0;
};

/// States of one trade that are to be recorded.
struct PathRecording {
  TradeSetup trade;  ///< with `exercise`, whose values are recorded at its dates
  /// On the paths of the regressions, under `measure` of the trade itself; otherwise on the paths
  /// of the unit, under the measure of the netting set.
  bool of_regression = false;
  const BaseMeasure* measure = nullptr;  ///< on the paths of the unit
  bool with_control = false;

  /// Bytes of what is recorded.
  double bytes(const UnitSamples& samples) const;
};

/// The simulations that record the states of trades.
class PathRecorder {
 public:
  /// `setup` has the paths of all trades. `alone` has the communicator of one rank. Both must
  /// outlive this object.
  PathRecorder(const PricingSetup& setup, const MarketView& view, const Context& alone);

  /// The states of all recordings, in their order.
  std::vector<RecordedStates> record(const std::vector<PathRecording>& recordings,
                                     const UnitSamples& samples) const;

 private:
  /// The simulation of `recordings`, which have one measure.
  Simulation simulation_of(const std::vector<const PathRecording*>& recordings) const;

  const PricingSetup& setup_;
  MarketView view_;
  const Context& alone_;
};

}  // namespace gsim::pricing
