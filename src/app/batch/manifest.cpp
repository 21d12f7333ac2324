#include "manifest.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "design.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/engine/driver.hpp"
#include "references.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

/// [[task]] as given, before its points are made.
struct TaskInput {
  std::string name, config;
  std::vector<std::string> set, after;
  Index ranks = 1, threads = 0;
  DesignOptions design;
  std::vector<VariedKey> vary;
  KeyLocations keys;
};

struct ManifestInput {
  std::string folder, launcher, hosts;
  Index cores = 0, gpus = -1, tasks_per_gpu = 1;
  int on_failure = 0;
  std::vector<std::string> estimates;
  std::vector<TaskInput> tasks;
  SubmitOptions submit;
};

void describe_varied_key(Section& s, VariedKey& v) {
  std::string name;
  s.optional("key", v.key, {.doc = "key of the configuration: market.assets.SPX.volatility"});
  s.optional("name", name,
             {.doc = "or name of a variable, which {NAME} in `set` stands for, and which is a "
                     "column of the results"});
  v.is_variable = v.key.empty() && !name.empty();
  if (v.is_variable) v.key = name;
  std::vector<double> values;
  s.optional("values", values, {.doc = "its values, if they are numbers"});
  std::vector<std::string> words;
  s.optional("words", words, {.doc = "its values, if they are not numbers: strings, or TOML"});
  s.optional("from", v.from, {.doc = "first value of a range"});
  s.optional("to", v.to, {.doc = "last value of a range"});
  s.optional("count", v.count,
             {.doc = "number of values of a range, in a grid or a list", .minimum = 1});
  s.optional("logarithmic", v.is_logarithmic,
             {.doc = "whether values of the range are equidistant in the logarithm"});
  v.values = words;
  for (const double value : values) {
    constexpr double largest_exact = 9007199254740992;  // 2^53
    if (std::fabs(value) >= largest_exact && value == std::floor(value))
      s.fail("values",
             fmt::format("numbers of 2^53 or more, such as {}, are not exact here", value),
             "give them as `words`: [\"9007199254740993\"]");
    v.values.push_back(fmt::format("{}", value));
  }
}

bool is_name(const std::string& name) {
  return !name.empty() && name[0] != '.' && name[0] != '-' && name.size() <= 200 &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-';
         });
}

/// Columns of the tables of results that are no variables.
constexpr std::string_view result_columns[] = {
    "task", "name", "state", "exit_code", "estimate", "row", "value", "standard_error", "unit"};

void validate_varied_key(const Section& s, VariedKey& v) {
  if (s.has("key") == s.has("name"))
    s.fail("key", "what varies is a key or a variable", "give either `key` or `name`");
  if (v.is_variable && !is_name(v.key))
    s.fail("name", fmt::format("`{}` is not a name", excerpt(v.key)),
           "use letters, digits, _ . and -");
  if (v.is_variable && std::ranges::find(result_columns, v.key) != std::end(result_columns))
    s.fail("name", fmt::format("`{}` is another column of the results", v.key),
           "choose another name");
  if (v.key.empty() || v.key.find('=') != std::string::npos)
    s.fail("key", fmt::format("`{}` is not a key", excerpt(v.key)));
  if (v.is_variable && std::count(v.values.begin(), v.values.end(), "") > 0)
    s.fail("words", "a value of a variable is empty");
  if (s.has("values") && s.has("words")) s.fail("words", "give either `values` or `words`");
  const bool has_list = s.has("values") || s.has("words");
  if (has_list && (s.has("from") || s.has("to") || s.has("count")))
    s.fail("key", "give either a list of values, or the range `from` and `to`");
  if (has_list && v.values.empty()) s.fail("key", "its list of values is empty");
  if (!has_list && !(s.has("from") && s.has("to")))
    s.fail("key", "it has no values", "give `values`, `words`, or `from` and `to`");
  if (v.count == 1 && v.from != v.to)
    s.fail("count", "a range of one value has no second end", "give the value as `values`");
  if (v.is_logarithmic && !(v.from > 0 && v.to > 0))
    s.fail("logarithmic", "both ends of a logarithmic range must be positive");
}

