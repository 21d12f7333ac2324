// Progress and results for programs: one JSON object in each line.

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
    Json line = Json::event("start");
    line.set("gsim", build_info().version)
        .set("platform", request.platform)
        .set("config", request.config_name)
        .set("module", request.options.module)
        .set("seed", static_cast<std::int64_t>(request.options.seed))
        .set("work", plan.summary)
        .set("unit", plan.unit_name)
        .set("total_units", plan.total_units)
        .set("stops_at", describe_stop(request.options.stop, plan));
    const StatusOptions& status = request.options.status;
    if (status.is_enabled) line.set("status_file", status.file);
    print(line);
    for (const SkippedInput& s : plan.skipped)
      print(Json::event("skipped").set("name", s.name).set("reason", s.reason));
    skipped_ = static_cast<Index>(plan.skipped.size());
    item_name_ = plan.item_name;
    has_error_target_ = request.options.stop.has_error_target();
  }
  void resumed(const OpenCheckpoint& from) override {
    print(Json::event("resume").set("path", from.path).set("units", from.units_done));
  }
  void progress(const Progress& p) override {
    if (since_line_.seconds() < seconds_between_events) return;
    since_line_.restart();
    print(Json::event("progress")
              .set("units", p.done)
              .set("fraction", p.fraction)
              .set("rate", p.rate)
              .set("rate_unit", item_name_ + "/s")
              .set("seconds_left", p.seconds_left)
              .set("targets", targets(p.evaluation, p.has_targets)));
  }
  void checkpoint(const std::string& path, Index done) override {
    print(Json::event("checkpoint").set("path", path).set("units", done));
  }
  void end(const Ending& e, const RegionTimer& timer) override {
    const RunOutcome& o = *e.outcome;
    if (e.is_partial || !o.result_path.empty()) {
      for (const Estimate& x : e.module->estimates()) estimate(x, e.is_partial);
    }
    Json times = Json::object();
    for (const RegionTime& region : timer.regions()) times.set(region.name, region.seconds);
    Json line = Json::event("end");
    line.set("reason", to_string(o.reason))
        .set("units", o.units_done)
        .set("skipped", skipped_)
        .set("targets", targets(e.evaluation, e.has_targets));
    if (!o.result_path.empty()) line.set("digest", hex(o.digest)).set("result", o.result_path);
    if (!o.backup_path.empty()) line.set("former_result", o.backup_path);
    if (!o.checkpoint_path.empty()) line.set("checkpoint", o.checkpoint_path);
    line.set("rate", e.rate).set("rate_unit", item_name_ + "/s");
    line.set("seconds", e.seconds).set("regions", times);
    line.set("loop", e.loop.json());
    print(line.set("exit_code", static_cast<int>(o.exit_code())));
  }

 private:
  /// "converged" is null where no target is set for the estimate.
  void estimate(const Estimate& x, bool is_partial) {
    Json line = Json::event("estimate");
    line.set("name", x.name)
        .set("mean", x.mean)
        .set("standard_error", x.standard_error)
        .set("count", x.count)
        .set("unit", x.unit);
    if (has_error_target_ && x.is_judged) {
      line.set("converged", x.converged);
    } else {
      line.set("converged", Json());
    }
    line.set("remark", x.remark);
    if (is_partial) line.set("partial", true);
    print(line);
  }
  /// The number of estimates with targets, the number that meet them, and the worst one.
  static Json targets(const Evaluation& e, bool has_targets) {
    Json line = Json::object();
    line.set("judged", has_targets ? e.judged : 0).set("converged", has_targets ? e.converged : 0);
    if (e.judged > 0) {
      line.set("worst", e.worst.name)
          .set(e.worst.is_relative ? "worst_relative_error" : "worst_absolute_error",
               e.worst.error);
    }
    return line;
  }
  void print(const Json& line) {
    out_.write(line.text() + '\n');
    out_.flush();
  }
  StandardOutput out_;
  std::string item_name_;
  Index skipped_ = 0;
  bool has_error_target_ = false;
  Stopwatch since_line_;
};

}  // namespace

std::unique_ptr<Reporter> make_json_reporter() { return std::make_unique<JsonReporter>(); }

}  // namespace gsim::engine
