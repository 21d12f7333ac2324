#include "run_stages.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/json.hpp"
#include "gsim/io/checkpoint_file.hpp"
#include "src/app/replay/stored_run.hpp"
#include "src/app/run/run_configuration.hpp"
#include "src/app/start/standard_streams.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

/// The results of a stage that are there when it is to start.
struct StageResults {
  std::string digest;    ///< digest_with_earlier(); empty without readable results
  bool is_done = false;  ///< whether they are complete, and those of this configuration
  /// Whether they, and the checkpoint at their end, follow other results of the stages before.
  bool follows_others = false;
};

/// Whether the newest checkpoint is of the end of a run.
bool has_final_checkpoint(const std::string& base) {
  const std::vector<std::string> paths = list_checkpoints(base);
  if (paths.empty()) return false;
  const auto summary = read_checkpoint_summary(paths.front());
  return summary && summary->is_final;
}

/// Digests of the texts of files, ascending: results hold the files in another order.
std::vector<std::uint64_t> digests_of_texts(const std::vector<InputFile>& files) {
  std::vector<std::uint64_t> digests;
  digests.reserve(files.size());
  for (const InputFile& file : files) digests.push_back(digest_of(std::span(&file, 1)));
  std::sort(digests.begin(), digests.end());
  return digests;
}

/// Whether the results `output` are of these input files. Results do not hold files in HDF5: those
/// must be older.
bool has_inputs(const StoredRun& stored, const std::vector<InputFile>& files,
                const std::string& output) {
  std::error_code unknown;
  const auto written = fs::last_write_time(output, unknown);
  const bool has_newer = std::any_of(files.begin(), files.end(), [&](const InputFile& file) {
    return file.is_hdf5 && fs::last_write_time(file.path, unknown) > written;
  });
  return !has_newer && digests_of_texts(stored.input_files) == digests_of_texts(files);
}

/// The results of the stage `c` after stages whose results have the digest `previous`. Collective.
StageResults results_of(const Session& session, const Configuration& c,
                        const std::string& previous) {
  StageResults results;
  const RunOptions& options = c.request.options;
  std::error_code unknown;
  if (session.communicator.is_root() && fs::exists(options.output, unknown)) {
    try {
      const StoredRun stored = read_stored_run(options.output);
      const bool has_met_targets =
          !options.stop.require_converged || stored.stop_reason == to_string(StopReason::converged);
      results.digest = digest_with_earlier(stored);
      results.follows_others = stored.previous_stage != previous;
      const bool is_complete =
          stored.repeatable == "yes" || stored.stop_reason == to_string(StopReason::wall_time);
      results.is_done =
          !results.follows_others && is_complete && has_met_targets &&
          identity_text(stored.config_resolved) == identity_text(c.request.config_resolved) &&
          has_inputs(stored, c.request.input_files, options.output);
    } catch (const Error&) {
      results = {};  // damaged results are replaced, and kept under another name
    }
  }
  results.digest = session.communicator.broadcast(std::move(results.digest));
  results.is_done = session.communicator.broadcast(results.is_done);
  results.follows_others = session.communicator.broadcast(results.follows_others);
  return results;
}

/// Whether a stage may go on from its checkpoints: not from the end of a run that followed other
/// results of the stages before. Collective.
bool may_go_on(const Session& session, const Configuration& c, const StageResults& there) {
  if (!there.follows_others) return true;
  const bool is_root = session.communicator.is_root();
  return session.communicator.broadcast(is_root &&
                                        !has_final_checkpoint(c.request.options.checkpoint_base));
}

void announce(const Session& session, const StagedConfig& config, std::size_t i,
              const std::string& results) {
  if (!session.communicator.is_root() || session.arguments.log == LogStyle::quiet) return;
  const Stage& stage = config.stages[i];
  if (session.arguments.log == LogStyle::json) {
    Json event = Json::event("stage").set("name", stage.name).set("done", !results.empty());
    print_out("{}\n", event.text());
  } else {
    print_out("{}stage {} of {}: {}{}\n", i > 0 ? "\n" : "", i + 1, config.stages.size(),
              stage.name, results.empty() ? "" : fmt::format(" is done, results in {}", results));
  }
  std::fflush(stdout);
}

}  // namespace

int run_stages(const Session& session, const ConfigSource& source, const StagedConfig& config,
               const std::function<void(const RunOptions&)>& check_first) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> files;
  std::string previous;
  bool resumes = session.arguments.resume != Resume::no;
  for (std::size_t i = 0; i < config.stages.size(); ++i) {
    Configuration c = load_stage(session, source, config, i, files);
    if (i == 0) check_first(c.request.options);
    const StageResults before = results_of(session, c, previous);
    if (resumes && before.is_done) {
      announce(session, config, i, c.request.options.output);
      previous = before.digest;
      continue;
    }
    announce(session, config, i, "");
    if (!previous.empty()) c.request.provenance.emplace_back("previous_stage", previous);
    const Resume resume =
        resumes && may_go_on(session, c, before) ? Resume::if_present : Resume::no;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    const RunOutcome outcome = run_within_limits(session, c, resume, passed.count());
    if (const ExitCode code = outcome.exit_code(); code != ExitCode::done)
      return static_cast<int>(code);
    previous = results_of(session, c, previous).digest;
    resumes = resumes && previous == before.digest;
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace gsim::app
