#include "manifest.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "design.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/engine/driver.hpp"
#include "manifest_keys.hpp"
#include "references.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

/// The tasks of each group, and the order of groups.
using Groups = std::map<std::string, std::vector<std::size_t>>;

bool is_variable(const TaskInput& t, const Reference& r) {
  return r.dataset.empty() && std::any_of(t.vary.begin(), t.vary.end(), [&](const VariedKey& v) {
           return v.is_variable && v.key == r.task;
         });
}

/// The overrides of a task with the values of its variables at a point.
std::vector<std::string> with_variables(const TaskInput& t, const std::vector<std::string>& point) {
  std::vector<std::string> set;
  for (const std::string& assignment : t.set)
    set.push_back(replace_references(assignment, [&](const Reference& r) -> std::string {
      for (std::size_t k = 0; k < t.vary.size(); ++k)
        if (t.vary[k].is_variable && t.vary[k].key == r.task && r.dataset.empty()) return point[k];
      return {};
    }));
  return set;
}

/// Appends the tasks of one [[task]] to `batch`.
void add_tasks(const TaskInput& t, const fs::path& base, Batch& batch, Groups& groups) {
  if (groups.contains(t.name))
    t.keys.fail("name", fmt::format("there are two tasks `{}`", excerpt(t.name)));
  std::vector<std::vector<std::string>> points;
  try {
    points = design_points(t.vary, t.design);
  } catch (const InputError& e) {
    t.keys.fail("vary", e.what());
  }
  const int digits = static_cast<int>(fmt::format("{}", points.size()).size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    BatchTask task;
    task.group = t.name;
    task.name = t.vary.empty() ? t.name : fmt::format("{}.{:0{}}", t.name, i + 1, digits);
    task.config = (base / t.config).lexically_normal().string();
    for (std::size_t k = 0; k < t.vary.size(); ++k)
      task.parameters.emplace_back(t.vary[k].key, points[i][k]);
    task.set = with_variables(t, points[i]);
    for (std::size_t k = 0; k < t.vary.size(); ++k)
      if (!t.vary[k].is_variable) task.set.push_back(t.vary[k].key + "=" + points[i][k]);
    task.ranks = t.ranks;
    task.threads = t.threads;
    groups[t.name].push_back(batch.tasks.size());
    batch.tasks.push_back(std::move(task));
  }
}

/// ConfigError if two tasks have the same files: a.1 of the study `a`, and a task `a.1`.
void check_file_names(const std::vector<TaskInput>& inputs, const Batch& batch,
                      const Groups& groups) {
  std::map<std::string, std::string> group_of;
  for (const TaskInput& t : inputs)
    for (const std::size_t task : groups.at(t.name)) {
      const std::string& name = batch.tasks[task].name;
      const auto [other, is_new] = group_of.emplace(name, t.name);
      if (!is_new)
        t.keys.fail("name",
                    fmt::format("a file `{}.h5` would be of this task and of the task `{}`",
                                excerpt(name), excerpt(other->second)),
                    "rename one of them");
    }
}

/// ConfigError for a task that does not exist.
[[noreturn]] void fail_unknown(const TaskInput& t, const char* key, const std::string& name,
                               const Groups& groups) {
  std::vector<std::string> known;
  for (const auto& [group, tasks] : groups) known.push_back(group);
  const std::string similar = did_you_mean(name, known);
  t.keys.fail(key, fmt::format("there is no task `{}`", excerpt(name)),
              similar.empty() ? "" : fmt::format("did you mean `{}`?", similar));
}

/// The groups that a task comes after: those of `after`, and those to which `set` refers.
struct GroupsBefore {
  std::set<std::string> after, referred;
};

GroupsBefore groups_before(const TaskInput& t, const Groups& groups) {
  GroupsBefore before{{t.after.begin(), t.after.end()}, {}};
  for (const std::string& name : before.after)
    if (!groups.contains(name)) fail_unknown(t, "after", name, groups);
  for (const VariedKey& v : t.vary)
    if (v.is_variable && groups.contains(v.key))
      t.keys.fail("vary", fmt::format("`{}` is a task, too", excerpt(v.key)),
                  "rename the variable or the task");
  for (const std::string& assignment : t.set)
    for (const Reference& r : references_in(assignment)) {
      if (is_variable(t, r)) continue;
      if (!groups.contains(r.task)) {
        if (r.dataset.empty()) continue;  // braces of TOML
        fail_unknown(t, "set", r.task, groups);
      }
      before.referred.insert(r.task);
    }
  return before;
}

/// Whether a text in `set` has the variable.
bool uses(const TaskInput& t, const std::string& variable) {
  return std::any_of(t.set.begin(), t.set.end(), [&](const std::string& assignment) {
    const std::vector<Reference> found = references_in(assignment);
    return std::any_of(found.begin(), found.end(),
                       [&](const Reference& r) { return r.dataset.empty() && r.task == variable; });
  });
}

/// ConfigError for a variable whose values would repeat the same run: `set` does not use it, nor
/// refers to another study, whose points differ, and it does not tell apart points of a task that
/// refers to this one. `referred`: the groups to which the tasks of each group refer.
void check_variables_are_used(const TaskInput& t, const std::vector<TaskInput>& tasks,
                              const std::map<std::string, std::set<std::string>>& referred) {
  for (const VariedKey& v : t.vary) {
    const bool names_points = std::any_of(tasks.begin(), tasks.end(), [&](const TaskInput& other) {
      if (referred.at(t.name).contains(other.name) && !other.vary.empty()) return true;
      return referred.at(other.name).contains(t.name) &&
             std::any_of(other.vary.begin(), other.vary.end(),
                         [&](const VariedKey& w) { return w.is_variable && w.key == v.key; });
    });
    if (v.is_variable && !names_points && !uses(t, v.key))
      t.keys.fail("vary",
                  fmt::format("nothing of `{}` depends on the variable `{}`: no text in `set` has "
                              "{{{}}}",
                              t.name, excerpt(v.key), excerpt(v.key)),
                  "use it in `set`, vary a key of the configuration, or leave it out");
  }
}

