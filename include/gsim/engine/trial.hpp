#pragma once
// A whole run of a module in memory, on ranks that are threads of this process. Conformance checks
// and tests compare such runs on other numbers of ranks and threads, on other processors and with
// interruptions.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/config/input_file.hpp"
#include "gsim/engine/module.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/io/memory_datasets.hpp"

namespace gsim {

/// The module, its configuration and the resources of a run.
struct Trial {
  std::function<std::unique_ptr<Module>()> make;  ///< called once on each rank
  std::string config;                             ///< the text of a whole configuration
  std::string config_name = "trial.toml";
  std::string output = "trial";       ///< Context::output
  std::vector<std::string> set = {};  ///< as `--set` takes them
  FileReader files = {};              ///< where named files come from; default: the disk
  int ranks = 1;
  int threads = 1;                      ///< of each rank
  std::optional<Target> level = {};     ///< of the processor; default: the best
  std::optional<int> cuda_device = {};  ///< run there, not on the processor
  Index slice = 0;  ///< maximum number of units per slice; 0: up to the next evaluation
  /// The state to resume from, after `first` units; null: the initial state.
  const MemoryDatasets::Contents* from = nullptr;
  Index first = 0;
  Index last = 0;  ///< last unit, if the run does not end before; 0: the plan's
};

/// The results of a trial.
struct TrialOutcome {
  WorkPlan plan;
  Index done = 0;                           ///< units, those before the state `from` included
  MemoryDatasets::Contents state, results;  ///< as save() and write_results() wrote them
  std::uint64_t digest = 0;
  std::vector<Estimate> estimates;
  ReportTable report;
};

/// Runs a module as the engine does: evaluates at the module's evaluation points, and ends where
/// everything has converged. Throws what the module throws on any rank, and a NumericalError where
/// the module reports a fault of its state.
TrialOutcome run_trial(const Trial& trial);

}  // namespace gsim
