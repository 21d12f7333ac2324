// gsim replay: repeats a run from the provenance of its results, and compares all bits.

#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/core/json.hpp"
#include "gsim/core/text.hpp"
#include "src/app/comparison/comparison.hpp"
#include "src/app/replay/stored_run.hpp"
#include "src/app/run/run_configuration.hpp"
#include "src/app/start/standard_streams.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

void warn(const std::string& message) {
  print_to_stderr(fmt::format("warning: {}\n", escape_controls_by_line(message)));
}

/// Warns where this gsim is not the one that wrote the results.
void compare_programs(const StoredRun& stored) {
  const BuildInfo& build = build_info();
  if (stored.version != build.version || stored.commit != build.git_hash)
    warn(
        fmt::format("the results are of gsim {} ({}), and this is gsim {} ({}): bits are equal "
                    "within one version only",
                    stored.version, stored.commit, build.version, build.git_hash));
}

/// Warns of the plugins of a run, one in each line of `plugins`, that are not loaded.
void compare_plugins(const Session& session, const std::string& plugins) {
  for (std::size_t begin = 0; begin < plugins.size();) {
    const std::size_t end = std::min(plugins.find('\n', begin), plugins.size());
    const std::string line = plugins.substr(begin, end - begin);
    begin = end + 1;
    bool is_loaded = false;
    for (const Plugin& p : session.plugins.plugins())
      is_loaded =
          is_loaded || line.starts_with(fmt::format("{} {} {} ", p.name, p.version, hex(p.digest)));
    if (!is_loaded)
      warn(
          fmt::format("the run had loaded the plugin {}, which is not loaded; if it is needed, "
                      "give its file with --plugin",
                      line));
  }
}

/// The run of a result file. InputError if it cannot be read or is not repeatable.
StoredRun repeatable_run(const std::string& path) {
  std::string reason;
  try {
    StoredRun stored = read_stored_run(path);
    if (stored.repeatable == "yes" && stored.knows_outputs) return stored;
    reason = stored.repeatable == "yes"
                 ? "it is of an earlier gsim, which did not keep the names of its output files"
                 : fmt::format("its run is not repeatable ({})",
                               stored.repeatable.starts_with("no: ") ? stored.repeatable.substr(4)
                                                                     : stored.repeatable);
  } catch (const Error& error) {
    reason = error.what();
  }
  throw InputError(fmt::format("cannot replay {}: {}", path, reason));
}

/// A new folder beside the default results, for the files of a replay. InputError if it exists.
std::string make_scratch_folder(const std::string& file) {
  const fs::path folder =
      fs::path(RunOptions::default_folder) / (fs::path(file).stem().string() + ".replay");
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (!fs::create_directory(folder, error))
    throw InputError(fmt::format(
        "cannot make the folder {} for the files of the replay{}; remove it, or give --output FILE",
        folder.string(), error ? ": " + error.message() : ", because it exists"));
  return folder.string();
}

/// Prints the verdict on the results of the replay and the files beside them; returns whether all
/// have the same bits.
bool report(const std::string& original, const std::string& replayed, LogStyle log) {
  const ResultComparison comparison = compare_results(original, replayed);
  const ComparedFiles files = compare_output_files(original, replayed);
  const bool is_equal = comparison.same_bits && files.same_bits();
  if (log == LogStyle::json) {
    Json compared = Json::array(), missing = Json::array();
    for (const FileComparison& file : files.files) compared.push(file_json(file));
    for (const std::string& sentence : files.missing) missing.push(sentence);
    const Json event = Json::event("replay")
                           .set("original", original)
                           .set("replayed", replayed)
                           .set("equal", is_equal)
                           .set("output_files", compared)
                           .set("not_compared", missing);
    std::fputs((event.text() + "\n").c_str(), stdout);
    return is_equal;
  }
  if (!is_equal) {
    const Verdict verdict = judge(comparison, 1e-3, files);
    std::fputs(
        comparison_text(compare_runs(original, replayed), comparison, verdict, files).c_str(),
        stdout);
    return false;
  }
  Index values = 0;
  for (const DatasetComparison& dataset : comparison.datasets) values += dataset.values;
  std::fputs(fmt::format("replayed {} from its provenance: every bit of {} in {} is equal\n",
                         original, count_of(values, "value"),
                         count_of(static_cast<long long>(comparison.datasets.size()), "dataset"))
                 .c_str(),
             stdout);
  for (const FileComparison& file : files.files)
    std::fputs(fmt::format("every bit of {} is equal, too: {}\n", escape_controls(file.first),
                           file.contents)
                   .c_str(),
               stdout);
  for (const std::string& sentence : files.missing) warn(sentence);
  return true;
}

/// The path of results without ".h5".
std::string base_of(const std::string& output) { return output.substr(0, output.rfind(".h5")); }

/// InputError if the new results would replace those that are repeated.
void require_other_file(const std::string& original, const std::string& output) {
  std::error_code none;
  if (!output.empty() && fs::equivalent(original, output, none))
    throw InputError(
        fmt::format("cannot replay {} into itself: choose another file with --output", original));
}

}  // namespace

int command_replay(const Session& session) {
  const Communicator& comm = session.communicator;
  const Arguments& a = session.arguments;
  ConfigSource source;
  std::string folder, output, plugins;
  comm.agree([&] {
    if (!comm.is_root()) return;
    StoredRun stored = repeatable_run(a.file);
    require_other_file(a.file, a.output);
    compare_programs(stored);
    plugins = stored.plugins;
    if (a.output.empty()) folder = make_scratch_folder(a.file);
    output = a.output.empty() ? folder + "/" + fs::path(a.file).filename().string() : a.output;
    source = source_of(std::move(stored), base_of(output));
  });
  folder = comm.broadcast(std::move(folder));
  output = comm.broadcast(std::move(output));
  const auto remove_folder = [&] {
    std::error_code ignored;  // what is left is named by its path
    if (comm.is_root() && !folder.empty()) fs::remove_all(folder, ignored);
  };
  bool is_equal = false;
  RunOutcome outcome;
  bool knows_plugins = false;
  try {
    Configuration c = load_configuration(session, std::move(source));  // loads its plugins
    compare_plugins(session, plugins);
    knows_plugins = true;
    RunOptions& options = c.request.options;
    options.output = output;
    options.checkpoint_base = base_of(output);
    options.checkpoint_at_end = false;
    options.checkpoint_interval = 0;
    options.status.is_enabled = false;
    outcome = run_configuration(session, c);
    if (outcome.result_path.empty()) {
      remove_folder();
      if (comm.is_root())
        print_to_stderr("error: the replay was stopped before its end; nothing was compared\n");
      return static_cast<int>(ExitCode::failure);
    }
    comm.agree([&] {
      if (comm.is_root()) is_equal = report(a.file, outcome.result_path, a.log);
    });
  } catch (...) {
    if (!knows_plugins) compare_plugins(session, plugins);
    if (outcome.result_path.empty()) remove_folder();
    throw;
  }
  is_equal = comm.broadcast(is_equal);
  if (is_equal) remove_folder();
  if (!is_equal && comm.is_root() && a.log != LogStyle::json)
    std::fputs(fmt::format("the results of the replay are in {}\n", outcome.result_path).c_str(),
               stdout);
  return static_cast<int>(is_equal ? ExitCode::done : ExitCode::failure);
}

}  // namespace gsim::app
