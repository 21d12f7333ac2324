#pragma once
// Runs the pricing module without the engine's loop: prepare, advance in slices, evaluate.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/config/section.hpp"
#include "gsim/io/memory_datasets.hpp"
#include "src/modules/pricing/builtin_parts.hpp"
#include "src/modules/pricing/pricing_module.hpp"
#include "support/test_executor.hpp"

namespace gsim::pricing::test {

struct ModuleRun {
  std::string config;
  int ranks = 1;
  int threads = 1;
  Index slice = 1000000;  ///< maximum number of blocks per call
  StopRule stop = {};
  std::uint64_t seed = 1;
  Index stop_at = -1;  ///< number of blocks after which to stop and keep the state; -1: no stop
  /// Update the estimates to the last block, as when the wall-time limit stops a run.
  bool update = false;
  const MemoryDatasets::Contents* resume = nullptr;  ///< state to resume from
  Index resume_at = 0;                               ///< number of blocks that `resume` contains
  // Payoffs and path models of plugins.
  std::vector<const PayoffKind*> payoffs = {};
  std::vector<const PathModelKind*> models = {};
  /// Creates another module in place of the module pricing.
  std::function<std::unique_ptr<Module>()> make = {};
};

/// A rule that stops after `n` samples per trade.
inline StopRule samples(Index n) {
  StopRule stop;
  stop.max_samples = n;
  return stop;
}

struct ModuleResult {
  MemoryDatasets::Contents state;    ///< as save() writes it
  MemoryDatasets::Contents results;  ///< as write_results() writes it
  std::vector<Estimate> estimates;
  ReportTable report;
  WorkPlan plan;
  std::uint64_t digest = 0;
  Index done = 0;  ///< number of blocks
  std::vector<std::string> warnings;
};

/// The module with the built-in payoffs and path models and the given ones.
inline std::unique_ptr<PricingModule> make_pricing_module(
    const std::vector<const PayoffKind*>& payoffs = {},
    const std::vector<const PathModelKind*>& models = {}) {
  const PayoffKinds builtin = builtin_payoffs();
  std::vector<const PayoffKind*> payoffs_of_module(builtin.begin(), builtin.end());
  payoffs_of_module.insert(payoffs_of_module.end(), payoffs.begin(), payoffs.end());
  const PathModelKinds builtin_models = builtin_path_models();
  std::vector<const PathModelKind*> models_of_module(builtin_models.begin(), builtin_models.end());
  models_of_module.insert(models_of_module.end(), models.begin(), models.end());
  return std::make_unique<PricingModule>(payoffs_of_module, models_of_module);
}

inline void run_blocks(Module& module, const ModuleRun& run, const WorkPlan& plan, Index& done) {
  const Index end = run.stop_at >= 0 ? run.stop_at : plan.total_units;
  while (done < end) {
    const Index target = std::min(module.next_evaluation(done), plan.total_units);
    const Index count = std::min({run.slice, target - done, end - done});
    module.advance(done, count);
    done += count;
    if (!module.health().empty()) throw NumericalError(module.health());
    if (done == target && module.evaluate(done).all_converged) return;
  }
}

/// Runs the module with the options in `run`, without the engine; returns the results of rank 0.
inline ModuleResult run_module_alone(const ModuleRun& run) {
  ModuleResult result;
  run_in_process(run.ranks, [&](Communicator comm) {
    const std::unique_ptr<Module> module =
        run.make ? run.make() : make_pricing_module(run.payoffs, run.models);
    ConfigFile file = ConfigFile::parse(run.config, "test.toml");
    configure(*module, file);
    Context context{comm, gsim::test::test_executor(run.threads)};
    context.seed = run.seed;
    context.stop = run.stop;
    std::vector<std::string> warnings;
    context.warn = [&](const std::string& line) { warnings.push_back(line); };
    const WorkPlan plan = module->plan(context);
    Index done = 0;
    if (run.resume != nullptr) {
      MemoryDatasets reader(comm, *run.resume);
      module->restore(reader);
      done = run.resume_at;
    } else {
      module->prepare();
    }
    run_blocks(*module, run, plan, done);
    if (run.update) module->update_estimates();
    MemoryDatasets state(comm), results(comm);
    module->save(state);
    module->write_results(results);
    const std::uint64_t digest = module->digest();
    if (!comm.is_root()) return;
    result = {state.contents(),
              results.contents(),
              module->estimates(),
              module->report(),
              plan,
              digest,
              done,
              warnings};
  });
  return result;
}

}  // namespace gsim::pricing::test
