#pragma once
// The tables of the reverse sweeps of adjoint Greeks.

#include <algorithm>
#include <span>
#include <vector>

#include "gsim/exec/array.hpp"
#include "src/modules/pricing/greeks/greek_simulations.hpp"

namespace gsim::pricing {

/// Where the values that sweeps read are in the tile.
struct SweepRows {
  std::vector<std::int32_t> logs, tangents;  ///< of the assets, and of the tangents
  Index count = 0;                           ///< rows of a record
};

/// The sweeps of all planned trades in executor memory. Planned sweeps over the same asset of a
/// payoff with the same dates share one sweep, in which they are columns, and sums that no Greek
/// needs are left out.
class SweepTables {
 public:
  SweepTables(const Executor& executor, const std::vector<PlannedAdjoint>& planned,
              const SweepRows& rows);

  /// The entries of the planned trades, without AdjointEntry::base and first_sum.
  const std::vector<AdjointEntry<double>>& entries() const { return entries_; }
  /// The largest number of derivatives of a payoff on one path.
  Index largest_payoff() const { return largest_payoff_; }
  /// The sweeps of trades with early exercise, by AdjointEntry::exercised.
  const ExercisedSweep* exercised() const { return exercised_sweeps_.view().data; }
  double bytes() const;

 private:
  /// The tables of trades with early exercise.
  void store_exercised(const Executor& executor, const std::vector<PlannedAdjoint>& planned,
                       const SweepRows& rows);
  /// The numbers of the gradients of smoothed payoffs.
  void store_numbers(const Executor& executor, const std::vector<PlannedAdjoint>& planned);

  Array<AdjointDate> dates_;
  Array<double> profiles_, numbers_;
  Array<std::int32_t> sums_;
  Array<AdjointColumn> columns_;
  Array<AdjointSweep<double>> sweeps_;
  Array<std::int32_t> exercised_lists_;
  Array<ExercisedColumn> exercised_columns_;
  Array<ExercisedSweep> exercised_sweeps_;
  std::vector<AdjointEntry<double>> entries_;
  Index largest_payoff_ = 0;
};

}  // namespace gsim::pricing
