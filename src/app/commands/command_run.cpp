// gsim run: runs a configuration and writes its results.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/json.hpp"
#include "gsim/core/text.hpp"
#include "src/app/input/configuration.hpp"
#include "src/app/replay/stored_run.hpp"
#include "src/app/run/run_configuration.hpp"
#include "src/app/run/stages.hpp"
#include "src/app/start/standard_streams.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

/// SLURM_JOB_END_TIME (seconds since 1970) is a time limit in addition to the configured one.
double time_limit(double configured) {
  const char* end = std::getenv("SLURM_JOB_END_TIME");
  if (end == nullptr) return configured;
  const double seconds_left = std::strtod(end, nullptr) - static_cast<double>(std::time(nullptr));
  if (seconds_left <= 0) return configured;
  return configured > 0 ? std::min(configured, seconds_left) : seconds_left;
}

/// InputError if the folder of a file on the command line does not exist. The default folder of
/// results is always created.
void require_folder(const std::string& file) {
  const fs::path folder = fs::path(file).parent_path();
  std::error_code unknown;
  if (folder.empty() || folder == RunOptions::default_folder || fs::exists(folder, unknown)) return;
  std::vector<std::string> names;
  const fs::path parent = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
  for (fs::directory_iterator at(parent, unknown); !unknown && at != fs::directory_iterator();
       at.increment(unknown))
    if (at->is_directory(unknown)) names.push_back(at->path().filename().string());
  const std::string similar = did_you_mean(folder.filename().string(), names);
  throw InputError(
      fmt::format("cannot write {}: there is no folder {}; {}make it first (mkdir -p {}), "
                  "or choose another place with --output",
                  file, folder.string(),
                  similar.empty() ? std::string() : fmt::format("did you mean {}? or ", similar),
                  folder.string()));
}

/// InputError for missing folders on the command line, which are probably mistyped. Folders in the
/// configuration are created.
void require_typed_folders(const Session& session, const RunOptions& options) {
  session.communicator.agree([&] {
    if (!session.communicator.is_root()) return;
    for (const std::string& assignment : session.arguments.set) {
      if (assignment.starts_with("output.file")) require_folder(options.output);
      if (assignment.starts_with("checkpoint.base")) require_folder(options.checkpoint_base);
    }
  });
}

/// Runs one configuration; `passed` are the seconds of earlier stages.
RunOutcome run_one(const Session& session, Configuration& c, Resume resume, double passed) {
  RunOptions& options = c.request.options;
  if (options.time_limit > 0) options.time_limit = std::max(options.time_limit - passed, 1e-9);
  options.time_limit = time_limit(options.time_limit);
  c.request.resume = resume;
  return run_configuration(session, c);
}

/// Whether the results of `c` are there and complete. Collective.
bool is_done(const Session& session, const Configuration& c) {
  bool is_done = false;
  if (session.communicator.is_root()) {
    const std::string& path = c.request.options.output;
    std::error_code unknown;
    try {
      if (fs::exists(path, unknown)) {
        const StoredRun stored = read_stored_run(path);
        is_done = stored.repeatable == "yes" &&
                  identity_text(stored.config_resolved) == identity_text(c.request.config_resolved);
      }
    } catch (const Error&) {
      is_done = false;  // damaged results are replaced, and kept under another name
    }
  }
  return session.communicator.broadcast(is_done);
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

/// Runs the stages in their order. With --resume those whose results are complete are left out, up
/// to the first one that is not; that one goes on from its checkpoint if there is one.
int run_stages(const Session& session, const ConfigSource& source, const StagedConfig& config) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> files;
  bool may_skip = session.arguments.resume != Resume::no;
  for (std::size_t i = 0; i < config.stages.size(); ++i) {
    Configuration c = load_stage(session, source, config, i, files);
    if (i == 0) require_typed_folders(session, c.request.options);
    if (may_skip && is_done(session, c)) {
      announce(session, config, i, c.request.options.output);
      continue;
    }
    announce(session, config, i, "");
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    const RunOutcome outcome =
        run_one(session, c, may_skip ? Resume::if_present : Resume::no, passed.count());
    may_skip = false;
    if (const ExitCode code = outcome.exit_code(); code != ExitCode::done)
      return static_cast<int>(code);
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace

int command_run(const Session& session) {
  ConfigSource source = load_source(session);
  StagedConfig config;
  session.communicator.agree([&] { config = separate_stages(source.text, source.path); });
  if (!config.stages.empty()) return run_stages(session, source, config);
  Configuration c = load_configuration(session, std::move(source));
  require_typed_folders(session, c.request.options);
  return static_cast<int>(run_one(session, c, session.arguments.resume, 0).exit_code());
}

}  // namespace gsim::app
