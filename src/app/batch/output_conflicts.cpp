#include "output_conflicts.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "gsim/config/output_keys.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/engine/driver.hpp"
#include "references.hpp"
#include "src/app/app.hpp"
#include "src/app/forecast/process_copy.hpp"
#include "src/app/input/plugins.hpp"
#include "src/app/run/stages.hpp"
#include "task_process.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

/// The output keys of the engine and of a module, without that of the results, which a batch names.
std::vector<std::string> keys_of(const Registry& registry, const std::string& module) {
  const auto described = registry.find(module).factory(registry);
  std::vector<std::string> keys = output_keys([&](Section& top) {
    RunOptions().describe(top);
    described->describe(top);
  });
  std::erase(keys, "output.file");
  return keys;
}

/// The same in a copy of this process, which loads the plugins that define the module or its keys.
std::vector<std::string> keys_with_plugins(const Registry& registry, const std::string& module,
                                           const std::vector<std::string>& plugins,
                                           const std::string& folder) {
  const CopyOutput output = run_in_copy([&] {
    Arguments arguments;
    Registry modules = registry;
    PluginLoader loader(modules);
    load_named_plugins({arguments, modules, loader, Communicator::self(), {}});
    for (const std::string& plugin : plugins) loader.load(find_plugin(plugin, folder));
    std::string text;
    for (const std::string& key : keys_of(modules, module)) text += key + "\n";
    return text;
  });
  std::istringstream lines(output.bytes);
  std::vector<std::string> keys;
  for (std::string key; std::getline(lines, key);) keys.push_back(key);
  return keys;
}

/// Whether an override may set one of the keys: by name, or with the table in which it is.
bool may_set(const std::string& assignment, const std::vector<std::string>& keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
    return assignment.starts_with(key.substr(0, key.find_first_of(".["))) &&
           assignment.find(key.substr(key.rfind('.') + 1)) != assignment.npos;
  });
}

/// Whether an override may change which keys there are.
bool changes_keys(const std::string& assignment) {
  return assignment.starts_with("module") || assignment.starts_with("plugins");
}

/// What the tasks of one configuration have in common.
struct CommonPart {
  StagedConfig config;
  std::vector<std::string> keys;
  bool names_outputs = true;
};

class OutputConflicts {
 public:
  OutputConflicts(const Batch& batch, const Registry& registry)
      : batch_(batch), registry_(registry) {}

  void check() {
    for (std::size_t i = 0; i < batch_.tasks.size(); ++i) {
      std::vector<OutputName> outputs;
      try {
        outputs = outputs_of(batch_.tasks[i]);
      } catch (const Error&) {
        continue;  // the task itself gives the message
      }
      for (const OutputName& output : outputs) add(i, output);
    }
  }

 private:
  void add(std::size_t task, const OutputName& output) {
    const std::string path = fs::absolute(output.name).lexically_normal().string();
    const auto [other, is_new] = writer_of_.emplace(path, task);
    if (is_new || other->second == task) return;
    throw InputError(fmt::format(
        "{}: the tasks `{}` and `{}` would both write {} (`{}`); leave the key out, so that each "
        "has a file of its own beside its results, or give them different names in `set`",
        batch_.manifest, batch_.tasks[other->second].name, batch_.tasks[task].name,
        excerpt(output.name), output.key));
  }

  std::vector<OutputName> outputs_of(const BatchTask& task) {
    const CommonPart& common = common_part(task);
    const auto any_override = [&](const auto& test) {
      return std::any_of(task.set.begin(), task.set.end(), test);
    };
    const std::vector<std::string> keys =
        any_override(changes_keys) ? keys_for(common.config.text, task, task.set) : common.keys;
    const bool is_changed =
        any_override([&](const std::string& assignment) { return may_set(assignment, keys); });
    if (!common.names_outputs && !is_changed) return {};
    return outputs_in(common.config, task, task.set, keys);
  }

  const CommonPart& common_part(const BatchTask& task) {
    const auto known = common_.find(task.config);
    if (known != common_.end()) return known->second;
    CommonPart common{separate_stages(read_input_file(task.config).text, task.config), {}, true};
    common.keys = keys_for(common.config.text, task, {});
    common.names_outputs = !outputs_in(common.config, task, {}, common.keys).empty();
    return common_.emplace(task.config, std::move(common)).first->second;
  }

  /// The names in a configuration with the overrides of a task, in all of its stages.
  std::vector<OutputName> outputs_in(const StagedConfig& config, const BatchTask& task,
                                     const std::vector<std::string>& set,
                                     const std::vector<std::string>& keys) const {
    std::vector<OutputName> all;
    const std::size_t runs = std::max<std::size_t>(config.stages.size(), 1);
    for (std::size_t i = 0; i < runs; ++i) {
      ConfigFile file = ConfigFile::parse(config.text, task.config);
      if (!config.stages.empty()) set_unresolved(file, config.stages[i]);
      for (const std::string& assignment : set) file.set(with_paths(assignment, task));
      const std::vector<OutputName> names = output_names(file, keys);
      all.insert(all.end(), names.begin(), names.end());
    }
    return all;
  }

  /// An override with the paths of other tasks, and with numbers for values of their results, which
  /// are not there yet.
  std::string with_paths(const std::string& assignment, const BatchTask& task) const {
    return replace_references(assignment, [&](const Reference& r) {
      const auto found = task.refers_to.find(r.task);
      if (found == task.refers_to.end()) return std::string();
      const std::string path = task_path(batch_.folder, batch_.tasks[found->second]);
      return r.dataset.empty() ? path_in_toml(assignment, r.begin, fs::absolute(path).string())
                               : number_for(path + r.dataset + r.row);
    });
  }

  const std::vector<std::string>& keys_for(const std::string& text, const BatchTask& task,
                                           const std::vector<std::string>& set) {
    ConfigFile file = ConfigFile::parse(text, task.config);
    for (const std::string& assignment : set)
      if (changes_keys(assignment)) file.set(assignment);
    std::vector<std::string> plugins;
    std::string module;
    file.read([&](Section& top) {
      top.optional("module", module, {});
      top.optional("plugins", plugins, {});
      top.ignore_unread();
    });
    const auto [known, is_new] = keys_.try_emplace({module, plugins});
    if (!is_new) return known->second;
    const auto& entries = registry_.entries();
    const bool is_here = std::any_of(entries.begin(), entries.end(),
                                     [&](const Registry::Entry& e) { return e.name == module; });
    return known->second = is_here && plugins.empty()
                               ? keys_of(registry_, module)
                               : keys_with_plugins(registry_, module, plugins, file.directory());
  }

  const Batch& batch_;
  const Registry& registry_;
  std::map<std::string, CommonPart> common_;  ///< by configuration
  std::map<std::pair<std::string, std::vector<std::string>>, std::vector<std::string>> keys_;
  std::map<std::string, std::size_t> writer_of_;  ///< task by file
};

}  // namespace

void refuse_shared_outputs(const Batch& batch, const Registry& registry) {
  OutputConflicts(batch, registry).check();
}

}  // namespace gsim::app
