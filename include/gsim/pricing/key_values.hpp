#pragma once
// The values of the keys of a payoff or path model that is registered with launchers.

#include <vector>

namespace gsim::pricing {

/// The values that a kind's describe() reads and its validate() checks and completes. Only
/// `numbers` are kept.
struct KeyValues {
  std::vector<double> numbers;  ///< read by the functor, at most a million
  /// Lists of the configuration for validate(), which copies into `numbers` what the functor reads.
  std::vector<std::vector<double>> lists;
};

}  // namespace gsim::pricing
