#pragma once
// Sums of tallies over their groups or energies, with standard errors. The groups of a batch come
// from the same histories and are correlated, so the error of their sum is computed from the sums
// of the batches and not from the errors of the groups.

#include <functional>
#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/dataset.hpp"
#include "src/modules/transport/tallies/statistics/batch_statistics.hpp"
#include "src/modules/transport/tallies/statistics/sum_range.hpp"
#include "src/modules/transport/tallies/tally_plan.hpp"

namespace gsim::transport {

/// The axis of groups or energies with several bins; null: the tally has none.
const TallyAxis* group_axis(const TallyModel& tally);

/// `tally` without its group_axis(): the rows that remain are those of the sums over groups.
TallyModel without_groups(const TallyModel& tally);

/// Statistics of the sums over groups of all tallies with several groups. The values are divided
/// among the ranks. The sums of a batch are integers, the same on any number of ranks.
class GroupTotals {
 public:
  /// `correlated`: successive batches are correlated, as in BatchPlan.
  GroupTotals(const Communicator& communicator, const TallyPlan& plan, Index planned_batches,
              bool correlated);

  bool has(std::size_t tally) const { return totals_[tally].rows > 0; }

  /// Adds the sums of a batch of the rows `mine` of all tallies, [row][score]; they are sent to the
  /// ranks that keep them. `value_of` converts the sum of a tally's score to its value. Collective.
  /// Returns the range of the sums on this rank.
  using ValueOf = std::function<double(std::size_t tally, std::size_t score, WideInteger sum)>;
  SumRange add(const Communicator& communicator, const TallyPlan& plan, IndexRange mine,
               std::span<const TallySum> sums, const ValueOf& value_of);

  /// Means and standard errors, widened where few histories contribute, of one score of a tally on
  /// rank 0, by row of without_groups(); empty on other ranks. Collective.
  struct Column {
    std::vector<double> mean, standard_error;
  };
  Column column_at_root(const Communicator& communicator, std::size_t tally,
                        std::size_t score) const;

  /// Writes the columns of each score (ScoreColumns) of tally `number` under `group`. Collective.
  void write_scores(DatasetWriter& writer, const TallyModel& tally, std::size_t number,
                    const std::string& group) const;

  /// Writes the statistics under `group`, if a tally has several groups. Collective.
  void save(DatasetWriter& writer, const std::string& group) const;
  /// `batches`: the number of batches in the statistics. InputError if the checkpoint contains
  /// another number of values.
  void restore(DatasetReader& reader, const std::string& group, Index batches);
  /// Clears the statistics.
  void clear();

  /// The number of values on all ranks together.
  static Index value_count(const TallyPlan& plan);

 private:
  /// The layout of the values of one tally, [score][row].
  struct Total {
    Index rows = 0;   ///< 0: the tally has no sum over groups
    Index first = 0;  ///< index of its first value among those of all tallies
    Index groups = 1,
          stride = 1;  ///< bins of the axis, and the distance of successive bins in rows
  };
  /// A contribution to one value, sent to the rank that keeps it.
  struct Part {
    Index value;
    TallySum sum;
  };
  static std::vector<Total> totals_of(const TallyPlan& plan);
  /// The rows, of without_groups(), whose statistics of a score this rank keeps, and their moments.
  IndexRange own_rows(std::size_t tally, std::size_t score) const;
  std::vector<BatchMoments> own_moments(std::size_t tally, std::size_t score) const;

  std::vector<Total> totals_;
  Index values_, planned_batches_;
  bool correlated_;
  std::vector<IndexRange> rank_ranges_;  ///< values that each rank keeps
  IndexRange mine_;                      ///< values that this rank keeps
  BatchStatistics statistics_;
};

}  // namespace gsim::transport