void describe_task(Section& s, TaskInput& t) {
  s.required("name", t.name,
             {.doc = "name of the task and of its files: letters, digits, _ . and -"});
  s.required("config", t.config, {.doc = "configuration, relative to the manifest"});
  s.optional("set", t.set,
             {.doc = "overrides of keys, as with --set: KEY=VALUE. {NAME} is the path of the files "
                     "of the task NAME without extension, {NAME:TABLE/COLUMN[ROW]} a value of its "
                     "results; of a study with as many points, those of the same point"});
  s.optional("after", t.after, {.doc = "tasks that must end well before this one starts"});
  s.optional("ranks", t.ranks,
             {.doc = "MPI ranks; one: without a launcher", .minimum = 1, .maximum = 1 << 20});
  s.optional("threads", t.threads,
             {.doc = "threads of each rank; 0: the free processors, shared among waiting tasks",
              .minimum = 0,
              .maximum = max_threads});
  s.optional(
      "design", t.design.design, design_words,
      {.doc = "points of [[task.vary]]. grid: all combinations; list: the first values of all "
              "keys, the second ones, …; latin_hypercube, sobol: `points` points in ranges"});
  s.optional("points", t.design.points,
             {.doc = "number of points of latin_hypercube and sobol",
              .minimum = 1,
              .maximum = 10'000'000});
  auto seed = static_cast<Index>(t.design.seed);
  s.optional("seed", seed, {.doc = "seed of latin_hypercube and sobol", .minimum = 0});
  t.design.seed = static_cast<std::uint64_t>(seed);
  s.tables("vary", t.vary, validated(describe_varied_key, validate_varied_key),
           "keys that vary: the task becomes one run for each point");
  t.keys = s.locations();
}

void validate_task(const Section& s, TaskInput& t) {
  if (!is_name(t.name))
    s.fail("name", fmt::format("`{}` is not a name for files", excerpt(t.name)),
           "use letters, digits, _ . and -");
  for (const std::string& assignment : t.set)
    if (assignment.find('=') == std::string::npos || assignment.starts_with('='))
      s.fail("set", fmt::format("`{}` is not KEY=VALUE", excerpt(assignment)));
  if (t.name == "batch")
    s.fail("name", "batch.h5 holds the results of all tasks", "choose another name");
  for (std::size_t i = 0; i < t.vary.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (t.vary[i].key == t.vary[j].key)
        s.fail("vary", fmt::format("`{}` varies twice", excerpt(t.vary[i].key)),
               "give all of its values in one [[task.vary]]");
  const bool is_random =
      t.design.design == Design::latin_hypercube || t.design.design == Design::sobol;
  if (is_random != s.has("points"))
    s.fail("points", is_random ? "the design needs the number of points"
                               : "a grid or a list has the points of its values");
  if (t.vary.empty() && s.has("design")) s.fail("design", "no key varies", "add [[task.vary]]");
  if (!is_random)
    for (const VariedKey& v : t.vary)
      if (v.values.empty() && v.count == 0)
        s.fail("vary", fmt::format("the range of `{}` needs a `count`", excerpt(v.key)));
}

/// ConfigError for a name in braces that means nothing in a launcher.
void validate_manifest(const Section& top, const ManifestInput& m) {
  constexpr std::string_view known[] = {"ranks", "threads", "nodes", "ranks_per_node", "hosts"};
  for (const Reference& r : references_in(m.launcher))
    if (std::ranges::find(known, r.task) == std::end(known) || !r.dataset.empty())
      top.fail("launcher", fmt::format("{{{}}} is unknown here", excerpt(r.task)),
               "a launcher may have {ranks}, {threads}, {nodes}, {ranks_per_node} and {hosts}");
}

constexpr std::string_view failure_words[] = {"continue", "stop"};

void describe_manifest(Section& top, ManifestInput& m) {
  top.optional(
      "folder", m.folder,
      {.doc = "folder of results, logs and the journal (empty: results/<manifest's name>)"});
  top.optional("cores", m.cores,
               {.doc = "processors that tasks may use at once (0: all of this machine)",
                .minimum = 0,
                .maximum = 1 << 20});
  top.optional("gpus", m.gpus,
               {.doc = "GPUs that tasks may use (-1: those of this machine)",
                .minimum = -1,
                .maximum = 1 << 16});
  top.optional("tasks_per_gpu", m.tasks_per_gpu,
               {.doc = "tasks that may share a GPU", .minimum = 1, .maximum = 1024});
  top.optional(
      "launcher", m.launcher,
      {.doc = "command that starts tasks, with {ranks}, {threads} and {nodes} in it: \"srun "
              "--exact -N {nodes} -n {ranks} -c {threads}\" (empty: tasks of several ranks by "
              "mpiexec, others without a launcher)"});
  top.optional("hosts", m.hosts,
               {.doc = "file of the machines on which MPICH's mpiexec starts tasks by ssh, with "
                       "NAME:PROCESSORS in each line, relative to the manifest; {hosts} in "
                       "`launcher` is the list of those of a task (empty: this machine)"});
  top.optional_word("on_failure", m.on_failure, failure_words,
                    {.doc = "continue: a failure ends only the tasks that come after it; stop: no "
                            "further task is started"});
  top.optional_table(
      "submit", [&](Section& s) { validated(describe_submit, validate_submit)(s, m.submit); },
      "the job that `gsim batch submit` makes");
  top.optional("estimates", m.estimates,
               {.doc = "estimates that the tables of the batch hold, by the beginnings of their "
                       "names, such as \"trades/price\" or \"tallies/\" (empty: all)"});
  top.tables("task", m.tasks, validated(describe_task, validate_task), "the tasks");
}

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
