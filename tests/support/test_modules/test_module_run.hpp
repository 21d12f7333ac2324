#pragma once
// Runs a module of tests/support through the driver on ranks that are threads of this process.

#include <string>

#include "gsim/comm/communicator.hpp"
#include "gsim/engine/driver.hpp"
#include "gsim/io/memory_datasets.hpp"
#include "gsim/io/result_file.hpp"
#include "support/scratch_folder.hpp"
#include "support/test_modules/lattice_walkers.hpp"
#include "support/test_modules/pi_sampler.hpp"

namespace gsim::test_modules {

using test::ScratchFolder;

inline std::unique_ptr<Module> make_test_module(const std::string& name) {
  if (name == "walkers") return std::make_unique<Walkers>();
  return std::make_unique<Sampler>();
}

/// A run to be made; `resume` to `clock` are those of RunRequest, `warn` is that of Context.
struct TestRun {
  std::string config;  ///< TOML
  int ranks = 1, threads = 1;
  std::string output;
  Resume resume = Resume::no;
  Index max_slice = 0;
  std::function<bool(Index)> interrupt = {};
  std::function<double()> clock = {};
  std::function<void(const std::string&)> warn = {};
  std::vector<InputFile> input_files = {};
  std::function<std::unique_ptr<Module>()> make = {};  ///< default: make_test_module()
};

/// The outcome of the run, and the datasets that write_results() and save() write at its end.
struct TestRunOutcome {
  RunOutcome outcome;
  MemoryDatasets::Contents results, state;
};

inline TestRunOutcome run_test_module(const TestRun& run) {
  TestRunOutcome result;
  run_in_process(run.ranks, [&](Communicator comm) {
    ConfigFile file = ConfigFile::parse(run.config, "test.toml");
    std::unique_ptr<Module> module =
        run.make ? run.make() : make_test_module(file.peek_string("module"));
    RunRequest request;
    const auto describe = [&](Section& top) {
      request.options.describe(top);
      module->describe(top);
    };
    file.read(describe);
    request.options.output = run.output;
    request.options.default_paths("test.toml");
    request.config_name = "test.toml";
    request.config_text = file.text();
    request.config_resolved = file.resolved();
    request.input_files = run.input_files;
    const std::string without_run_lengths = file.without_run_lengths();
    request.identity = {request.options.module, "test", config_identity(without_run_lengths),
                        identity_text(without_run_lengths)};
    request.resume = run.resume;
    request.log = LogStyle::quiet;
    request.max_slice = run.max_slice;
    request.interrupt = run.interrupt;
    request.clock = run.clock;
    Context context{comm, Executor::host(run.threads)};
    context.seed = request.options.seed;
    context.stop = request.options.stop;
    context.warn = run.warn;
    const RunOutcome outcome = run_module(*module, context, request);
    MemoryDatasets results(comm), state(comm);
    module->write_results(results);
    module->save(state);
    if (comm.is_root()) result = {outcome, results.contents(), state.contents()};
  });
  return result;
}

/// All datasets of a result file outside /provenance, for comparing files of two runs.
inline MemoryDatasets::Contents read_results(const std::string& path) {
  ResultReader reader(Communicator::self(), path);
  MemoryDatasets copy(Communicator::self());
  for (const std::string& name : reader.list()) {
    if (name.find("provenance") != std::string::npos) continue;
    const DatasetShape s = reader.shape(name);
    std::vector<char> bytes(static_cast<std::size_t>(s.rows * s.columns) * element_size(s.type));
    reader.read_rows(name, s.type, {0, s.rows}, bytes.data());
    copy.write_rows(name, s, {0, s.rows}, bytes.data());
  }
  return copy.contents();
}

}  // namespace gsim::test_modules
