#include "stages.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "gsim/config/location.hpp"
#include "gsim/config/output_keys.hpp"
#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/io/result_values.hpp"
#include "src/app/batch/references.hpp"

namespace gsim::app {
namespace {

std::size_t find_stage(const std::vector<Stage>& stages, std::size_t before,
                       const std::string& name) {
  std::size_t i = 0;
  while (i < before && stages[i].name != name) ++i;
  return i;
}

void check_order(const std::vector<Stage>& stages) {
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Stage& stage = stages[i];
    if (find_stage(stages, i, stage.name) < i)
      stage.keys.fail("name", fmt::format("there are two stages `{}`", stage.name));
    for (const std::string& assignment : stage.set)
      for (const Reference& r : references_in(assignment))
        if (find_stage(stages, i, r.task) == i)
          stage.keys.fail("set", fmt::format("`{}` is not an earlier stage", excerpt(r.task)),
                          "a stage may refer to the files and results of those before it");
  }
}

/// Whether a line begins a table, and whether that table is a [[stage]].
bool is_header(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == line.npos || line[first] != '[') return false;
  const std::size_t name = line.find_first_not_of("[ \t", first);
  return name != line.npos && line[name] != '"' && line[name] != '\'' && line[name] != '{' &&
         line[name] != ']';
}
bool is_stage_header(std::string_view line) {
  std::string compact;
  for (const char c : line.substr(0, line.find('#')))
    if (c != ' ' && c != '\t' && c != '\r') compact += c;
  return compact == "[[stage]]";
}

/// The quotation marks of the string of several lines that is open after `line`, empty if none is;
/// `open` are those before it.
std::string_view open_quotation(std::string_view line, std::string_view open) {
  constexpr std::array<std::string_view, 4> marks{"\"\"\"", "'''", "\"", "'"};
  for (std::size_t i = 0; i < line.size();) {
    const std::string_view rest = line.substr(i);
    if (!open.empty()) {
      const bool is_escaped = open.front() == '"' && rest.front() == '\\';
      const bool is_end = !is_escaped && rest.starts_with(open);
      i += is_escaped ? 2 : is_end ? open.size() : 1;
      if (is_end) open = {};
      continue;
    }
    if (rest.front() == '#') break;
    const auto* mark = std::find_if(marks.begin(), marks.end(),
                                    [&](std::string_view m) { return rest.starts_with(m); });
    if (mark != marks.end()) open = *mark;
    i += mark != marks.end() ? mark->size() : 1;
  }
  return open.size() == 3 ? open : std::string_view();
}

/// The overrides of stage `i` with the values of its references.
std::vector<std::string> overrides_of(const std::vector<Stage>& stages, std::size_t i,
                                      const std::vector<std::string>& files) {
  std::vector<std::string> set;
  for (const std::string& assignment : stages[i].set)
    set.push_back(replace_references(assignment, [&](const Reference& r) -> std::string {
      const auto found = std::find_if(stages.begin(), stages.end(),
                                      [&](const Stage& s) { return s.name == r.task; });
      const std::string& path = files.at(static_cast<std::size_t>(found - stages.begin()));
      if (!r.dataset.empty()) return read_value(path + ".h5", r.dataset, r.row);
      // Names in a configuration are relative to its folder, not to that of this process.
      return path_in_toml(assignment, r.begin, std::filesystem::absolute(path).string());
    }));
  return set;
}

