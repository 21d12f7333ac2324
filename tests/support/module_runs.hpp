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
#include "support/test_executor.hpp"

namespace gsim::test {

/// Final state, results, digest and report of a run.
struct Outcome {
  MemoryDatasets::Contents state, results;
  std::uint64_t digest = 0;
  std::vector<std::string> notes;  ///< WorkPlan::notes
  ReportTable report;

  /// The elements of a one-dimensional dataset of doubles in the results.
  std::vector<double> numbers(const std::string& path) const {
    const auto& d = results.datasets.at(path);
    std::vector<double> values(static_cast<std::size_t>(d.shape.rows));
    std::memcpy(values.data(), d.bytes.data(), d.bytes.size());
    return values;
  }
  /// The elements of a one-dimensional dataset of integers in the results.
  std::vector<std::int64_t> integers(const std::string& path) const {
    const auto& d = results.datasets.at(path);
    std::vector<std::int64_t> values(static_cast<std::size_t>(d.shape.rows));
    std::memcpy(values.data(), d.bytes.data(), d.bytes.size());
    return values;
  }
};

/// Runs units [first, last) from the state `initial_state`, or from the start if it is null, in
/// slices of `slice` units. `files`: contents of files that the configuration names, used instead
/// of files on disk.
template <class AnyModule>
Outcome run(const std::string& text, int ranks, Index first, Index last, Index slice,
            const MemoryDatasets::Contents* initial_state = nullptr, int threads = 1,
            const FileReader& files = {}, std::uint64_t seed = 7) {
  Outcome outcome;
  std::mutex lock;
  run_in_process(ranks, [&](Communicator comm) {
    ConfigFile file = ConfigFile::parse(text, "test.toml");
    if (files) file.read_files_with(files);
    AnyModule module;
    configure(module, file);
    Context context{comm, gsim::test::test_executor(threads)};
    context.seed = seed;
    const WorkPlan plan = module.plan(context);
    if (initial_state == nullptr) {
      module.prepare();
    } else {
      MemoryDatasets reader(comm, *initial_state);
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

/// Checks that `ranks` ranks produce the same outcome as `uninterrupted`: in slices, and resumed at
/// unit `restart_unit` by another number of ranks.
template <class AnyModule>
void check_outcome_is_reproduced(const std::string& text, const Outcome& uninterrupted, int ranks,
                                 Index last, Index slice, Index restart_unit) {
  // Runs on two ranks have three threads each.
  const Outcome in_slices =
      run<AnyModule>(text, ranks, 0, last, slice, nullptr, ranks == 2 ? 3 : 1);
  CHECK(in_slices.digest == uninterrupted.digest);
  CHECK(in_slices.state == uninterrupted.state);
  CHECK(in_slices.results == uninterrupted.results);
  const Outcome stopped = run<AnyModule>(text, ranks, 0, restart_unit, restart_unit);
  const Outcome resumed =
      run<AnyModule>(text, ranks % 3 + 1, restart_unit, last, 100, &stopped.state);
  CHECK(resumed.digest == uninterrupted.digest);
  CHECK(resumed.state == uninterrupted.state);
  CHECK(resumed.results == uninterrupted.results);
}

/// The error message of an invalid configuration when it is read or the run is planned;
/// empty if it is valid.
template <class AnyModule>
std::string config_error_message(const std::string& text) {
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
