// gsim run: runs a configuration and writes its results.

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/environment.hpp"
#include "gsim/core/host_name.hpp"
#include "gsim/io/result_file.hpp"
#include "src/app/input/configuration.hpp"
#include "src/app/input/plugins.hpp"

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

/// The texts of all ranks, a line each. Collective.
std::string gather_lines(const Communicator& comm, const std::string& text) {
  std::string all;
  for (const char c : comm.allgather(std::span<const char>(text + "\n"))) all += c;
  if (!all.empty()) all.pop_back();
  return all;
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

void add_provenance(const Session& session, const Platform& platform, RunRequest& request) {
  const Communicator& comm = session.communicator;
  const auto& [binding, buffers] = platform;
  std::string uuids;
  for (const std::string& uuid : binding.device_uuids) uuids += (uuids.empty() ? "" : " ") + uuid;
  request.provenance = {
      {"command_line", session.arguments.command_line},
      {"host_by_rank", gather_lines(comm, host_name())},
      {"binding", binding.summary},
      {"mpi", MpiSession::library_version()},
      {"launcher", session.launch.launcher},
      {"buffer_path", fmt::format("{}: {}", to_string(buffers.path), buffers.reason)},
      {"plugins", list_plugins(session)},
  };
  if (uuids.find_first_not_of(' ') != std::string::npos) {
    request.provenance.emplace_back("device_uuids", uuids);
  }
}

}  // namespace

int command_run(const Session& session) {
  Configuration c = load_configuration(session);
  RunRequest& request = c.request;
  require_typed_folders(session, request.options);
  request.options.time_limit = time_limit(request.options.time_limit);
  Context context = make_context(session, c, make_executor(session, request.options));
  const Platform platform = probe_platform(session.communicator, context.executor, request.options);
  context.buffers = platform.buffers.path;
  request.platform = describe_platform(platform, context, request.options);
  request.resume = session.arguments.resume;
  request.log = session.arguments.log;
  request.handle_signals = true;
  session.communicator.agree(
      [&] { request.max_slice = positive_environment_number("GSIM_MAX_SLICE"); });
  add_provenance(session, platform, request);
  const RunOutcome outcome = run_module(*c.module, context, request);
  release_buffer_path(session.communicator);
  return static_cast<int>(outcome.exit_code());
}

}  // namespace gsim::app
