#pragma once
// Complete runs of a module, from a configuration to results, on ranks that are threads.

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/config/section.hpp"
#include "gsim/engine/module.hpp"
#include "gsim/io/memory_datasets.hpp"

namespace gsim::test {

/// Final state, results and digest of a run.
struct Outcome {
  MemoryDatasets::Contents state, results;
  std::uint64_t digest = 0;
  std::vector<std::string> notes;
  ReportTable report;

  /// A dataset of real numbers of the results.
  std::vector<double> numbers(const std::string& path) const {
    const auto& d = results.datasets.at(path);
    std::vector<double> values(static_cast<std::size_t>(d.shape.rows));
    std::memcpy(values.data(), d.bytes.data(), d.bytes.size());
    return values;
  }
  /// A dataset of integers of the results.
  std::vector<std::int64_t> integers(const std::string& path) const {
    const auto& d = results.datasets.at(path);
    std::vector<std::int64_t> values(static_cast<std::size_t>(d.shape.rows));
    std::memcpy(values.data(), d.bytes.data(), d.bytes.size());
    return values;
  }
};

/// Runs units `first` to `last` from the state `from`, or from the start if it is null, in slices
/// of `slice` units. `files`: contents of files that the configuration names, used instead of files
/// on disk.
template <class AnyModule>
Outcome run(const std::string& text, int ranks, Index first, Index last, Index slice,
            const MemoryDatasets::Contents* from = nullptr, int threads = 1,
            const FileReader& files = {}, std::uint64_t seed = 7) {
  Outcome outcome;
  std::mutex lock;
  run_in_process(ranks, [&](Communicator comm) {
    ConfigFile file = ConfigFile::parse(text, "test.toml");
    if (files) file.read_files_with(files);
    AnyModule module;
    configure(module, file);
    Context context{comm, Executor::host(threads)};
    context.seed = seed;
    const WorkPlan plan = module.plan(context);
    if (from == nullptr) {
      module.prepare();
    } else {
      MemoryDatasets reader(comm, *from);
      module.restore(reader);
    }
    for (Index n = first; n < last; n += slice) module.advance(n, std::min(slice, last - n));
    REQUIRE(module.health() == "");
    module.evaluate(last);
    MemoryDatasets state(comm), results(comm);
    module.save(state);
    module.write_results(results);
    const std::uint64_t digest = module.digest();
    const ReportTable report = module.report();
    const std::lock_guard guard(lock);
    if (!comm.is_root()) return;
    outcome = {state.contents(), results.contents(), digest, plan.notes, report};
  });
  return outcome;
}

/// Checks that `ranks` ranks produce the same outcome as `whole`: in slices, and resumed at unit
/// `cut` by another number of ranks.
template <class AnyModule>
void check_same(const std::string& text, const Outcome& whole, int ranks, Index last, Index slice,
                Index cut) {
  const Outcome other = run<AnyModule>(text, ranks, 0, last, slice, nullptr, ranks == 2 ? 3 : 1);
  CHECK(other.digest == whole.digest);
  CHECK(other.state == whole.state);
  CHECK(other.results == whole.results);
  const Outcome stopped = run<AnyModule>(text, ranks, 0, cut, cut);
  const Outcome resumed = run<AnyModule>(text, ranks % 3 + 1, cut, last, 100, &stopped.state);
  CHECK(resumed.digest == whole.digest);
  CHECK(resumed.state == whole.state);
  CHECK(resumed.results == whole.results);
}

/// The error message of an invalid configuration when it is read or planned; empty if it is valid.
template <class AnyModule>
std::string refused(const std::string& text) {
  AnyModule module;
  ConfigFile file = ConfigFile::parse(text, "test.toml");
  try {
    configure(module, file);
    module.plan(Context{Communicator::self(), Executor::host(1)});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace gsim::test
