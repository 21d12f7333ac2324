// Progress and results for programs: one JSON object a line.

#include "gsim/core/build_info.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/core/json.hpp"
#include "reporter.hpp"

namespace gsim::engine {
namespace {

constexpr double seconds_between_events = 2;

class JsonReporter : public Reporter {
 public:
  void start(const RunRequest& request, const WorkPlan& plan) override {
    say(JsonLine("start")
            .field("gsim", build_info().version)
            .field("platform", request.platform)
            .field("config", request.config_name)
            .field("module", request.options.module)
            .field("seed", static_cast<std::int64_t>(request.options.seed))
            .field("work", plan.summary)
            .field("unit", plan.unit_name)
            .field("total_units", plan.total_units)
            .field("stops_at", describe_stop(request.options.stop, plan)));
    for (const SkippedInput& s : plan.skipped)
      say(JsonLine("skipped").field("name", s.name).field("reason", s.reason));
    skipped_ = static_cast<Index>(plan.skipped.size());
    rate_name_ = plan.rate_name;
    has_error_target_ = request.options.stop.has_error_target();
  }
  void resumed(const OpenCheckpoint& from) override {
    say(JsonLine("resume").field("path", from.path).field("units", from.units_done));
  }
  void progress(const Progress& p) override {
    if (since_line_.seconds() < seconds_between_events) return;
    since_line_.restart();
    say(JsonLine("progress")
            .field("units", p.done)
            .field("fraction", p.fraction)
            .field("rate", p.rate)
            .field("rate_unit", rate_name_ + "/s")
            .field("seconds_left", p.seconds_left)
            .raw("targets", targets(p.evaluation, p.has_targets)));
  }
  void checkpoint(const std::string& path, Index done) override {
    say(JsonLine("checkpoint").field("path", path).field("units", done));
  }
  void end(const Ending& e, const RegionTimer& timer) override {
    const RunOutcome& o = *e.outcome;
    if (e.is_partial || !o.result_path.empty()) {
      for (const Estimate& x : e.module->estimates()) estimate(x, e.is_partial);
    }
    JsonLine times;
    for (const RegionTime& region : timer.regions()) times.field(region.name, region.seconds);
    JsonLine line("end");
    line.field("reason", to_string(o.reason))
        .field("units", o.units_done)
        .field("skipped", skipped_)
        .raw("targets", targets(e.evaluation, e.has_targets));
    if (!o.result_path.empty()) line.field("digest", hex(o.digest)).field("result", o.result_path);
    if (!o.former_path.empty()) line.field("former_result", o.former_path);
    if (!o.checkpoint_path.empty()) line.field("checkpoint", o.checkpoint_path);
    line.field("rate", e.rate).field("rate_unit", rate_name_ + "/s");
    line.field("seconds", e.seconds).raw("regions", times.text());
    line.raw("loop", e.loop.json());
    say(line.field("exit_code", static_cast<int>(o.exit_code())));
  }

 private:
  /// "converged" is null where no target is set for the estimate.
  void estimate(const Estimate& x, bool is_partial) {
    JsonLine line("estimate");
    line.field("name", x.name)
        .field("mean", x.mean)
        .field("standard_error", x.standard_error)
        .field("count", x.count)
        .field("unit", x.unit);
    if (has_error_target_ && x.is_judged) {
      line.field("converged", x.converged);
    } else {
      line.raw("converged", "null");
    }
    line.field("remark", x.remark);
    if (is_partial) line.field("partial", true);
    say(line);
  }
  /// How many estimates have targets, how many meet them, and the one that is farthest from its
  /// own.
  static std::string targets(const Evaluation& e, bool has_targets) {
    JsonLine line;
    line.field("judged", has_targets ? e.judged : 0)
        .field("converged", has_targets ? e.converged : 0);
    if (e.judged > 0) {
      line.field("worst", e.worst.name)
          .field(e.worst.is_relative ? "worst_relative_error" : "worst_absolute_error",
                 e.worst.error);
    }
    return line.text();
  }
  void say(const JsonLine& line) {
    out_.write(line.text() + '\n');
    out_.flush();
  }
  StandardOutput out_;
  std::string rate_name_;
  Index skipped_ = 0;
  bool has_error_target_ = false;
  Stopwatch since_line_;
};

}  // namespace

std::unique_ptr<Reporter> make_json_reporter() { return std::make_unique<JsonReporter>(); }

}  // namespace gsim::engine
