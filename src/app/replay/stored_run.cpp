#include "stored_run.hpp"

#include <fmt/format.h>

#include "gsim/core/error.hpp"
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

}  // namespace

StoredRun read_stored_run(const std::string& path) try {
  ResultReader file(Communicator::self(), path);
  if (!file.has_attribute("provenance", "config_resolved"))
    throw InputError(fmt::format("cannot replay {}: it is not a result file of gsim", path));
  const auto get = [&](const char* name) {
    return file.has_attribute("provenance", name) ? file.attribute("provenance", name)
                                                  : std::string();
  };
  const std::string repeatable = get("repeatable");
  if (repeatable != "yes")
    throw InputError(
        fmt::format("cannot replay {}: its run is not repeatable ({})", path,
                    repeatable.starts_with("no: ") ? repeatable.substr(4) : repeatable));
  return {get("config_name"),  get("config_resolved"), read_input_files(file),
          get("gsim_version"), get("git_commit"),      get("plugins")};
} catch (const IoError& error) {
  throw InputError(fmt::format("cannot replay {}: {}", path, error.what()));
}

std::string without_names_of_outputs(const std::string& config) {
  std::string text;
  bool names_an_output = false;
  for (std::size_t begin = 0; begin < config.size();) {
    const std::size_t end = std::min(config.find('\n', begin), config.size() - 1);
    const std::string line = config.substr(begin, end + 1 - begin);
    begin = end + 1;
    if (line.starts_with('['))
      names_an_output = line.starts_with("[[trajectory]]") || line.starts_with("[particle_file]") ||
                        line.starts_with("[pictures]");
    if (!(names_an_output && line.starts_with("file = "))) text += line;
  }
  return text;
}

}  // namespace gsim::app
