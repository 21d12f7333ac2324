#pragma once
// One run from plan to results: run.cpp (start, loop, end), run_checkpoints.cpp (checkpoints and
// resuming), run_failure.cpp (faults), control.cpp (decisions between slices).

#include <memory>
#include <vector>

#include "control.hpp"
#include "gsim/engine/signals.hpp"
#include "gsim/io/file_lock.hpp"
#include "provenance.hpp"
#include "slice_size.hpp"
#include "src/engine/reports/reporter.hpp"

namespace gsim::engine {

class Run {
 public:
  Run(Module& module, const Context& context, const RunRequest& request);
  RunOutcome execute();

 private:
  void start();
  /// Warns where a run that is not resumed replaces one that could be resumed.
  void warn_of_start(const std::string& newest) const;
  /// Whether the checkpoint is of a finished run of another configuration, which Resume::if_present
  /// ignores with a warning.
  bool is_of_other_finished_run(const std::string& newest) const;
  void restore();
  /// Adapts the state to error targets other than those of the checkpoint.
  void change_targets(DatasetReader& reader);
  void warn_of_other_plugins(DatasetReader& reader);
  /// Warns, and records it in the provenance, where a run of this configuration from the start
  /// would have another state.
  void judge_restored();
  std::string newest_checkpoint() const;  // empty: none
  StopReason loop();
  /// Units [done, done + count); returns the seconds they took.
  double do_slice(Index count);
  Control agree_on_control(double slice_seconds, Index target);
  [[noreturn]] void fail_everywhere(const Control& control);
  /// Writes the results of the time before a fault; returns a clause about it, or an empty text.
  std::string keep_sound_results(const std::string& fault);
  /// Makes an evaluation; returns whether everything has converged.
  bool evaluate();
  /// Whether this run needs an evaluation at the point where the checkpoint was written, which was
  /// not made yet.
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
  void report_progress();
  void report_end(double seconds);
  std::string ending_in_words() const;
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
  std::vector<FileLock> locks_;  // rank 0's: of the results and the checkpoints
  std::unique_ptr<Reporter> reporter_;
  std::function<double()> clock_;
  double begin_;
  WorkPlan plan_;
  CheckpointIdentity identity_;
  RunHistory history_;
  RunOutcome outcome_;
  SliceSize slice_size_;
  Evaluation judged_;  // at judged_at_ units
  Index judged_at_ = 0;
  bool converged_ = false;           // the stop rule's errors are met: nothing is left to compute
  bool is_repeatable_ = true;        // a run from the start would have the same state
  bool is_at_end_ = false;           // and its checkpoint is written
  bool has_looser_targets_ = false;  // than the run that was resumed
  std::string end_warning_;          // that it could not be written; for when there are results
  int stop_signal_ = 0;
  Index slice_from_ = 0;           // units before the last slice
  Index resumed_at_ = 0;           // units that earlier parts did
  double loop_seconds_ = 0;        // from the first slice to the stop
  double earlier_seconds_ = 0;     // of the parts before this one
  double checkpoint_at_ = 0;       // now() after the last checkpoint
  double checkpoint_seconds_ = 0;  // duration of the last checkpoint
};

}  // namespace gsim::engine
