#include "manifest_keys.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/engine/driver.hpp"
#include "references.hpp"

namespace gsim::app {
namespace {

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

constexpr std::string_view failure_words[] = {"continue", "stop"};

}  // namespace

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

void validate_manifest(const Section& top, const ManifestInput& m) {
  constexpr std::string_view known[] = {"ranks", "threads", "nodes", "ranks_per_node", "hosts"};
  for (const Reference& r : references_in(m.launcher))
    if (std::ranges::find(known, r.task) == std::end(known) || !r.dataset.empty())
      top.fail("launcher", fmt::format("{{{}}} is unknown here", excerpt(r.task)),
               "a launcher may have {ranks}, {threads}, {nodes}, {ranks_per_node} and {hosts}");
}

}  // namespace gsim::app
