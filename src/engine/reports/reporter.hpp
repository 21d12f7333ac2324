#pragma once
// Output of a run during the run. Rank 0 has a reporter that prints, the other ranks a silent one.

#include <memory>
#include <string>
#include <string_view>

#include "gsim/engine/driver.hpp"
#include "src/engine/run/rank_times.hpp"

namespace gsim::engine {

struct RunUsage;

/// The progress of a run.
struct Progress {
  Index done = 0;       ///< number of finished work units
  double fraction = 0;  ///< finished part of the run, 0 … 1, until the first stop condition is met
  double rate = 0;      ///< items (WorkPlan::item_name) per second
  double seconds_left = 0;     ///< infinite while unknown
  bool has_targets = false;    ///< whether error targets end the run
  Evaluation evaluation;       ///< the last one; empty before the first
  double seconds = 0;          ///< wall time since the start or the resumption
  double earlier_seconds = 0;  ///< wall time of the parts before
  /// What the ranks use, where it was measured for this report: from time to time, for the status
  /// file.
  const RunUsage* usage = nullptr;
};

/// The end of a run.
struct Ending {
  const RunOutcome* outcome = nullptr;
  const Module* module = nullptr;
  Evaluation evaluation;  ///< the last one
  bool has_targets = false;
  std::string why;     ///< the reason of a stop before the end, else empty
  ReportTable report;  ///< table of results or of partial estimates, or empty
  /// Whether the run stopped with a checkpoint and without a result file. The estimates that have a
  /// standard error are printed and marked as partial.
  bool is_partial = false;
  double seconds = 0;               ///< wall time since the start or the resumption
  double earlier_seconds = 0;       ///< wall time of the parts before
  const RunUsage* usage = nullptr;  ///< null where no status file is written
  /// Items (WorkPlan::item_name) per second in the loop, since the start or the resumption.
  double rate = 0;
  RankTimes loop;  ///< time of the ranks in the loop
};

/// Standard output of reporters. A write error never ends a run: it is reported once, on stderr,
/// and std::ferror(stdout) stays set for the caller.
class StandardOutput {
 public:
  void write(std::string_view text);
  void flush();

 private:
  void report_write_error();
  bool has_failed_ = false;
};

class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void start(const RunRequest&, const WorkPlan&) {}
  virtual void resumed(const OpenCheckpoint&) {}
  virtual void progress(const Progress&) {}
  virtual void checkpoint(const std::string& /*path*/, Index /*done*/) {}
  virtual void end(const Ending&, const RegionTimer&) {}
};

/// The reporter for `style`; a silent one unless `root` (rank 0).
std::unique_ptr<Reporter> make_reporter(LogStyle style, bool root);
std::unique_ptr<Reporter> make_json_reporter();
/// `bar`: whether a progress bar is redrawn; else lines are printed.
std::unique_ptr<Reporter> make_text_reporter(bool bar);

/// A relative error as "4.1 %", an absolute error as "0.041", or "unknown".
std::string error_text(const JudgedError& error);

/// Warnings about a run that has ended: "288 of 1000 trades have not converged; the worst is T00313
/// with 4.1 %", and the number of skipped inputs. Empty where there are none.
std::string shortfall_in_words(const Ending& ending, const WorkPlan& plan);

/// A description of the stop rule: "relative error 1e-3 or 2^24 samples".
std::string describe_stop(const StopRule& stop, const WorkPlan& plan);

}  // namespace gsim::engine
