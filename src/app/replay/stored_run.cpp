#include "stored_run.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/toml_string.hpp"
#include "gsim/engine/driver.hpp"
#include "gsim/io/result_file.hpp"

namespace gsim::app {
namespace {

std::vector<InputFile> read_input_files(ResultReader& file) {
  std::vector<InputFile> files;
  for (const std::string& path : file.list("provenance")) {
    if (!path.starts_with("provenance/input_files/")) continue;
    InputFile input;
    input.path = file.attribute(path, "name");
    const std::vector<std::string> text = file.read_strings(path);
    if (!text.empty()) input.text = text.front();
    if (file.has_attribute(path, "problem")) input.problem = file.attribute(path, "problem");
    files.push_back(std::move(input));
  }
  return files;
}

/// Files by path: those of the results, and from the disk those that results do not hold.
FileReader stored_files(std::vector<InputFile> files) {
  return [files = std::move(files)](const std::string& path) {
    for (const InputFile& file : files)
      if (file.path == path && !(file.text.empty() && file.problem.empty())) return file;
    return read_input_file(path);
  };
}

}  // namespace

StoredRun read_stored_run(const std::string& path) {
  ResultReader file(Communicator::self(), path);
  if (!file.has_attribute("provenance", "config_resolved"))
    throw InputError("it is not a result file of gsim");
  const auto get = [&](const char* name) {
    return file.has_attribute("provenance", name) ? file.attribute("provenance", name)
                                                  : std::string();
  };
  StoredRun run;
  run.config_name = get("config_name");
  run.config_resolved = get("config_resolved");
  run.input_files = read_input_files(file);
  run.repeatable = get("repeatable");
  run.version = get("gsim_version");
  run.commit = get("git_commit");
  run.plugins = get("plugins");
  run.digest = get("digest");
  run.stop_reason = get("stop_reason");
  run.previous_stage = get("previous_stage");
  run.folder = get("folder");
  return run;
}

std::string digest_with_earlier(const StoredRun& stored) {
  return hex(Digest()
                 .add(stored.previous_stage)
                 .add(identity_text(stored.config_resolved))
                 .add(stored.digest)
                 .value());
}

std::string rename_outputs(const std::string& config,
                           const std::function<std::string(const OutputName&)>& rename) {
  std::string text;
  std::map<std::string, Index> counts;
  OutputName of_table;
  for (std::size_t begin = 0; begin < config.size();) {
    const std::size_t end = std::min(config.find('\n', begin), config.size() - 1);
    std::string line = config.substr(begin, end + 1 - begin);
    begin = end + 1;
    if (line.starts_with('[')) {
      of_table.table.clear();
      for (const char* name : {"trajectory", "particle_file", "pictures"})
        if (line.starts_with(fmt::format("[{}]", name)) ||
            line.starts_with(fmt::format("[[{}]]", name)))
          of_table = {name, ++counts[name], {}};
    } else if (!of_table.table.empty() && line.starts_with("file = ")) {
      of_table.name = ConfigFile::parse(line, "results").peek_string("file");
      if (!of_table.name.empty()) line = "file = " + toml_string(rename(of_table)) + "\n";
    }
    text += line;
  }
  return text;
}

std::vector<OutputName> output_names(const std::string& config) {
  std::vector<OutputName> names;
  rename_outputs(config, [&](const OutputName& output) {
    names.push_back(output);
    return output.name;
  });
  return names;
}

std::function<std::string(const OutputName&)> names_beside(const std::string& base) {
  return [base, used = std::map<std::string, int>()](const OutputName& output) mutable {
    const std::string name = std::filesystem::path(output.name).filename().string();
    const int before = used[name]++;
    return before == 0 ? fmt::format("{}.{}", base, name)
                       : fmt::format("{}.{}.{}", base, before + 1, name);
  };
}

ConfigSource source_of(StoredRun stored,
                       const std::function<std::string(const OutputName&)>& rename) {
  return {std::move(stored.config_name), rename_outputs(stored.config_resolved, rename),
          stored_files(std::move(stored.input_files))};
}

}  // namespace gsim::app