/// Whether two points agree in all parameters that both have.
bool agree(const BatchTask& a, const BatchTask& b) {
  for (const auto& [key, value] : a.parameters)
    for (const auto& [other, other_value] : b.parameters)
      if (key == other && value != other_value) return false;
  return true;
}

/// Sets what the tasks of one [[task]] wait for and refer to: a single task, or the same point of a
/// study with as many points.
void connect(const TaskInput& t, const GroupsBefore& before, const Groups& groups, Batch& batch) {
  const std::vector<std::size_t>& tasks = groups.at(t.name);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    BatchTask& task = batch.tasks[tasks[i]];
    std::set<std::size_t> after;
    for (const std::string& name : before.after)
      after.insert(groups.at(name).begin(), groups.at(name).end());
    for (const std::string& name : before.referred) {
      const std::vector<std::size_t>& points = groups.at(name);
      if (points.size() != 1 && points.size() != tasks.size())
        t.keys.fail("set",
                    fmt::format("`{}` has {} points and `{}` {}, so that {{{}}} can mean none "
                                "of them",
                                name, points.size(), t.name, tasks.size(), name),
                    "let both have the same points");
      const std::size_t source = points.size() == 1 ? points.front() : points[i];
      if (points.size() != 1 && !agree(task, batch.tasks[source]))
        t.keys.fail("set",
                    fmt::format("`{}` and `{}` have different values, so that {{{}}} is not "
                                "the same point",
                                task.name, batch.tasks[source].name, name),
                    "let both have the same points in the same order");
      after.insert(source);
      task.refers_to[name] = source;
    }
    task.after.assign(after.begin(), after.end());
  }
}

void check_no_circle(const std::vector<TaskInput>& tasks,
                     const std::map<std::string, std::set<std::string>>& before) {
  std::set<std::string> done;
  for (bool progress = true; progress;) {
    progress = false;
    for (const auto& [name, needs] : before)
      if (!done.contains(name) &&
          std::includes(done.begin(), done.end(), needs.begin(), needs.end()))
        progress = done.insert(name).second || progress;
  }
  for (const TaskInput& t : tasks)
    if (!done.contains(t.name))
      t.keys.fail("after", fmt::format("`{}` waits for itself: its tasks before form a circle",
                                       excerpt(t.name)));
}

}  // namespace

Batch read_batch(const std::string& path, const std::vector<std::string>& set) {
  ConfigFile file = ConfigFile::load(path);
  for (const std::string& assignment : set) file.set(assignment);
  ManifestInput input;
  file.read([&](Section& top) { validated(describe_manifest, validate_manifest)(top, input); });
  if (input.tasks.empty()) throw InputError(fmt::format("{} has no [[task]]", path));
  Batch batch;
  batch.manifest = path;
  batch.folder = input.folder;
  batch.cores = input.cores;
  batch.gpus = input.gpus;
  batch.tasks_per_gpu = input.tasks_per_gpu;
  batch.launcher = input.launcher;
  batch.stops_at_failure = input.on_failure == 1;
  batch.estimates = input.estimates;
  batch.submit = input.submit;
  if (!input.hosts.empty())
    batch.hosts = read_host_file((fs::path(path).parent_path() / input.hosts).string());
  if (batch.folder.empty())
    batch.folder = fmt::format("{}/{}", RunOptions::default_folder, fs::path(path).stem().string());
  Groups groups;
  for (const TaskInput& t : input.tasks) add_tasks(t, fs::path(path).parent_path(), batch, groups);
  check_file_names(input.tasks, batch, groups);
  std::map<std::string, std::set<std::string>> before, referred;
  for (const TaskInput& t : input.tasks) {
    const GroupsBefore needs = groups_before(t, groups);
    referred[t.name] = needs.referred;
    connect(t, needs, groups, batch);
    before[t.name] = needs.after;
    before[t.name].insert(needs.referred.begin(), needs.referred.end());
  }
  for (const TaskInput& t : input.tasks) check_variables_are_used(t, input.tasks, referred);
  check_no_circle(input.tasks, before);
  return batch;
}

void keep_part(Batch& batch, const std::string& text) {
  char slash = 0;
  std::istringstream words(text);
  if (!(words >> batch.part >> slash >> batch.parts) || slash != '/' || !words.eof() ||
      batch.part < 1 || batch.part > batch.parts)
    throw InputError(fmt::format("--part takes K/N with K from 1 to N, not `{}`", excerpt(text)));
  std::vector<BatchTask> kept;
  for (std::size_t i = 0; i < batch.tasks.size(); ++i) {
    if (!batch.tasks[i].after.empty())
      throw InputError(
          fmt::format("{}: `{}` comes after other tasks; a batch with dependencies has no "
                      "parts",
                      batch.manifest, batch.tasks[i].name));
    if (static_cast<Index>(i) % batch.parts == batch.part - 1) kept.push_back(batch.tasks[i]);
  }
  batch.tasks = std::move(kept);
}

std::string batch_schema(bool json) {
  ManifestInput input;
  const auto describe = [&](Section& top) { describe_manifest(top, input); };
  return json ? schema_json(describe, "gsim batch") : schema_text(describe);
}

}  // namespace gsim::app
