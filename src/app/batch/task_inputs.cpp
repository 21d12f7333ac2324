#include "task_inputs.hpp"

#include <algorithm>
#include <filesystem>

#include "gsim/config/input_file.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/io/result_values.hpp"
#include "references.hpp"
#include "task_process.hpp"

namespace gsim::app {

std::uint64_t TaskInputs::identity(const BatchTask& task, const std::vector<std::string>& set) {
  Digest digest;
  digest.add(text_of(task));
  for (const std::string& assignment : set) digest.add(assignment);
  return digest.value();
}

std::vector<std::string> TaskInputs::overrides_of(const BatchTask& task) const {
  std::vector<std::string> set;
  for (const std::string& assignment : task.set)
    set.push_back(replace_references(assignment, [&](const Reference& r) -> std::string {
      const auto found = task.refers_to.find(r.task);
      if (found == task.refers_to.end()) return {};
      const std::string path = task_path(batch_.folder, batch_.tasks[found->second]);
      if (!r.dataset.empty()) return read_value(path + ".h5", r.dataset, r.row);
      // Names in a configuration are relative to its folder, not to that of this process.
      return path_in_toml(assignment, r.begin, std::filesystem::absolute(path).string());
    }));
  return set;
}

bool TaskInputs::names_last_checkpoint(const BatchTask& task) {
  const auto has_key = [](const std::string& text) { return text.find("at_end") != text.npos; };
  return has_key(text_of(task)) || std::any_of(task.set.begin(), task.set.end(), has_key);
}

const std::string& TaskInputs::text_of(const BatchTask& task) {
  auto text = texts_.find(task.config);
  if (text == texts_.end())
    text = texts_.emplace(task.config, read_input_file(task.config).text).first;
  return text->second;
}

}  // namespace gsim::app
