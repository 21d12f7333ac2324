#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "gsim/core/error.hpp"
#include "src/app/batch/host_pool.hpp"
#include "src/app/batch/journal.hpp"
#include "src/app/submission/allocation.hpp"
#include "src/app/submission/external_program.hpp"
#include "src/app/submission/slurm_job.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
using namespace gsim::app;
using gsim::test::ScratchFolder;

namespace {

/// Tasks with these ranks and one thread each.
Batch batch_of(const std::vector<Index>& ranks) {
  Batch batch;
  batch.manifest = "night.toml";
  for (const Index r : ranks) {
    BatchTask task;
    task.name = "t" + std::to_string(batch.tasks.size());
    task.ranks = r;
    batch.tasks.push_back(task);
  }
  return batch;
}

std::vector<TaskForecast> forecasts(const std::vector<double>& gigabytes) {
  std::vector<TaskForecast> list;
  for (const double size : gigabytes) list.push_back({1e9 * size, 0, false, {}, {}});
  return list;
}

}  // namespace

TEST_CASE("an allocation has the processors that all tasks use, up to a node") {
  Batch batch = batch_of({1, 1, 4, 1});
  const auto sizes = forecasts({1, 1, 1, 1});
  CHECK(allocation_for(batch, sizes, {}).cores == 4);    // the largest task
  CHECK(allocation_for(batch, sizes, {64}).cores == 7);  // all at once
  CHECK(allocation_for(batch, sizes, {5}).cores == 5);
  CHECK(allocation_for(batch, sizes, {2}).cores == 4);
  batch.submit.nodes = 2;
  CHECK(allocation_for(batch, sizes, {64}).cores == 4);
  batch.cores = 12;  // of the manifest
  CHECK(allocation_for(batch, sizes, {64}).cores == 6);
  batch.submit.array = 3;
  const Allocation array = allocation_for(batch, sizes, {64});
  CHECK(array.elements == 2);
  CHECK(array.cores == 2);
}

TEST_CASE("an allocation has the memory of the tasks that can run at the same time") {
  Batch batch = batch_of({1, 1, 4, 1});
  // Four processors: four tasks of 3 GB, or the one on four ranks, but there are only three.
  CHECK(allocation_for(batch, forecasts({3, 3, 1, 3}), {}).memory == doctest::Approx(10.2e9));
  CHECK(allocation_for(batch, forecasts({1, 1, 1, 1}), {}).memory == doctest::Approx(4.2e9));
  CHECK(allocation_for(batch, forecasts({0.1, 0.1, 20, 0.1}), {}).memory ==
        doctest::Approx(20.2e9));
  batch.submit.array = 1;  // an element has the processors of the largest task
  CHECK(allocation_for(batch, forecasts({3, 3, 1, 3}), {}).memory == doctest::Approx(12.2e9));
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  CHECK(allocation_for(batch, forecasts({3, unknown, 1, 3}), {}).memory == 0);
  batch.submit.memory = 5;
  CHECK(allocation_for(batch, forecasts({3, unknown, 1, 3}), {}).memory == 5e9);
}

TEST_CASE("an allocation has the time of the work on its processors and of the longest chain") {
  constexpr double ends = 300 + 60;  // grace, and the start of the job
  const auto times_of = [](const std::vector<double>& seconds) {
    auto times = forecasts(std::vector<double>(seconds.size(), 1));
    for (std::size_t i = 0; i < seconds.size(); ++i) times[i].seconds = seconds[i];
    return times;
  };
  Batch batch = batch_of({1, 1, 1, 1});
  auto times = times_of({100, 200, 300, 400});
  batch.submit.cores = 4;
  CHECK(allocation_for(batch, times, {}).time == 250 + 400 + ends);
  batch.tasks[0].after = {3};  // a task of 100 s waits for one of 400 s, which is listed later
  CHECK(allocation_for(batch, times, {}).time == 250 + 500 + ends);
  batch.submit.gpus = 1;  // which every task takes: they run in turn
  CHECK(allocation_for(batch, times, {}).time == 1000 + ends);
  times[1].seconds = std::numeric_limits<double>::quiet_NaN();
  CHECK(allocation_for(batch, times, {}).time == 0);
  batch.submit.time = 7200;
  CHECK(allocation_for(batch, times, {}).time == 7200);
  // The limit of the cluster, and none where jobs have none.
  batch.submit.time = 0;
  times[1].seconds = 200;
  CHECK(allocation_for(batch, times, {0, 900}).time == 900);
  CHECK_THROWS_AS(allocation_for(batch, times, {0, 300}), InputError);
  CHECK(allocation_for(batch, times, {0, 0, false}).time == 0);
  // Tasks of three processors run in turn on four, and those of two in pairs.
  batch = batch_of(std::vector<Index>(10, 3));
  batch.submit.cores = 4;
  CHECK(allocation_for(batch, times_of(std::vector<double>(10, 100)), {}).time == 1000 + ends);
  batch = batch_of(std::vector<Index>(10, 2));
  batch.submit.cores = 4;
  CHECK(allocation_for(batch, times_of(std::vector<double>(10, 100)), {}).time == 600 + ends);
}

