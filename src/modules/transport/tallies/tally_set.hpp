#pragma once
// The tallies of a run: sums to which histories contribute, reduced over threads and ranks at the
// end of each batch, and their statistics over batches. Results do not depend on the number of
// threads and ranks: sums are integers, and one rank converts each value to a real number once per
// batch and keeps its statistics.

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/io/dataset.hpp"
#include "src/modules/transport/tallies/statistics/batch_statistics.hpp"
#include "src/modules/transport/tallies/statistics/group_totals.hpp"
#include "src/modules/transport/tallies/statistics/sum_range.hpp"
#include "src/modules/transport/tallies/tally_part.hpp"

namespace gsim::transport {

/// Divisors of the sums of a batch.
struct BatchNorm {
  /// Divisor of all scores but k: the number of source particles of the batch divided by the source
  /// strength; in k_eigenvalue runs the number of neutrons of the generation.
  double sources = 1;
  /// Divisor of the score k: the weight of all particles that started, from the source and from
  /// fission.
  double started = 1;
};

struct BatchPlan {
  Index batches = 1;        ///< the largest number of batches of the run
  bool correlated = false;  ///< successive batches are correlated
};

/// The result of evaluating the triggers of all tallies.
struct TriggerResults {
  bool has_trigger = false;
  bool all_met = false;
  /// A tally with a trigger, and the largest errors among its values that do not meet the trigger.
  struct Result {
    std::size_t tally = 0;
    bool is_met = false;
    double relative_error = 0;
    double absolute_error = 0;
  };
  std::vector<Result> results = {};
};

/// The kind of standard errors.
enum class TallyErrors {
  widened,    ///< larger where few histories contribute (BatchStatistics::widened_moments)
  of_batches  ///< from the spread of batches alone: for statepoint files and weight windows
};

/// Means and standard errors of all values of one tally, [row][score].
struct TallyTable {
  std::vector<double> mean, standard_error;
};

class TallySet {
 public:
  TallySet(Communicator communicator, Executor executor, TallyPlan plan, const BatchPlan& batches);
  /// Holds only `part` of the sums: those to which the histories of this rank can contribute.
  TallySet(Communicator communicator, Executor executor, TallyPlan plan, const BatchPlan& batches,
           TallyPart part);

  const TallyPlan& plan() const { return plan_; }
  bool empty() const { return plan_.tallies.empty(); }

  /// The arrays for kernels, valid while this object exists and does not move.
  TallyView view() const;
  /// One sink per worker of the executor; one on a device.
  const TallySink* sinks() const { return sinks_.view().data; }

  /// Adds the sums of a batch to the statistics and clears them. Collective. NumericalError on all
  /// ranks where a contribution or a sum was out of range.
  void end_batch(const BatchNorm& norm);
  /// Clears the sums without adding them to the statistics.
  void drop_batch();

  /// The number of values to which the histories of this rank contribute.
  Index local_values() const { return part_.values; }
  Index batches() const { return statistics_.batches(); }
  const BatchStatistics& statistics() const { return statistics_; }
  /// Sums over groups, of tallies with several groups.
  const GroupTotals& group_totals() const { return group_totals_; }
  /// The rows, counted over all tallies in order, whose statistics this rank keeps.
  IndexRange rows() const { return rows_; }

  /// Evaluates the triggers. Values to which few histories contribute, or whose errors have few
  /// degrees of freedom, do not meet them. Collective.
  TriggerResults evaluate_triggers() const;
  /// The complete table, on every rank, for small tallies. Collective.
  TallyTable table(std::size_t tally, TallyErrors errors = TallyErrors::widened) const;
  /// The complete table on rank 0; empty on other ranks. Collective.
  TallyTable table_at_root(std::size_t tally, TallyErrors errors = TallyErrors::widened) const;
  /// Writes a group per tally with a row per combination of bins: bins, and mean, standard error,
  /// relative error, number of scoring batches and variance of the variance of each score. Tallies
  /// by group have the same for sums over groups in `sum_over_groups`, tallies by energy in
  /// `sum_over_energies`. Collective.
  void write_results(DatasetWriter& writer) const;
  /// One line of text per tally: its relative errors, and its figure of merit 1 / (R^2 T) with the
  /// largest relative error R (Lux and Koblinger 1991). T is the processor time, to which `seconds`
  /// is this rank's contribution: with wall time a run on more processors would seem to have a
  /// better estimator. Times are not written to files, which would differ from run to run.
  /// Collective.
  std::vector<std::string> summary(double seconds) const;
  /// A digest of all means and errors; the same on every rank. Collective.
  std::uint64_t digest() const;

  /// Writes the statistics under `group`, at the end of a batch. Collective.
  void save(DatasetWriter& writer, const std::string& group = "tallies") const;
  void restore(DatasetReader& reader, const std::string& group = "tallies");
  /// Clears the statistics.
  void clear();

  /// Bytes of memory per rank: with `threads` workers on the host, `ranks` ranks, and sums of
  /// `local_values` values on the rank.
  static double bytes(const TallyPlan& plan, const BatchPlan& batches, int threads, int ranks,
                      Index local_values);

 private:
  friend class TallyTables;
  struct Rows {  ///< the rows of one tally that this rank keeps
    std::size_t tally;
    IndexRange rows;  ///< counted within the tally
    Index first;      ///< index of the first row's first value in the statistics
  };
  /// The parts of `rows`, which are counted over all tallies, by tally.
  std::vector<Rows> rows_of(IndexRange rows) const;
  /// The index of the first value of a row, and the values of rows, counted over all tallies.
  Index value_of(Index row) const;
  IndexRange values_of(IndexRange rows) const;
  /// NumericalError on all ranks where kernels recorded a contribution out of range. Collective.
  void check_faults();
  /// NumericalError on all ranks where a sum is out of range on some rank. Collective.
  void check_range(SumRange range) const;
  /// The sums of the batch over all ranks, of the values that this rank keeps. Collective.
  std::vector<TallySum> collect();
  /// The rows of the tally that this rank keeps.
  TallyTable own_part(std::size_t tally, TallyErrors errors) const;
  /// Parts of a tally's line of summary(), or empty. Collective.
  std::string warning_on_short_blocks(const Rows& part) const;
  std::string note_on_few_histories(const Rows& part) const;
  /// This rank's sums of `values`, over the copies of workers, as bytes for a message.
  std::vector<std::byte> packed(const TallySum* sums, IndexRange values, SumRange& range) const;
  /// The sum of one value over the copies of workers.
  TallySum merged(const TallySum* sums, Index value, SumRange& range) const;

  Communicator communicator_;
  Executor executor_;
  TallyPlan plan_;
  BatchPlan batch_plan_;
  TallyPart part_;
  Array<Tally> tallies_;
  Array<TallyFilter> filters_;
  Array<TallyScore> scores_;
  Array<TallyMesh> meshes_;
  Array<double> responses_, edges_;
  Array<std::int32_t> maps_;  ///< bins of cells, materials and other indices (TallyFilter::first)
  Array<PointDetector> detectors_;
  Index copies_;  ///< copies of the sums, for workers
  Array<TallySum> sums_;
  Array<TallyFault> faults_;
  Array<TallySink> sinks_;
  IndexRange rows_;
  BatchStatistics statistics_;
  GroupTotals group_totals_;
};

}  // namespace gsim::transport
