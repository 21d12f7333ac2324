// gsim run: runs a configuration and writes its results.

#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/app/input/configuration.hpp"
#include "src/app/run/run_configuration.hpp"
#include "src/app/run/run_stages.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

int command_run(const Session& session) {
  ConfigSource source = load_source(session);
  StagedConfig config;
  session.communicator.agree([&] { config = separate_stages(source.text, source.path); });
  if (!config.stages.empty())
    return run_stages(session, source, config,
                      [&](const RunOptions& options) { require_typed_folders(session, options); });
  Configuration c = load_configuration(session, std::move(source));
  require_typed_folders(session, c.request.options);
  return static_cast<int>(run_within_limits(session, c, session.arguments.resume, 0).exit_code());
}

}  // namespace gsim::app