TEST_CASE("an allocation has a GPU for each rank of a task that needs them") {
  Batch batch = batch_of({1, 3});
  auto sizes = forecasts({1, 1});
  CHECK(allocation_for(batch, sizes, {}).gpus == 0);
  sizes[1].uses_gpu = true;
  CHECK(allocation_for(batch, sizes, {}).gpus == 3);
  batch.submit.nodes = 2;
  CHECK(allocation_for(batch, sizes, {}).gpus == 2);
  CHECK(slurm_launcher(batch, allocation_for(batch, sizes, {})) ==
        "srun --mpi=pmi2 --exact -N {nodes} -n {ranks} -c {threads} "
        "--ntasks-per-node={ranks_per_node} --gpus-per-node={ranks_per_node}");
  batch.gpus = 8;
  CHECK(allocation_for(batch, sizes, {}).gpus == 4);
  batch.submit.gpus = 1;
  CHECK(allocation_for(batch, sizes, {}).gpus == 1);
}

TEST_CASE("limits of partitions") {
  const ClusterLimits limits =
      slurm_limits_in("debug|4|30:00\nlong*|64+|2-12:00:00\nlong*|32|2-12:00:00\n", true);
  CHECK(limits.node_cores == 32);
  CHECK(limits.time == 60 * 3600);
  CHECK(slurm_limits_in("debug|4|30:00\n", false).time == 1800);
  CHECK(slurm_limits_in("free|8|infinite\n", false).time == 0);
  CHECK(slurm_limits_in("", true).node_cores == 0);
}

TEST_CASE("ranks are placed on one host where they fit, and else on few") {
  HostPool pool({{"a", 4}, {"b", 2}, {"c", 4}});
  CHECK(pool.fits(10, 1));
  CHECK(!pool.fits(11, 1));
  CHECK(pool.fits(5, 2));
  CHECK(!pool.fits(3, 3));  // b has no room for three threads
  const Placement small = pool.take(2, 1);
  CHECK(pool.text(small) == "b:2");  // the fullest host
  const Placement large = pool.take(6, 1);
  CHECK(pool.text(large) == "a:4,c:2");
  CHECK(!pool.fits(3, 1));
  CHECK(pool.text(pool.take(2, 1)) == "c:2");
  pool.give_back(large, 1);
  CHECK(pool.text(pool.take(1, 4)) == "a:1");
  // More than all: in turn.
  CHECK(pool.text(HostPool({{"a", 1}, {"b", 1}}).take(5, 1)) == "a:3,b:2");
}

TEST_CASE("host files") {
  const ScratchFolder scratch;
  std::ofstream(scratch / "hosts") << "# machines\nnode1:8\n\nnode2 # one processor\n";
  const std::vector<Host> hosts = read_host_file(scratch / "hosts");
  REQUIRE(hosts.size() == 2);
  CHECK(hosts[0].name == "node1");
  CHECK(hosts[0].cores == 8);
  CHECK(hosts[1].cores == 1);
  std::ofstream(scratch / "none") << "# none\n";
  CHECK_THROWS_AS(read_host_file(scratch / "none"), InputError);
  std::ofstream(scratch / "wrong") << "node1:0\n";
  CHECK_THROWS_AS(read_host_file(scratch / "wrong"), InputError);
}

TEST_CASE("journals of parts are read as one, the newest record of each task") {
  const ScratchFolder scratch;
  Batch batch = batch_of({1, 1});
  batch.folder = scratch / "night";
  batch.parts = 2;
  {
    Journal first(batch, false);
    first.write("t0", {TaskState::running, 0, 0, 1, 2});
    batch.part = 2;
    Journal second(batch, false);
    second.write("t1", {TaskState::failed, 3, 1.5, 3, 4});
    first.write("t0", {TaskState::done, 0, 2.5, 1, 2});
  }
  JournalContents contents = read_journals(batch.folder);
  CHECK(contents.records.at("t0").state == TaskState::done);
  CHECK(contents.records.at("t0").seconds == 2.5);
  CHECK(contents.records.at("t1").code == 3);
  CHECK(contents.records.at("t1").launch == 4);
  REQUIRE(contents.processes.size() == 2);
  CHECK(contents.processes[0].pid == ::getpid());
  CHECK(runs_here(contents.processes[0]));
  contents.processes[0].start += "1";  // another process that got the same number
  CHECK(!runs_here(contents.processes[0]));
  batch.parts = 1;
  CHECK_THROWS_AS(Journal(batch, false), InputError);
}

TEST_CASE("programs of batch systems") {
  const ProgramOutput output = run_program({"sh", "-c", "echo out; echo err >&2; exit 3"});
  CHECK(output.code == 3);
  CHECK(output.out == "out\n");
  CHECK(output.err == "err\n");
  CHECK(run_program({"no-such-program-of-gsim"}).code == 127);
  CHECK(has_program("sh"));
  CHECK(!has_program("no-such-program-of-gsim"));
  for (const std::string text : {"plain/path", "with blank", "it's", "", "$HOME `x` \"y\""})
    CHECK(run_program({"sh", "-c", "printf %s " + shell_quoted(text)}).out == text);
}
