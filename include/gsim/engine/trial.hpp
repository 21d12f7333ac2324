#pragma once
// A whole run of a module in memory, on ranks that are threads of this process: what conformance
// suites and tests compare, with other ranks, threads, processors and interruptions.

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

/// What is run, and how.
struct Trial {
  std::function<std::unique_ptr<Module>()> make;  ///< called once a rank
  std::string config;                             ///< the text of a whole configuration
  std::string config_name = "trial.toml";
  std::string output = "trial";       ///< Context::output
  std::vector<std::string> set = {};  ///< as `--set` takes them
  FileReader files = {};              ///< where named files come from; default: the disk
  int ranks = 1;
  int threads = 1;                      ///< of each rank
  std::optional<Target> level = {};     ///< of the processor; default: the best
  std::optional<int> cuda_device = {};  ///< run there, not on the processor
  Index slice = 0;                      ///< units at once at most; 0: up to the next evaluation
  /// Go on from here, after `first` units, in place of the start.
  const MemoryDatasets::Contents* from = nullptr;
  Index first = 0;
  Index last = 0;  ///< end here, if not before; 0: at the plan's end
};

/// What it leaves.
struct TrialOutcome {
  WorkPlan plan;
  Index done = 0;                           ///< units, those before `from` included
  MemoryDatasets::Contents state, results;  ///< as save() and write_results() wrote them
  std::uint64_t digest = 0;
  std::vector<Estimate> estimates;
  ReportTable report;
};

/// Runs as the engine does: evaluates at the module's evaluation points, ends where everything has
/// converged. What the module throws, on any rank, is thrown; a sick state is a NumericalError.
TrialOutcome run_trial(const Trial& trial);

}  // namespace gsim
