#pragma once
// Runs the module risk without the engine's loop.

#include <string>
#include <utility>
#include <vector>

#include "src/modules/pricing/risk/risk_module.hpp"
#include "tests/unit/pricing/module_run.hpp"

namespace gsim::pricing::test {

inline ModuleRun risk_run(std::string config, Index scenarios = 4096) {
  ModuleRun run{.config = std::move(config), .stop = samples(scenarios)};
  run.make = [] {
    const PayoffKinds payoffs = builtin_payoffs();
    const PathModelKinds models = builtin_path_models();
    return std::make_unique<RiskModule>(
        std::vector<const PayoffKind*>(payoffs.begin(), payoffs.end()),
        std::vector<const PathModelKind*>(models.begin(), models.end()));
  };
  return run;
}

/// A column of the results.
inline std::vector<double> column_of(const ModuleResult& result, const std::string& path) {
  std::vector<double> values;
  run_in_process(1, [&](Communicator communicator) {
    MemoryDatasets reader(communicator, result.results);
    values = reader.read<double>(path);
  });
  return values;
}

}  // namespace gsim::pricing::test
