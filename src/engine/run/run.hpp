#pragma once
// One run from plan to results: run.cpp (start, loop, end), run_checkpoints.cpp (checkpoints and
// resuming), run_failure.cpp (faults), control.cpp (decisions between slices).

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "control.hpp"
#include "gsim/engine/signals.hpp"
#include "gsim/io/checkpoint_file.hpp"
#include "gsim/io/file_lock.hpp"
#include "provenance.hpp"
#include "slice_size.hpp"
#include "src/engine/reports/reporter.hpp"
#include "src/engine/status/run_usage.hpp"

namespace gsim::engine {

class Run {
 public:
  Run(Module& module, const Context& context, const RunRequest& request);
  RunOutcome execute();

 private:
  void start();
  /// Warns if this run, which is not resumed, replaces the checkpoints of one that could be
  /// resumed.
  void warn_of_start(const std::string& newest) const;
  /// Whether the checkpoint is of a finished run of another configuration, which Resume::if_present
  /// ignores with a warning.
  bool is_of_other_finished_run(const std::string& newest) const;
  void restore(const OpenCheckpoint& from);
  /// Adapts the state to error targets other than those of the checkpoint.
  void change_targets(DatasetReader& reader);
  void warn_of_other_plugins(DatasetReader& reader);
  /// Warns, and records in the provenance, if a run of this configuration from the beginning would
  /// have another state.
  void check_repeatability();
  std::string newest_checkpoint() const;  // empty: none
  StopReason loop();
  /// Computes the next `count` units; returns the wall-clock time in seconds.
  double advance_slice(Index count);
  ControlDecisions agree_on_control(double slice_seconds, Index target);
  [[noreturn]] void fail_on_all_ranks(const ControlDecisions& control);
  /// Writes the results of the time before a fault; returns a clause with their path, or an empty
  /// string if there are none.
  std::string keep_valid_results(const std::string& fault);
  /// Evaluates the estimates; returns whether all have converged.
  bool evaluate();
  /// Whether this run needs an evaluation at the point where the checkpoint was written, because
  /// none was made there.
  bool needs_evaluation() const;
  void write_checkpoint();
  /// Writes the checkpoint at the end of the run if checkpoint.at_end is set. Where it cannot be
  /// written, a warning is printed, and the results are written nevertheless.
  void write_last_checkpoint();
  /// Updates the estimates; returns false where the run leaves a checkpoint and no result file.
  bool has_results();
  /// Writes the results, or, where that fails, a checkpoint from which they can be written later.
  void finish();
  void write_results();
  /// `has_usage`: whether usage_ was measured for this report.
  void report_progress(bool has_usage);
  /// The same within a slice of `count` units that began at `begin`, now() seconds, of which
  /// `share` is computed; unless there was a report a short time ago.
  void report_within_slice(double share, Index count, double begin);
  /// Reports that `done` units are computed, partly computed ones included, at `units_per_second`.
  /// `usage` is null where the status file keeps its state.
  void report(double done, double units_per_second, const RunUsage* usage);
  void report_end(double seconds);
  std::string ending_in_words() const;
  /// Whether this run keeps a status file.
  bool has_status() const;
  /// Whether error targets, of the stop rule or the module's own, can end the run.
  bool has_targets() const;
  /// This part's time, and that of all parts, in seconds.
  double now() const { return clock_() - begin_; }
  double total_now() const { return earlier_seconds_ + now(); }

  Module& module_;
  const Context& context_;
  const RunRequest& request_;
  const Communicator& comm_;
  SignalGuard signals_;
  std::vector<FileLock> locks_;  // of the results and the checkpoints, on rank 0
  std::unique_ptr<Reporter> reporter_;
  /// On rank 0; silent elsewhere, and where no status file is written.
  std::unique_ptr<Reporter> status_reporter_;
  std::function<double()> clock_;
  double begin_;
  WorkPlan plan_;
  CheckpointIdentity identity_;
  RunHistory history_;
  RunOutcome outcome_;
  std::optional<UsageMeter> usage_meter_;  // where the run keeps a status file
  RunUsage usage_;                         // on rank 0
  SliceSize slice_size_;
  Evaluation evaluation_;  // the last one, after evaluated_at_ units
  Index evaluated_at_ = 0;
  bool converged_ = false;           // all error targets are met: nothing is left to compute
  bool is_repeatable_ = true;        // a run from the beginning would have the same state
  bool is_at_end_ = false;           // the run has ended, and its checkpoint is written
  bool has_looser_targets_ = false;  // error targets are looser than those of the resumed run
  std::string end_warning_;  // the last checkpoint could not be written; printed with results
  int stop_signal_ = 0;
  Index slice_from_ = 0;           // number of units before the last slice
  Index resumed_at_ = 0;           // number of units of earlier parts
  double loop_seconds_ = 0;        // time from the first slice to the stop
  double earlier_seconds_ = 0;     // time of the parts before this one
  double checkpoint_at_ = 0;       // now() after the last checkpoint
  double control_at_ = 0;          // now() at the last control point, on rank 0
  double status_at_ = 0;           // control_at_ when usage_ was measured last
  double reported_at_ = 0;         // now() at the last report of progress, on rank 0
  double status_written_at_ = 0;   // now() at the last one that the status file has
  double checkpoint_seconds_ = 0;  // duration of the last checkpoint
};

}  // namespace gsim::engine
