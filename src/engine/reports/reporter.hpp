#pragma once
// What a run says while it runs. Rank 0 has a speaking one, the other ranks a silent one.

#include <memory>
#include <string>
#include <string_view>

#include "gsim/engine/driver.hpp"
#include "src/engine/run/rank_times.hpp"

namespace gsim::engine {

/// Where the run stands.
struct Progress {
  Index done = 0;
  double fraction = 0;       ///< of the way to whatever stops the run first, 0 … 1
  double rate = 0;           ///< WorkPlan::rate_name per second
  double seconds_left = 0;   ///< infinite while unknown
  bool has_targets = false;  ///< whether error targets end the run
  Evaluation evaluation;     ///< the last one; nothing is judged before the first
};

/// The end of a run.
struct Ending {
  const RunOutcome* outcome = nullptr;
  const Module* module = nullptr;
  Evaluation evaluation;  ///< the last one
  bool has_targets = false;
  std::string why;     ///< sentence for a stop that the user should know of, else empty
  ReportTable report;  ///< of the results, or of what is known so far; else empty
  /// Stopped with a checkpoint and no result file, when some estimates have an error: they are
  /// said, marked as partial.
  bool is_partial = false;
  double seconds = 0;
  double rate = 0;  ///< WorkPlan::rate_name per second over the loop of this part
  RankTimes loop;   ///< where the ranks' time in it went
};

/// Where a reporter speaks: stdout. What cannot be said there never ends a run: it is told once, on
/// stderr, and whoever started the run finds std::ferror(stdout) set.
class StandardOutput {
 public:
  void write(std::string_view text);
  void flush();

 private:
  void tell_loss();
  bool is_lost_ = false;
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

std::unique_ptr<Reporter> make_reporter(LogStyle style, bool root);
std::unique_ptr<Reporter> make_json_reporter();
std::unique_ptr<Reporter> make_text_reporter(bool bar);

/// "4.1 %" or, of an absolute error, "0.041"; "unknown".
std::string error_text(const JudgedError& error);

/// What must not be missed of a run that has ended: "288 of 1000 trades have not converged; the
/// worst is T00313 with 4.1 %", and how much input was skipped. Empty where all is well.
std::string shortfall_in_words(const Ending& ending, const WorkPlan& plan);

/// "relative error 1e-3 or 2^24 samples": the stop rule in words.
std::string describe_stop(const StopRule& stop, const WorkPlan& plan);

}  // namespace gsim::engine
