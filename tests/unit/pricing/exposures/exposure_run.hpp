#pragma once
// Runs the module exposure without the engine's loop.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/modules/pricing/exposures/exposure_module.hpp"
#include "tests/unit/pricing/module_run.hpp"
#include "tests/unit/pricing/risk/risk_run.hpp"

namespace gsim::pricing::test {

inline ModuleRun exposure_run(std::string config, Index paths = 16 * 4096) {
  ModuleRun run{.config = std::move(config), .stop = samples(paths)};
  run.make = [] {
    const PayoffKinds payoffs = builtin_payoffs();
    const PathModelKinds models = builtin_path_models();
    return std::make_unique<ExposureModule>(
        std::vector<const PayoffKind*>(payoffs.begin(), payoffs.end()),
        std::vector<const PathModelKind*>(models.begin(), models.end()));
  };
  return run;
}

}  // namespace gsim::pricing::test
