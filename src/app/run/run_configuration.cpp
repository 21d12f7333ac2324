#include "run_configuration.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/environment.hpp"
#include "gsim/core/host_name.hpp"
#include "src/app/input/plugins.hpp"
#include "src/app/status/failure_record.hpp"

namespace gsim::app {
namespace {

/// The texts of all ranks, a line each. Collective.
std::string gather_lines(const Communicator& comm, const std::string& text) {
  std::string all;
  for (const char c : comm.allgather(std::span<const char>(text + "\n"))) all += c;
  if (!all.empty()) all.pop_back();
  return all;
}

/// The folder in which this process works, to which names of files in a configuration are relative;
/// empty where it is not known.
std::string current_folder() {
  std::error_code unknown;
  return std::filesystem::current_path(unknown).string();
}

void add_provenance(const Session& session, const Platform& platform, RunRequest& request) {
  const Communicator& comm = session.communicator;
  const auto& [binding, buffers] = platform;
  std::string uuids;
  for (const std::string& uuid : binding.device_uuids) uuids += (uuids.empty() ? "" : " ") + uuid;
  const std::vector<std::pair<std::string, std::string>> of_launch{
      {"command_line", session.arguments.command_line},
      {"folder", current_folder()},
      {"host_by_rank", gather_lines(comm, host_name())},
      {"binding", binding.summary},
      {"mpi", MpiSession::library_version()},
      {"launcher", session.launch.launcher},
      {"buffer_path", fmt::format("{}: {}", to_string(buffers.path), buffers.reason)},
      {"plugins", list_plugins(session)},
  };
  request.provenance.insert(request.provenance.end(), of_launch.begin(), of_launch.end());
  if (uuids.find_first_not_of(' ') != std::string::npos) {
    request.provenance.emplace_back("device_uuids", uuids);
  }
}

/// SLURM_JOB_END_TIME (seconds since 1970) is a time limit in addition to the configured one.
double time_limit(double configured) {
  const char* end = std::getenv("SLURM_JOB_END_TIME");
  if (end == nullptr) return configured;
  const double seconds_left = std::strtod(end, nullptr) - static_cast<double>(std::time(nullptr));
  if (seconds_left <= 0) return configured;
  return configured > 0 ? std::min(configured, seconds_left) : seconds_left;
}

}  // namespace

RunOutcome run_configuration(const Session& session, Configuration& c) {
  RunRequest& request = c.request;
  Context context = make_context(session, c, make_executor(session, request.options));
  const Platform platform = probe_platform(session.communicator, context.executor, request.options);
  context.buffers = platform.buffers.path;
  request.platform = describe_platform(platform, context, request.options);
  request.log = session.arguments.log;
  request.handle_signals = true;
  session.communicator.agree(
      [&] { request.max_slice = positive_environment_number("GSIM_MAX_SLICE"); });
  add_provenance(session, platform, request);
  watch_status_file(session.communicator, request.options.status);
  RunOutcome outcome = run_module(*c.module, context, request);
  forget_status_file();
  release_buffer_path(session.communicator);
  return outcome;
}

RunOutcome run_within_limits(const Session& session, Configuration& c, Resume resume,
                             double passed) {
  RunOptions& options = c.request.options;
  if (options.time_limit > 0) options.time_limit = std::max(options.time_limit - passed, 1e-9);
  options.time_limit = time_limit(options.time_limit);
  c.request.resume = resume;
  return run_configuration(session, c);
}

}  // namespace gsim::app
