#pragma once
// The tallies of a run: sums that histories add to, brought together over threads and ranks at the
// end of each batch, and their statistics over batches. Nothing here depends on how many threads
// and ranks there are: sums are whole numbers, and each value is turned into a real number once a
// batch, by one rank, which keeps its statistics.

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/io/dataset.hpp"
#include "src/modules/transport/tallies/statistics/batch_statistics.hpp"
#include "src/modules/transport/tallies/statistics/group_totals.hpp"
#include "src/modules/transport/tallies/tally_part.hpp"

namespace gsim::transport {

/// What the sums of a batch are divided by.
struct BatchNorm {
  /// Source particles of the batch, over the source's strength: all scores but k. In k_eigenvalue
  /// runs the neutrons of the generation.
  double sources = 1;
  /// Weight that started: source particles and neutrons of fission that were followed. Score k.
  double started = 1;
};

struct BatchPlan {
  Index batches = 1;        ///< that the run may have at most
  bool correlated = false;  ///< a batch resembles the one before
};

/// Where a tally's trigger stands.
struct TallyVerdict {
  bool has_trigger = false;
  bool all_met = false;
  /// Each tally with a trigger, with the largest errors of its bins that have not met it.
  struct Judged {
    std::size_t tally = 0;
    bool is_met = false;
    double relative_error = 0;
    double absolute_error = 0;
  };
  std::vector<Judged> judged = {};
};

/// Which standard errors are wanted.
enum class TallyErrors {
  widened,    ///< where few histories contribute (BatchStatistics::widened_moments): results
  of_batches  ///< as the batches spread: what other programs take, and reckon with
};

/// Means and standard errors of all values of one tally, [row][score].
struct TallyTable {
  std::vector<double> mean, standard_error;
};

class TallySet {
 public:
  TallySet(Communicator communicator, Executor executor, TallyPlan plan, const BatchPlan& batches);
  /// The histories of this rank add to `part` of the sums only, as every rank's do to its own.
  TallySet(Communicator communicator, Executor executor, TallyPlan plan, const BatchPlan& batches,
           TallyPart part);

  const TallyPlan& plan() const { return plan_; }
  bool empty() const { return plan_.tallies.empty(); }

  /// For kernels: valid while this object lives and stays where it is.
  TallyView view() const;
  /// One for each worker of the executor; on a device one.
  const TallySink* sinks() const { return sinks_.view().data; }

  /// Takes the sums of a batch into the statistics, and sets them to zero. Collective.
  /// NumericalError on all ranks where a contribution or a sum was out of range.
  void end_batch(const BatchNorm& norm);
  /// Sets the sums to zero: the batch does not count.
  void drop_batch();

  /// Values whose sums this rank's histories add to.
  Index held_values() const { return part_.values; }
  Index batches() const { return statistics_.batches(); }
  const BatchStatistics& statistics() const { return statistics_; }
  /// Sums over the groups of tallies that have several.
  const GroupTotals& group_totals() const { return group_totals_; }
  /// Rows, of all tallies in their order, whose statistics this rank keeps.
  IndexRange rows() const { return rows_; }

  /// Judges the triggers by the batches so far. Values that few histories contribute to, or whose
  /// errors have few degrees of freedom, meet none. Collective.
  TallyVerdict verdict() const;
  /// A whole table, on every rank. Collective; for tallies that are not too large for it.
  TallyTable table(std::size_t tally, TallyErrors errors = TallyErrors::widened) const;
  /// The same on rank 0; empty elsewhere. Collective.
  TallyTable table_at_root(std::size_t tally, TallyErrors errors = TallyErrors::widened) const;
  /// A group for each tally: a line for each row with its bins, and mean, standard error, relative
  /// error, number of scoring batches and variance of the variance of each score; of tallies by
  /// group the same of sums over groups, in `sum_over_groups`, and of tallies by energy in
  /// `sum_over_energies`. Collective.
  void write_results(DatasetWriter& writer) const;
  /// A line for people on each tally: its relative errors, and its figure of merit,
  /// 1 / (R^2 T) with the largest relative error R (Lux and Koblinger 1991). T is the
  /// processor time, of which `seconds` is this rank's: wall time would make a run on more
  /// processors look like a better method. Times stand in no file: they would differ from run to
  /// run. Collective.
  std::vector<std::string> summary(double seconds) const;
  /// Of all means and errors of batches; the same on every rank. Collective.
  std::uint64_t digest() const;

  /// The statistics under `group`; at the end of a batch. Collective.
  void save(DatasetWriter& writer, const std::string& group = "tallies") const;
  void restore(DatasetReader& reader, const std::string& group = "tallies");
  /// Forgets all batches.
  void clear();

  /// Memory that a rank needs: for `threads` workers on the host, one of `ranks`, which holds
  /// `held` of the values' sums.
  static double bytes(const TallyPlan& plan, const BatchPlan& batches, int threads, int ranks,
                      Index held);

 private:
  friend class TallyTables;
  struct Rows {  ///< of one tally, that this rank keeps
    std::size_t tally;
    IndexRange rows;  ///< of the tally
    Index first;      ///< the first one's value in the statistics
  };
  std::vector<Rows> rows_of(IndexRange rows) const;
  Index value_of(Index row) const;
  IndexRange values_of(IndexRange rows) const;
  void check_faults();
  /// NumericalError on all ranks unless a batch's sums are in range on every rank. Collective.
  void check_range(bool is_sound) const;
  std::vector<TallySum> collect();
  TallyTable own_part(std::size_t tally, TallyErrors errors) const;
  std::string warning(const Rows& part) const;
  std::string few_contributing(const Rows& part) const;
  std::vector<std::byte> packed(const TallySum* sums, IndexRange values, bool& is_sound) const;
  TallySum merged(const TallySum* sums, Index value, bool& is_sound) const;

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
  Array<std::int32_t> maps_;
  Array<PointDetector> detectors_;
  Index copies_;  ///< of the sums
  Array<TallySum> sums_;
  Array<TallyFault> faults_;
  Array<TallySink> sinks_;
  IndexRange rows_;
  BatchStatistics statistics_;
  GroupTotals group_totals_;
};

}  // namespace gsim::transport
