#pragma once
// One run from plan to results. Split from driver.cpp so that each part reads on its own:
// run.cpp (start, loop, end), run_checkpoints.cpp (resuming), control.cpp (what all ranks agree on
// between slices).

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
  /// Warns where a run that is not resumed takes the place of one that could go on.
  void warn_of_start(const std::string& newest) const;
  /// Whether it is not to be resumed by Resume::if_present; says so.
  bool is_of_other_finished_run(const std::string& newest) const;
  void restore();
  /// What other error targets than those of the checkpoint mean for the state.
  void change_targets(DatasetReader& reader);
  void warn_of_other_plugins(DatasetReader& reader);
  /// Warns, and remembers it for the provenance, where the state is not one that this configuration
  /// leads to by itself.
  void judge_restored();
  std::string newest_checkpoint() const;  // empty: none
  StopReason loop();
  /// Units [done, done + count); returns the seconds they took.
  double do_slice(Index count);
  Control agree_on_control(double slice_seconds, Index target);
  [[noreturn]] void fail_everywhere(const Control& control);
  /// Writes the results of what went before a fault; returns a clause about it, or nothing.
  std::string keep_sound_results(const std::string& fault);
  /// Judges at an evaluation point; true when the run has done enough.
  bool evaluate();
  /// Whether this run is to be judged where the checkpoint was written, and was not.
  bool is_judgement_owed() const;
  void write_checkpoint();
  /// Writes the checkpoint at the end of the run if checkpoint.at_end is set. Where it cannot be
  /// written the user is warned, and the results are written all the same.
  void write_last_checkpoint();
  /// Brings the estimates up to the state; false where the run leaves a checkpoint and no result
  /// file.
  bool has_results();
  /// Writes the results, or where that fails a checkpoint to write them from later.
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
  bool is_repeatable_ = true;        // the state is one that the configuration leads to by itself
  bool is_at_end_ = false;           // and its checkpoint is written
  bool has_looser_targets_ = false;  // than the run that was resumed
  std::string end_warning_;          // that it could not be written; for when there are results
  int stop_signal_ = 0;
  Index slice_from_ = 0;           // units before the last slice
  Index resumed_at_ = 0;           // units that earlier parts did
  double loop_seconds_ = 0;        // from the first slice to the stop
  double earlier_seconds_ = 0;     // of the parts before this one
  double checkpoint_at_ = 0;       // now() after the last checkpoint
  double checkpoint_seconds_ = 0;  // what it took
};

}  // namespace gsim::engine
