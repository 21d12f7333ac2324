// Writing of checkpoints, and resuming from them.

#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "run.hpp"
#include "src/engine/statistics/evaluation_state.hpp"

namespace gsim::engine {
namespace {

constexpr const char* targets_path = "engine/error_targets";

/// Error targets of a stop rule; 0: none.
struct Targets {
  double relative = 0, absolute = 0;

  /// Whether an error can meet the targets of `other` and miss these.
  bool is_tighter_than(const Targets& other) const {
    const auto [r, a] = max_errors();
    const auto [other_r, other_a] = other.max_errors();
    return r < other_r || a < other_a;
  }

 private:
  /// The largest errors that meet the targets; 0 without targets, which no error meets.
  std::pair<double, double> max_errors() const {
    const double none = std::numeric_limits<double>::infinity();
    if (relative <= 0 && absolute <= 0) return {0.0, 0.0};
    return {relative > 0 ? relative : none, absolute > 0 ? absolute : none};
  }
};

}  // namespace

std::string Run::newest_checkpoint() const {
  std::string path;
  if (comm_.is_root()) {
    const auto paths = list_checkpoints(request_.options.checkpoint_base);
    if (!paths.empty()) path = paths.front();
  }
  return comm_.broadcast(path);
}

// With --resume=auto, the checkpoint of a finished run of another configuration is ignored.
bool Run::is_of_other_finished_run(const std::string& newest) const {
  bool is_other = false;
  if (comm_.is_root() && request_.resume == Resume::if_present) {
    const auto summary = read_checkpoint_summary(newest);
    // The digests of input files come after a +, and a run that has others is refused later.
    is_other = summary && summary->is_final &&
               !summary->config_digest.starts_with(identity_.config_digest);
    if (is_other && context_.warn)
      context_.warn(fmt::format(
          "{} is the end of a run with another configuration: this run starts from the beginning",
          newest));
  }
  return comm_.broadcast(is_other);
}

// A checkpoint of a finished run is mentioned only where this run could be resumed from it.
void Run::warn_of_start(const std::string& newest) const {
  if (newest.empty() || !context_.warn || !comm_.is_root()) return;
  const auto summary = read_checkpoint_summary(newest);
  if (summary && summary->is_final &&
      (summary->config_digest != identity_.config_digest ||
       summary->units_done >= plan_.total_units))
    return;
  context_.warn(fmt::format(
      "this run starts from the beginning, and its checkpoints will replace {}; --resume "
      "continues from there",
      newest));
}

void Run::restore(const OpenCheckpoint& from) {
  RegionTimer::Scope reading(context_.timer.get(), "read");
  if (context_.warn) {
    for (const std::string& refused : from.refused) {
      context_.warn(fmt::format("checkpoint {}; resuming from {}, {} {}", refused, from.path,
                                plan_.unit_name, from.units_done));
    }
  }
  warn_of_other_plugins(*from.reader);
  module_.restore(*from.reader);
  earlier_seconds_ = from.reader->read_value<double>("engine/seconds");
  evaluated_at_ = from.reader->read_value<Index>("engine/judged_at");
  is_repeatable_ = from.reader->read_value<Index>("engine/repeatable") != 0;
  history_.parts = from.reader->read_value<Index>("engine/parts") + 1;
  converged_ = from.reader->read_value<Index>("engine/converged") != 0;
  evaluation_ = restore_evaluation(*from.reader);
  history_.resumed_from = from.path;
  outcome_.units_done = resumed_at_ = from.units_done;
  change_targets(*from.reader);
  outcome_.checkpoint_path = from.path;
  reporter_->resumed(from);
  status_reporter_->resumed(from);
  check_repeatability();
}

// With tighter targets the results are those of a run that had them from the start. With looser
// ones such a run might have ended before.
void Run::change_targets(DatasetReader& reader) {
  if (!reader.has(targets_path)) return;
  const auto saved = reader.read<double>(targets_path);
  const Targets earlier{saved.at(0), saved.at(1)};
  const Targets now{request_.options.stop.relative_error, request_.options.stop.absolute_error};
  // Targets of the module's own are met together with these, so that a further one is tighter.
  const bool is_changed = now.relative != earlier.relative || now.absolute != earlier.absolute;
  if (now.is_tighter_than(earlier) || (plan_.has_own_targets && is_changed)) {
    const bool was_evaluated = evaluated_at_ == outcome_.units_done;
    const std::string reason = module_.tighten_targets(was_evaluated);
    if (!reason.empty()) {
      InputError error(fmt::format(
          "{} cannot be resumed with other error targets (stop.relative_error {:g}, was {:g}; "
          "stop.absolute_error {:g}, was {:g}): {}; set the earlier ones, or start from the "
          "beginning without --resume",
          history_.resumed_from, now.relative, earlier.relative, now.absolute, earlier.absolute,
          reason));
      error.mark_agreed();
      throw error;
    }
    converged_ = false;
    evaluated_at_ = 0;
  }
  has_looser_targets_ = earlier.is_tighter_than(now);
}

// During the development of a plugin its file changes, but seldom its version.
void Run::warn_of_other_plugins(DatasetReader& reader) {
  const std::string path = "engine/plugins";
  const auto saved_plugins =
      reader.has(path) ? reader.read_strings(path) : std::vector<std::string>();
  if (saved_plugins == request_.plugins || !context_.warn) return;
  context_.warn(fmt::format(
      "the checkpoint was written with {}, and is resumed with {}: the same version, but not the "
      "same file; if the results of the plugin have changed, start from the "
      "beginning without --resume",
      fmt::join(saved_plugins, ", "), fmt::join(request_.plugins, ", ")));
}

// Evaluations change the state: the recorded estimates, and which of them have converged. The last
// evaluation of a run is after its last unit, which need not be an evaluation point of a run with
// more units.
void Run::check_repeatability() {
  const Index done = outcome_.units_done;
  std::string reason;
  if (done > plan_.total_units) {
    reason = fmt::format("resumed with {} {}s done, more than the {} of this configuration", done,
                         plan_.unit_name, plan_.total_units);
  } else if (evaluated_at_ > 0 && evaluated_at_ != plan_.total_units &&
             module_.next_evaluation(evaluated_at_ - 1) != evaluated_at_) {
    reason = fmt::format("resumed from the end of a shorter run, at {} {}", plan_.unit_name,
                         evaluated_at_);
    is_repeatable_ = false;
  } else if (has_looser_targets_) {
    reason = "resumed with looser error targets, which may have been met before";
    is_repeatable_ = false;
  } else if (!is_repeatable_) {
    reason = "resumed from a part that was resumed from the end of a shorter run";
  }
  if (reason.empty()) return;
  history_.reason_not_reproducible = reason;
  if (context_.warn) {
    context_.warn(fmt::format(
        "{}: a run from the beginning would give other digits, which the results record", reason));
  }
}

bool Run::needs_evaluation() const {
  const Index done = outcome_.units_done;
  if (evaluated_at_ == done || done > plan_.total_units) return false;
  return done == plan_.total_units || module_.next_evaluation(done - 1) == done;
}

// Results are more important than a checkpoint for a longer run.
void Run::write_last_checkpoint() {
  if (!request_.options.checkpoint_at_end) return;
  is_at_end_ = true;
  try {
    write_checkpoint();
  } catch (const IoError& e) {
    if (!e.is_agreed()) throw;
    is_at_end_ = false;
    end_warning_ = fmt::format(
        "no checkpoint could be written at the end of this run, so that --resume cannot make it "
        "longer: {}",
        e.what());
  }
}

void Run::write_checkpoint() {
  RegionTimer::Scope writing(context_.timer.get(), "write");
  const double start_time = now();
  const double seconds = comm_.broadcast(total_now());
  outcome_.checkpoint_path = gsim::write_checkpoint(
      comm_, request_.options.checkpoint_base, identity_, outcome_.units_done,
      [&](DatasetWriter& writer) {
        module_.save(writer);
        writer.write("engine/seconds", seconds);
        writer.write("engine/judged_at", evaluated_at_);
        writer.write("engine/repeatable", Index{is_repeatable_});
        writer.write("engine/parts", history_.parts);
        writer.write("engine/converged", Index{converged_});
        writer.write(is_final_path, Index{is_at_end_});
        const StopRule& stop = request_.options.stop;
        writer.write(targets_path, std::vector<double>{stop.relative_error, stop.absolute_error});
        save_evaluation(writer, evaluation_);
        if (!request_.plugins.empty()) writer.write_strings("engine/plugins", request_.plugins);
      });
  checkpoint_at_ = now();
  checkpoint_seconds_ = checkpoint_at_ - start_time;
  // The checkpoint at the end is reported with the results.
  if (!is_at_end_) reporter_->checkpoint(outcome_.checkpoint_path, outcome_.units_done);
}

}  // namespace gsim::engine
