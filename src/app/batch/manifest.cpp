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
  std::vector<TaskInput> tasks;
  SubmitOptions submit;
};

void describe_varied_key(Section& s, VariedKey& v) {
  s.required("key", v.key, {.doc = "key of the configuration: market.assets.SPX.volatility"});
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

void validate_varied_key(const Section& s, VariedKey& v) {
  if (v.key.empty() || v.key.find('=') != std::string::npos)
    s.fail("key", fmt::format("`{}` is not a key", excerpt(v.key)));
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
                     "results"});
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

bool is_name(const std::string& name) {
  return !name.empty() && name[0] != '.' && name[0] != '-' && name.size() <= 200 &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-';
         });
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
  top.tables("task", m.tasks, validated(describe_task, validate_task), "the tasks");
}

/// The tasks of each group, and the order of groups.
using Groups = std::map<std::string, std::vector<std::size_t>>;

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
    task.set = t.set;
    for (std::size_t k = 0; k < t.vary.size(); ++k) {
      task.parameters.emplace_back(t.vary[k].key, points[i][k]);
      task.set.push_back(t.vary[k].key + "=" + points[i][k]);
    }
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
std::set<std::string> groups_before(const TaskInput& t, const Groups& groups) {
  std::set<std::string> before(t.after.begin(), t.after.end());
  for (const std::string& name : before)
    if (!groups.contains(name)) fail_unknown(t, "after", name, groups);
  for (const std::string& assignment : t.set)
    for (const Reference& r : references_in(assignment)) {
      const auto found = groups.find(r.task);
      if (found == groups.end()) {
        if (r.dataset.empty()) continue;  // braces of TOML
        fail_unknown(t, "set", r.task, groups);
      }
      if (found->second.size() != 1)
        t.keys.fail("set", fmt::format("`{}` has {} points, and {{{}}} cannot mean all of them",
                                       r.task, found->second.size(), r.task));
      before.insert(r.task);
    }
  return before;
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
  file.read([&](Section& top) { describe_manifest(top, input); });
  if (input.tasks.empty()) throw InputError(fmt::format("{} has no [[task]]", path));
  Batch batch;
  batch.manifest = path;
  batch.folder = input.folder;
  batch.cores = input.cores;
  batch.gpus = input.gpus;
  batch.tasks_per_gpu = input.tasks_per_gpu;
  batch.launcher = input.launcher;
  batch.stops_at_failure = input.on_failure == 1;
  batch.submit = input.submit;
  if (!input.hosts.empty())
    batch.hosts = read_host_file((fs::path(path).parent_path() / input.hosts).string());
  if (batch.folder.empty())
    batch.folder = fmt::format("{}/{}", RunOptions::default_folder, fs::path(path).stem().string());
  Groups groups;
  for (const TaskInput& t : input.tasks) add_tasks(t, fs::path(path).parent_path(), batch, groups);
  check_file_names(input.tasks, batch, groups);
  std::map<std::string, std::set<std::string>> before;
  for (const TaskInput& t : input.tasks) {
    before[t.name] = groups_before(t, groups);
    std::vector<std::size_t> after;
    for (const std::string& name : before[t.name])
      after.insert(after.end(), groups[name].begin(), groups[name].end());
    std::sort(after.begin(), after.end());
    for (const std::size_t task : groups[t.name]) batch.tasks[task].after = after;
  }
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
