#include "stored_run.hpp"

#include <utility>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "gsim/engine/driver.hpp"
#include "gsim/io/result_file.hpp"
#include "src/app/input/named_outputs.hpp"

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
  run.knows_outputs = file.has_attribute("provenance", "outputs");
  run.outputs = outputs_in(get("outputs"));
  return run;
}

std::string digest_with_earlier(const StoredRun& stored) {
  return hex(Digest()
                 .add(stored.previous_stage)
                 .add(identity_text(stored.config_resolved))
                 .add(stored.digest)
                 .value());
}

ConfigSource source_of(StoredRun stored, const std::string& base) {
  return {std::move(stored.config_name), std::move(stored.config_resolved),
          stored_files(std::move(stored.input_files)), outputs_beside(base, stored.outputs)};
}

}  // namespace gsim::app
