#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/io/result_file.hpp"
#include "src/app/batch/batch_results.hpp"
#include "src/app/batch/design.hpp"
#include "src/app/batch/gpu_pool.hpp"
#include "src/app/batch/host_failures.hpp"
#include "src/app/batch/journal.hpp"
#include "src/app/batch/launcher_retries.hpp"
#include "src/app/batch/manifest.hpp"
#include "src/app/batch/references.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
using namespace gsim::app;
using gsim::test::contains;
using gsim::test::ScratchFolder;

namespace {

VariedKey range(const std::string& key, double from, double to, Index count = 0,
                bool logarithmic = false) {
  return {key, {}, from, to, count, logarithmic};
}

std::vector<double> coordinates(const std::vector<std::vector<std::string>>& points,
                                std::size_t k) {
  std::vector<double> values;
  for (const auto& point : points) values.push_back(std::stod(point[k]));
  std::sort(values.begin(), values.end());
  return values;
}

std::string error_of_manifest(const std::string& text) {
  const ScratchFolder scratch;
  const std::string path = scratch / "batch.toml";
  std::ofstream(path) << text;
  try {
    read_batch(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

}  // namespace

TEST_CASE("design: grids and lists of values and ranges") {
  const VariedKey words{"model", {"heston", "bates"}, 0, 0, 0, false};
  const auto grid = design_points({words, range("x", 0.1, 0.5, 5)}, {Design::grid, 0, 0});
  REQUIRE(grid.size() == 10);
  CHECK(grid[0] == std::vector<std::string>{"heston", "0.1"});
  CHECK(grid[2] == std::vector<std::string>{"heston", "0.3"});  // not 0.30000000000000004
  CHECK(grid[9] == std::vector<std::string>{"bates", "0.5"});
  const auto list = design_points({words, range("x", 1, 100, 2, true)}, {Design::list, 0, 0});
  CHECK(list == std::vector<std::vector<std::string>>{{"heston", "1"}, {"bates", "100"}});
  CHECK(design_points({range("x", 1, 100, 3, true)}, {Design::list, 0, 0})[1][0] == "10");
  CHECK_THROWS_AS(design_points({words, range("x", 0, 1, 3)}, {Design::list, 0, 0}), InputError);
  CHECK(design_points({}, {}).size() == 1);
}

TEST_CASE("design: a Latin hypercube has one point in each interval of each key") {
  const auto points =
      design_points({range("x", 0, 64), range("y", 64, 0)}, {Design::latin_hypercube, 64, 7});
  for (const std::size_t key : {0u, 1u}) {
    const std::vector<double> values = coordinates(points, key);
    for (std::size_t i = 0; i < 64; ++i) CHECK(std::floor(values[i]) == static_cast<double>(i));
  }
  const auto others =
      design_points({range("x", 0, 64), range("y", 64, 0)}, {Design::latin_hypercube, 64, 8});
  CHECK(points != others);
  // The order of one key says nothing about that of the other: |Spearman's r| < 4 / sqrt(63).
  double sum = 0;
  for (const auto& point : points)
    sum += (std::floor(std::stod(point[0])) - 31.5) * (std::floor(std::stod(point[1])) - 31.5);
  CHECK(std::fabs(sum / (64.0 * (64.0 * 64.0 - 1) / 12)) < 4 / std::sqrt(63.0));
  CHECK_THROWS_AS(design_points({{"w", {"a"}, 0, 0, 0, false}}, {Design::latin_hypercube, 4, 0}),
                  InputError);
}

TEST_CASE("design: 2^m Sobol points have one point in each of 2^m equal boxes") {
  const auto points =
      design_points({range("x", 0, 16), range("y", 0, 16)}, {Design::sobol, 256, 3});
  std::set<std::pair<int, int>> boxes;
  for (const auto& point : points)
    boxes.emplace(static_cast<int>(std::stod(point[0])), static_cast<int>(std::stod(point[1])));
  CHECK(boxes.size() == 256);  // a (0, 8, 2)-net: Sobol 1967
}

TEST_CASE("references: other tasks' files and values, and not the braces of TOML") {
  const std::string text = "a={x = 1}, b=\"{min.im-1}.h5md\", c={cal:trades/price[A [1]]}, d={ x }";
  const auto found = references_in(text);
  REQUIRE(found.size() == 2);
  CHECK(found[0].task == "min.im-1");
  CHECK(found[0].dataset.empty());
  CHECK(found[1].task == "cal");
  CHECK(found[1].dataset == "trades/price");
  CHECK(found[1].row == "A [1]");
  CHECK(replace_references("{a}{b}{a}", [](const Reference& r) {
          return r.task == "a" ? std::string("1") : std::string();
        }) == "1{b}1");
}

TEST_CASE("references: paths in strings of TOML") {
  const std::string path = "/x \"1\"\\y";
  const auto escaped = [&](const std::string& text) {
    return path_in_toml(text, text.find('{'), path);
  };
  CHECK(escaped("a={b}") == path);
  CHECK(escaped("a='{b}'") == path);
  CHECK(escaped("a=\"{b}\"") == "/x \\\"1\\\"\\\\y");
  CHECK(escaped("a=[\"\\\"\", '\"', {b}]") == path);
  CHECK(escaped("a=['\"', \"it's {b}\"]") == "/x \\\"1\\\"\\\\y");
}

TEST_CASE("GPUs: different ones for the ranks of a task, those with the fewest users") {
  GpuPool pool(2, 3);
  CHECK(pool.take(1) == std::vector<Index>{0});
  CHECK(pool.take(1) == std::vector<Index>{1});
  CHECK(pool.take(1) == std::vector<Index>{0});
  pool.give_back({0});
  pool.give_back({0});  // GPU 0 has no user, and GPU 1 one
  CHECK(pool.take(2) == std::vector<Index>{0, 1});
  CHECK(pool.free() == 2);
  pool.take(1);
  pool.take(2);
  CHECK(pool.free() == 0);
}

TEST_CASE("hosts: the one that messages name, or that fails most, is left out alone") {
  const ScratchFolder scratch;
  const std::string log = scratch / "task.log";
  const std::string before = "ssh: connect to host w2 port 22: No route to host\n";
  const auto named = [&](const std::string& text) {
    std::ofstream(log) << before << text;
    return hosts_in_messages(log, before.size(), {"w1", "w2", "w1.domain"});
  };
  using List = std::vector<std::size_t>;
  CHECK(named("[mpiexec@w2] error\nssh: connect to host w1 port 22: Connection refused\n") ==
        List{0});
  CHECK(named("w1.domain: Permission denied.\nuser@w11, x-w2, w2_a\n") == List{2});
  CHECK(named("lost connection to w1.\n") == List{0});
  CHECK(named("w1 w2 w1.domain\n").empty());
  FailedStarts starts;
  CHECK(!starts.add({0, 1}));
  CHECK(starts.add({0, 1}) == 1u);
  starts.note_start(1);
  CHECK(!starts.add({0, 1}));
  CHECK(starts.add({0, 1}) == 0u);
  CHECK(!starts.add({1}));
  starts.note_start(1);
  CHECK(!starts.add({1}));
  CHECK(starts.add({1}) == 1u);
}

TEST_CASE("launchers: a task is started again after growing pauses, six times") {
  LauncherRetries retries;
  const LauncherRetries::Clock::time_point start{};
  auto now = start;
  for (int i = 0; i < 6; ++i) {
    CHECK(retries.add(7, now));
    CHECK(!retries.is_empty());
    now += std::chrono::milliseconds(500 << i);
    CHECK(retries.take_due(now - std::chrono::milliseconds(1)).empty());
    CHECK(retries.take_due(now) == std::vector<std::size_t>{7});
    CHECK(retries.is_empty());
  }
  CHECK(!retries.add(7, now));
  CHECK(retries.is_empty());
  CHECK(retries.add(8, now));
  CHECK(now - start == std::chrono::milliseconds(31500));
}

TEST_CASE("batch results: a damaged result file fails its task alone") {
  const ScratchFolder scratch;
  Batch batch;
  batch.manifest = scratch / "m.toml";
  std::ofstream(batch.manifest) << "\n";
  batch.folder = scratch / "out";
  std::filesystem::create_directory(batch.folder);
  batch.tasks.resize(1);
  batch.tasks[0].name = "a";
  batch.tasks[0].parameters = {{"a/b", "1"}, {"a_b", "2"}};
  std::ofstream(batch.folder + "/a.h5") << "damaged";
  std::vector<TaskRecord> records{{TaskState::done, 0, 1, 7, 7}};
  const BatchResults results = write_batch_results(batch, records);
  REQUIRE(results.damaged.size() == 1);
  CHECK(contains(results.damaged[0].reason, "a.h5"));
  CHECK(records[0].state == TaskState::failed);
  CHECK(records[0].code == 1);
  // A key with `/` is one column; the CSV has it as it is.
  CHECK(contains(inspect_file(results.hdf5, true), "tasks/a_b_"));
  CHECK_FALSE(contains(inspect_file(results.hdf5, true), "tasks/a/b"));
  std::string heading;
  std::ifstream file(results.csv);
  std::getline(file, heading);
  CHECK(heading == "task,a/b,a_b,estimate,row,value,standard_error,unit");
}

TEST_CASE("manifest: tasks, their points and what they wait for") {
  const ScratchFolder scratch;
  const std::string path = scratch / "study.toml";
  std::ofstream(path) << R"(
[[task]]
name = "vol"
config = "a.toml"
set = ["market.spot={base:trades/price[c]}"]
[[task.vary]]
key = "market.volatility"
values = [0.1, 0.25]
[[task]]
name = "base"
config = "sub/b.toml"
ranks = 4
[[task]]
name = "all"
config = "a.toml"
after = ["vol"]
)";
  const Batch batch = read_batch(path);
  CHECK(batch.folder == "results/study");
  REQUIRE(batch.tasks.size() == 4);
  CHECK(batch.tasks[0].name == "vol.1");
  CHECK(batch.tasks[1].set.back() == "market.volatility=0.25");
  CHECK(batch.tasks[1].parameters[0].first == "market.volatility");
  CHECK(batch.tasks[0].after == std::vector<std::size_t>{2});
  CHECK(batch.tasks[2].after.empty());
  CHECK(batch.tasks[2].ranks == 4);
  CHECK(batch.tasks[3].after == std::vector<std::size_t>{0, 1});
  CHECK(batch.tasks[2].config == scratch / "sub/b.toml");
}

TEST_CASE("manifest: variables, and studies whose points refer to one another") {
  const ScratchFolder scratch;
  const std::string path = scratch / "study.toml";
  const std::string vary =
      "[[task.vary]]\nname = \"T\"\nvalues = [0.9, 1.5]\n"
      "[[task.vary]]\nkey = \"seed\"\nvalues = [1, 2]\n";
  std::ofstream(path) << "[[task]]\nname = \"melt\"\nconfig = \"a.toml\"\n"
                         "set = [\"start={ temperature = {T} }\"]\n"
                      << vary
                      << "[[task]]\nname = \"run\"\nconfig = \"a.toml\"\n"
                         "set = [\"file=\\\"{melt}.h5md\\\"\", \"x={T}\"]\n"
                      << vary;
  const Batch batch = read_batch(path);
  REQUIRE(batch.tasks.size() == 8);
  CHECK(batch.tasks[2].set == std::vector<std::string>{"start={ temperature = 1.5 }", "seed=1"});
  CHECK(batch.tasks[7].set == std::vector<std::string>{"file=\"{melt}.h5md\"", "x=1.5", "seed=2"});
  CHECK(batch.tasks[7].parameters[0] == std::pair<std::string, std::string>{"T", "1.5"});
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(batch.tasks[4 + i].after == std::vector<std::size_t>{i});
    CHECK(batch.tasks[4 + i].refers_to.at("melt") == i);
  }

  const std::string task = "[[task]]\nname = \"a\"\nconfig = \"a.toml\"\n";
  const auto error = [&](const std::string& more) { return error_of_manifest(task + more); };
  const std::string named = "[[task.vary]]\nname = ";
  CHECK(contains(error("[[task.vary]]\nvalues = [1]\n"), "give either `key` or `name`"));
  CHECK(contains(error(named + "\"b c\"\nvalues = [1]\n"), "`b c` is not a name"));
  CHECK(contains(error_of_manifest("launcher = \"srun -n {rank}\"\n" + task),
                 "{rank} is unknown here"));
  CHECK(contains(error(named + "\"value\"\nvalues = [1]\n"),
                 "`value` is another column of the results"));
  CHECK(contains(error(named + "\"a\"\nvalues = [1]\n"), "`a` is a task, too"));
  CHECK(contains(error(named + "\"b\"\nwords = [\"\"]\n"), "a value of a variable is empty"));
  CHECK(contains(error("set = [\"x={bb}\"]\n" + named + "\"b\"\nvalues = [1]\n"),
                 "nothing of `a` depends on the variable `b`: no text in `set` has {b}"));
  const std::string uses = "set = [\"x={T}\"]\n" + named;
  // A variable may only name the points to which those of another task refer.
  const std::string points = named + "\"T\"\nvalues = [1, 2]\n";
  CHECK(error(points +
              "[[task]]\nname = \"b\"\nconfig = \"a.toml\"\nset = [\"f={a}\", \"x={T}\"]\n" +
              points) == "no InputError");
  CHECK(error(uses + "\"T\"\nvalues = [1, 2]\n[[task]]\nname = \"b\"\nconfig = \"a.toml\"\n" +
              "set = [\"f={a}\"]\n" + named + "\"point\"\nvalues = [1, 2]\n") == "no InputError");
  const std::string second =
      "[[task]]\nname = \"b\"\nconfig = \"a.toml\"\nset = [\"f={a}\", \"x={T}\"]\n";
  CHECK(contains(
      error(uses + "\"T\"\nvalues = [1, 2]\n" + second + named + "\"T\"\nvalues = [1, 3]\n"),
      "`b.2` and `a.2` have different values"));
  CHECK(contains(
      error(uses + "\"T\"\nvalues = [1, 2, 3]\n" + second + named + "\"T\"\nvalues = [1, 2]\n"),
      "`a` has 3 points and `b` 2"));
}

TEST_CASE("manifest: messages") {
  const std::string task = "[[task]]\nname = \"a\"\nconfig = \"a.toml\"\n";
  const std::string vary = "[[task.vary]]\nkey = \"seed\"\n";
  CHECK(contains(error_of_manifest(""), "has no [[task]]"));
  CHECK(contains(error_of_manifest("[[task]]\nname = \"a b\"\nconfig = \"a\"\n"), "not a name"));
  CHECK(contains(error_of_manifest(task + task), "two tasks `a`"));
  CHECK(contains(error_of_manifest(task + "after = [\"b\"]\n"), "there is no task `b`"));
  CHECK(contains(error_of_manifest(task + "after = [\"a\"]\n"), "form a circle"));
  CHECK(contains(error_of_manifest(task + "set = [\"seed\"]\n"), "not KEY=VALUE"));
  CHECK(contains(error_of_manifest(task + vary), "has no values"));
  CHECK(contains(error_of_manifest(task + vary + "from = 1\nto = 2\n"), "needs a `count`"));
  CHECK(contains(error_of_manifest(task + "points = 3\n" + vary + "values = [1]\n"), "points"));
  CHECK(contains(
      error_of_manifest(task + "design = \"sobol\"\npoints = 3\n" + vary + "values = [1]\n"),
      "needs a range"));
  CHECK(
      contains(error_of_manifest(task + vary + "from = 0\nto = 1\ncount = 2\nlogarithmic = true\n"),
               "must be positive"));
  CHECK(contains(error_of_manifest(task + vary +
                                   "values = [1, 2]\n[[task]]\nname = \"b\"\nconfig = "
                                   "\"a.toml\"\nset = [\"seed={a:t/c[r]}\"]\n"),
                 "has 2 points"));
  CHECK(contains(error_of_manifest(task + "rnaks = 2\n"), "did you mean `ranks`?"));
  const std::string study = task + vary + "values = [1, 2]\n";
  CHECK(contains(error_of_manifest(study + "[[task]]\nname = \"a.1\"\nconfig = \"a.toml\"\n"),
                 "a file `a.1.h5` would be of this task and of the task `a`"));
  CHECK(contains(error_of_manifest("[[task]]\nname = \"batch\"\nconfig = \"a.toml\"\n"),
                 "batch.h5 holds the results of all tasks"));
  CHECK(contains(error_of_manifest(study + vary + "values = [3, 4]\n"), "`seed` varies twice"));
  CHECK(contains(error_of_manifest(task + vary + "values = [9007199254740993]\n"),
                 "give them as `words`"));
  CHECK(contains(error_of_manifest(task + vary + "from = 1\nto = 2\ncount = 1\n"),
                 "a range of one value"));
  CHECK(contains(error_of_manifest(task + "set = [\"seed={aa:trades/price[x]}\"]\n"),
                 "there is no task `aa`"));
  CHECK(contains(error_of_manifest(task + "set = [\"seed={aa:trades/price[x]}\"]\n"),
                 "did you mean `a`?"));
}

TEST_CASE("journal: the last record of each task counts, and a line that was cut off does not") {
  const ScratchFolder scratch;
  Batch batch;
  batch.manifest = "night.toml";
  batch.folder = scratch / "night";
  {
    Journal journal(batch, false);
    journal.write("a", {TaskState::running, 0, 0, 7, 8});
    journal.write("a", {TaskState::done, 0, 1.5, 7, 8});
    journal.write("b", {TaskState::failed, 2, 0.25, 0xffffffffffffffff, 0});
  }
  CHECK_THROWS_AS(Journal(batch, false), InputError);
  std::ofstream(Journal::path_of(batch), std::ios::app) << "done\tb\t00";
  const Journal journal(batch, true);
  REQUIRE(journal.records().size() == 2);
  CHECK(journal.records().at("a").state == TaskState::done);
  CHECK(journal.records().at("a").seconds == 1.5);
  CHECK(journal.records().at("a").launch == 8);
  CHECK(journal.records().at("b").state == TaskState::failed);
  CHECK(journal.records().at("b").code == 2);
  CHECK(journal.records().at("b").identity == 0xffffffffffffffff);
}