/// ConfigError if two stages name the same file for an output of their module: the later one would
/// replace it.
void refuse_same_outputs(const Session& session, const std::string& path,
                         const StagedConfig& config, const std::string& module) {
  const auto described = session.registry.find(module).factory(session.registry);
  const std::vector<std::string> keys =
      output_keys([&](Section& top) { described->describe(top); });
  std::map<std::string, std::size_t> writer_of;
  for (std::size_t i = 0; i < config.stages.size(); ++i) {
    const Stage& stage = config.stages[i];
    ConfigFile file = ConfigFile::parse(config.text, path);
    locate_errors(stage.keys.location("set"), [&] { set_unresolved(file, stage); });
    for (const std::string& assignment : session.arguments.set) file.set(assignment);
    for (const OutputName& output : output_names(file, keys)) {
      const auto [other, is_new] =
          writer_of.emplace(std::filesystem::absolute(output.name).lexically_normal().string(), i);
      if (!is_new && other->second != i)
        stage.keys.fail(
            "name",
            fmt::format("the stages `{}` and `{}` would both write {} (`{}`)",
                        config.stages[other->second].name, stage.name, excerpt(output.name),
                        output.key),
            "leave the key out, so that each has a file of its own, or give one of them another "
            "name in `set`");
    }
  }
}

/// The texts of rank 0 on every rank.
std::vector<std::string> broadcast(const Communicator& comm, std::vector<std::string> texts) {
  texts.resize(static_cast<std::size_t>(comm.broadcast(static_cast<Index>(texts.size()))));
  for (std::string& text : texts) text = comm.broadcast(std::move(text));
  return texts;
}

}  // namespace

StagedConfig separate_stages(const std::string& text, const std::string& path) {
  StagedConfig config;
  std::string stage_text;
  std::string_view open;
  bool is_in_stage = false, has_stages = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (open.empty() && is_header(line)) is_in_stage = is_stage_header(line);
    open = open_quotation(line, open);
    has_stages = has_stages || is_in_stage;
    (is_in_stage ? stage_text : config.text) += line;
    config.text += '\n';
    stage_text += '\n';
    begin = end + 1;
  }
  if (!has_stages) return {text, {}};
  ConfigFile file = ConfigFile::parse(stage_text, path);
  file.read([&](Section& top) { describe_stages(top, config.stages); });
  check_order(config.stages);
  return config;
}

void set_unresolved(ConfigFile& file, const Stage& stage) {
  for (const std::string& assignment : stage.set)
    file.set(replace_references(assignment, [](const Reference& r) {
      return r.dataset.empty() ? r.task : number_for(r.task + r.dataset + r.row);
    }));
}

std::vector<std::string> references_of(const Stage& stage) {
  std::vector<std::string> names;
  for (const std::string& assignment : stage.set)
    for (const Reference& r : references_in(assignment)) names.push_back(r.task);
  return names;
}

std::string stage_output(const std::string& output, const std::vector<Stage>& stages,
                         std::size_t i) {
  if (i + 1 == stages.size()) return output;
  std::string extension;
  for (const char* known : {".h5", ".prom"})
    if (output.ends_with(known)) extension = known;
  return output.substr(0, output.size() - extension.size()) + "." + stages[i].name + extension;
}

Configuration load_stage(const Session& session, const ConfigSource& source,
                         const StagedConfig& config, std::size_t i,
                         std::vector<std::string>& files) {
  const Communicator& comm = session.communicator;
  Arguments arguments = session.arguments;
  arguments.set.clear();
  comm.agree([&] {
    if (!comm.is_root()) return;
    locate_errors(config.stages[i].keys.location("set"),
                  [&] { arguments.set = overrides_of(config.stages, i, files); });
  });
  arguments.set = broadcast(comm, std::move(arguments.set));
  arguments.set.insert(arguments.set.end(), session.arguments.set.begin(),
                       session.arguments.set.end());
  const Session of_stage{arguments, session.registry, session.plugins, comm, session.launch};
  Configuration c = load_configuration(of_stage, {source.path, config.text, source.reader});
  if (i == 0)
    comm.agree(
        [&] { refuse_same_outputs(session, source.path, config, c.request.options.module); });
  RunOptions& options = c.request.options;
  options.output = stage_output(options.output, config.stages, i);
  options.checkpoint_base = stage_output(options.checkpoint_base, config.stages, i);
  options.status.file = stage_output(options.status.file, config.stages, i);
  files.push_back(std::filesystem::path(options.output).extension() == ".h5"
                      ? options.output.substr(0, options.output.size() - 3)
                      : options.output);
  return c;
}

}  // namespace gsim::app
