#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/core/text.hpp"
#include "gsim/engine/run_forecast.hpp"
#include "gsim/io/result_file.hpp"
#include "output_files.hpp"
#include "slice_observer.hpp"
#include "src/engine/statistics/evaluation_state.hpp"
#include "src/engine/status/status_reporter.hpp"

namespace gsim::engine {
namespace {

constexpr double slice_target = 0.7;  // seconds between control points

/// A clock that gives the seconds since this call.
std::function<double()> steady_clock() {
  return [watch = Stopwatch()] { return watch.seconds(); };
}

}  // namespace

Run::Run(Module& module, const Context& context, const RunRequest& request)
    : module_(module),
      context_(context),
      request_(request),
      comm_(context.communicator),
      signals_(request.handle_signals),
      reporter_(make_reporter(request.log, comm_.is_root())),
      status_reporter_(has_status() && comm_.is_root()
                           ? make_status_reporter(request.options.status, context.warn)
                           : std::make_unique<Reporter>()),
      clock_(request.clock && comm_.is_root() ? request.clock : steady_clock()),
      begin_(clock_()),
      identity_(request.identity),
      slice_size_(1, request.max_slice) {
  history_.started = utc_now();
  if (has_status()) usage_meter_.emplace(context_);
}

RunOutcome Run::execute() {
  start();
  const std::vector<RegionTime> regions_before = context_.timer->regions();
  if (usage_meter_) usage_meter_->start_loop();
  const double start_time = now();
  outcome_.reason = loop();
  // The rate does not include the checkpoint at the end.
  loop_seconds_ = now() - start_time - (is_at_end_ ? checkpoint_seconds_ : 0);
  history_.loop = rank_times(comm_, regions_before, context_.timer->regions());
  if (has_results()) finish();
  if (!end_warning_.empty() && context_.warn) context_.warn(end_warning_);
  outcome_.misses_targets = request_.options.stop.require_converged &&
                            (outcome_.reason != StopReason::converged || !plan_.skipped.empty());
  if (usage_meter_) usage_ = usage_meter_->gather();
  report_end(now());
  return outcome_;
}

void Run::start() {
  const std::string newest = newest_checkpoint();
  const bool is_new =
      newest.empty() || request_.resume == Resume::no || is_of_other_finished_run(newest);
  set_output_policy(request_.options, is_new);
  comm_.agree([this] {
    plan_ = module_.plan(context_);
    check_targets(request_.options.stop, plan_);
    check_memory(context_, plan_);
    if (comm_.is_root()) check_output(request_.options);
  });
  slice_size_ = SliceSize(plan_.units_at_once, request_.max_slice);
  for (const std::uint64_t input : {digest_of(request_.input_files), module_.input_digest()}) {
    if (input != 0) identity_.config_digest += "+" + hex(input);
  }
  if (request_.resume == Resume::required && newest.empty()) {
    InputError error(fmt::format(
        "nothing to resume: there is no checkpoint {}.ckpt.*; start without --resume, or with "
        "--resume=auto, which continues from a checkpoint if there is one",
        request_.options.checkpoint_base));
    error.mark_agreed();
    throw error;
  }
  comm_.agree([this] {
    if (!comm_.is_root()) return;
    locks_.emplace_back(request_.options.output);
    locks_.emplace_back(request_.options.checkpoint_base + ".ckpt");
  });
  const bool is_locked = comm_.is_root() && locks_[0].is_held() && locks_[1].is_held();
  require_shared_folder(comm_, request_.options.output, is_locked);
  require_shared_folder(comm_, request_.options.checkpoint_base + ".ckpt", is_locked);
  // A checkpoint that is refused leaves the status file as it is.
  std::optional<OpenCheckpoint> checkpoint;
  if (!is_new) {
    RegionTimer::Scope reading(context_.timer.get(), "read");
    checkpoint = open_checkpoint(comm_, request_.options.checkpoint_base, identity_);
  }
  status_reporter_->start(request_, plan_);  // first, so that the status is there once it is named
  reporter_->start(request_, plan_);
  if (checkpoint) {
    restore(*checkpoint);
  } else {
    warn_of_start(newest);
    module_.prepare();
  }
  checkpoint_at_ = now();
}

StopReason Run::loop() {
  // This run converged before it was resumed, but its results could not be written.
  if (converged_) return StopReason::converged;
  Index& done = outcome_.units_done;
  // The checkpoint at the end of a run is written before the evaluation there. A run that resumes
  // from it makes up for this evaluation if its own evaluation points or its end include this one.
  if (needs_evaluation() && evaluate()) {
    converged_ = true;
    return StopReason::converged;
  }
  if (plan_.total_units ==
      0) {  // faults of the initial state are otherwise found after the first slice
    const ControlDecisions control = agree_on_control(0, 0);
    if (control.failed_rank >= 0) fail_on_all_ranks(control);
    if (resumed_at_ == 0 && history_.resumed_from.empty()) write_last_checkpoint();
  }
  Index slice = comm_.broadcast(slice_size_.next(slice_target, 0));
  while (done < plan_.total_units) {
    const Index target = std::min(module_.next_evaluation(done), plan_.total_units);
    GSIM_VALIDATE(target > done,
                  "internal error: the next evaluation point is not after the units that are done",
                  "please report it");
    const double seconds = advance_slice(std::min(slice, target - done));
    const ControlDecisions control = agree_on_control(seconds, target);
    if (control.failed_rank >= 0) fail_on_all_ranks(control);
    if (control.status && usage_meter_) {
      usage_ = usage_meter_->gather();
      status_at_ = control_at_;
    }
    // The checkpoint at the end is written before the evaluation, which changes the state: a run
    // with more units that resumes from it may have no evaluation point here.
    const bool is_end = done == plan_.total_units;
    if (is_end) write_last_checkpoint();
    if (done == target && evaluate()) {
      converged_ = true;
      if (!is_end) write_last_checkpoint();
      return StopReason::converged;
    }
    if (is_end) break;
    if (control.wall_time) {
      write_checkpoint();
      return StopReason::wall_time;
    }
    if (control.checkpoint || control.stops_with_checkpoint()) write_checkpoint();
    if (control.stops_with_checkpoint()) {
      stop_signal_ = control.signal;
      return control.time_limit && control.signal == 0 && !control.interrupted
                 ? StopReason::time_limit
                 : StopReason::signal;
    }
    report_progress(control.status);
    slice = control.next_slice;
  }
  return StopReason::finished;
}

double Run::advance_slice(Index count) {
  RegionTimer::Scope computing(context_.timer.get(), "compute");
  const double start_time = now();
  slice_from_ = outcome_.units_done;
  {
    const SliceObserver observer(
        [&](double share) { report_within_slice(share, count, start_time); });
    module_.advance(slice_from_, count);
  }
  outcome_.units_done += count;
  const double seconds = now() - start_time;
  slice_size_.update(count, seconds);
  return seconds;
}

ControlDecisions Run::agree_on_control(double slice_seconds, Index target) {
  RegionTimer::Scope controlling(context_.timer.get(), "control");
  ControlDecisions mine;
  mine.failed_rank = module_.health().empty() ? -1 : comm_.rank();
  mine.signal = request_.handle_signals ? SignalGuard::received() : 0;
  if (comm_.is_root()) {
    const RunOptions& o = request_.options;
    const double elapsed = now(), total = total_now();
    control_at_ = elapsed;
    double seconds_left = slice_target;
    if (o.stop.wall_time > 0) {
      mine.wall_time = total >= o.stop.wall_time;
      seconds_left = std::min(seconds_left, o.stop.wall_time - total);
    }
    if (o.time_limit > 0) {
      // Leave time for another slice, the checkpoint (the cost of the first one is estimated) and
      // the end.
      const double reserve =
          slice_seconds + 2 * checkpoint_seconds_ + std::min(10.0, 0.1 * o.time_limit);
      mine.time_limit = elapsed + reserve >= o.time_limit;
    }
    mine.checkpoint =
        o.checkpoint_interval > 0 && elapsed - checkpoint_at_ >= o.checkpoint_interval;
    mine.status = has_status() && elapsed - status_at_ >= o.status.interval;
    mine.interrupted = request_.interrupt && request_.interrupt(outcome_.units_done);
    mine.next_slice = slice_size_.next(std::max(seconds_left, 0.01), target - outcome_.units_done);
  }
  return agree(comm_, mine);
}

bool Run::evaluate() {
  RegionTimer::Scope reducing(context_.timer.get(), "reduce");
  evaluation_ = module_.evaluate(outcome_.units_done);
  evaluated_at_ = outcome_.units_done;
  return evaluation_.all_converged;
}

bool Run::has_results() {
  if (evaluated_at_ != outcome_.units_done) {
    RegionTimer::Scope reducing(context_.timer.get(), "reduce");
    module_.update_estimates();
  }
  if (outcome_.reason == StopReason::signal || outcome_.reason == StopReason::time_limit) {
    return false;
  }
  if (outcome_.reason != StopReason::wall_time) return true;
  const std::vector<Estimate> all = module_.estimates();
  // An infinite error means too few samples. NaN means samples without variance, which more time
  // may not change; the estimate has a remark.
  return std::all_of(all.begin(), all.end(), [](const Estimate& e) {
    return e.count > 0 && !std::isinf(e.standard_error);
  });
}

void Run::finish() {
  std::string message;
  try {
    return write_results();
  } catch (const IoError& e) {
    if (!e.is_agreed()) throw;
    message = e.what();
  }
  // After the half-written file is removed the disk may have room for the state, or the checkpoint
  // is on another disk.
  try {
    // After a stop by wall time, and at the end of the run, a checkpoint has been written already.
    if (outcome_.reason != StopReason::wall_time && !is_at_end_) write_checkpoint();
    message +=
        fmt::format("; the state is kept in {}: remove the cause and run again with --resume",
                    outcome_.checkpoint_path);
  } catch (const IoError& e) {
    if (!e.is_agreed()) throw;
    if (!outcome_.checkpoint_path.empty()) {
      message += fmt::format("; the last checkpoint that could be written is {}",
                             outcome_.checkpoint_path);
    }
  }
  IoError error(message);
  error.mark_agreed();
  throw error;
}

void Run::write_results() {
  RegionTimer::Scope writing(context_.timer.get(), "write");
  outcome_.digest = module_.digest();
  const auto bits = static_cast<std::int64_t>(outcome_.digest);
  if (comm_.min(bits) != comm_.max(bits)) {
    Error error(
        "internal error: the ranks have different digests of the results; please report it");
    error.mark_agreed();
    throw error;
  }
  history_.seconds = total_now();
  ResultFile file(comm_, request_.options.output);
  module_.write_results(file);
  write_provenance(file, context_, request_, outcome_, history_);
  comm_.agree([this] {
    if (!comm_.is_root()) return;
    outcome_.backup_path = back_up_results(request_.options.output, outcome_.digest);
  });
  outcome_.backup_path = comm_.broadcast(outcome_.backup_path);
  file.commit();
  outcome_.result_path = request_.options.output;
}

void Run::report_progress(bool has_usage) {
  if (!comm_.is_root()) return;
  reported_at_ = control_at_;
  report(static_cast<double>(outcome_.units_done), slice_size_.units_per_second(),
         has_usage ? &usage_ : nullptr);
}

void Run::report_within_slice(double share, Index count, double begin) {
  if (!comm_.is_root()) return;
  const double time = now();
  if (time - reported_at_ < slice_target) return;
  reported_at_ = time;
  const double computed = share * static_cast<double>(count);
  const double speed = slice_size_.units_per_second() > 0
                           ? slice_size_.units_per_second()
                           : computed / std::max(time - begin, slice_target);
  // What the ranks use cannot be gathered here: the status file has what was measured last.
  const bool has_status_to_write =
      has_status() && time - status_written_at_ >= request_.options.status.interval;
  report(static_cast<double>(outcome_.units_done) + computed, speed,
         has_status_to_write ? &usage_ : nullptr);
}

void Run::report(double done, double units_per_second, const RunUsage* usage) {
  const StopRule& stop = request_.options.stop;
  if (usage != nullptr) status_written_at_ = reported_at_;
  Progress p;
  p.done = outcome_.units_done;
  p.rate = units_per_second * plan_.items_per_unit;
  p.has_targets = has_targets();
  p.evaluation = evaluation_;
  const double units =
      units_to_targets(stop, evaluation_, evaluated_at_, outcome_.units_done, plan_.total_units);
  p.fraction = std::min(done / units, 1.0);
  p.seconds_left = units_per_second > 0 ? std::max(units - done, 0.0) / units_per_second
                                        : std::numeric_limits<double>::infinity();
  if (stop.wall_time > 0) {
    p.seconds_left = std::min(p.seconds_left, std::max(stop.wall_time - total_now(), 0.0));
    p.fraction = std::max(p.fraction, std::min(total_now() / stop.wall_time, 1.0));
  }
  p.seconds = reported_at_;
  p.earlier_seconds = earlier_seconds_;
  p.usage = usage;
  reporter_->progress(p);
  status_reporter_->progress(p);
}

std::string Run::ending_in_words() const {
  const std::string at =
      fmt::format("{} {} of {}", plan_.unit_name, outcome_.units_done, plan_.total_units);
  switch (outcome_.reason) {
    case StopReason::wall_time:
      if (outcome_.result_path.empty()) {
        return fmt::format(
            "stopped by wall time ({}) at {}, before every estimate had samples and an error: no "
            "results · checkpoint {} · continue with --resume and a longer stop.wall_time",
            human_duration(request_.options.stop.wall_time), at, outcome_.checkpoint_path);
      }
      return fmt::format(
          "stopped by wall time ({}) at {}; another run may get further, so these "
          "digits are not repeatable; --resume with a longer stop.wall_time continues",
          human_duration(request_.options.stop.wall_time), at);
    case StopReason::signal:
      return fmt::format("stopped by {} at {} · checkpoint {} · continue with --resume",
                         stop_signal_ != 0 ? signal_name(stop_signal_) : "request", at,
                         outcome_.checkpoint_path);
    case StopReason::time_limit:
      return fmt::format(
          "stopped before the time limit ({}) at {} · checkpoint {} · continue with --resume",
          human_duration(request_.options.time_limit), at, outcome_.checkpoint_path);
    case StopReason::finished:
    case StopReason::converged:
      break;
  }
  return {};
}

bool Run::has_status() const {
  const StatusOptions& status = request_.options.status;
  return status.is_enabled && !status.file.empty();
}

bool Run::has_targets() const {
  return request_.options.stop.has_error_target() || plan_.has_own_targets;
}

void Run::report_end(double seconds) {
  Ending end;
  end.evaluation = evaluation_;
  end.has_targets = has_targets();
  end.outcome = &outcome_;
  end.module = &module_;
  end.why = ending_in_words();
  const std::vector<Estimate> all = module_.estimates();
  end.is_partial =
      outcome_.result_path.empty() && std::any_of(all.begin(), all.end(), [](const Estimate& e) {
        return e.count > 0 && std::isfinite(e.standard_error);
      });
  if (end.is_partial || !outcome_.result_path.empty()) end.report = module_.report();
  end.seconds = seconds;
  end.earlier_seconds = earlier_seconds_;
  if (usage_meter_) end.usage = &usage_;
  end.loop = history_.loop;
  if (loop_seconds_ > 0) {
    const auto units = static_cast<double>(outcome_.units_done - resumed_at_);
    end.rate = units * plan_.items_per_unit / loop_seconds_;
  }
  reporter_->end(end, *context_.timer);
  status_reporter_->end(end, *context_.timer);
}

}  // namespace gsim::engine
