#include "gsim/engine/trial.hpp"

#include <algorithm>

#include "gsim/engine/driver.hpp"

namespace gsim {
namespace {

Executor executor_of(const Trial& trial) {
  if (trial.cuda_device) return Executor::cuda(*trial.cuda_device, trial.threads);
  return trial.level ? Executor::host(trial.threads, *trial.level) : Executor::host(trial.threads);
}

/// Makes and configures the module, and sets the context from the options of the configuration.
std::unique_ptr<Module> configured(const Trial& trial, Context& context) {
  ConfigFile file = ConfigFile::parse(trial.config, trial.config_name);
  if (trial.files) file.read_files_with(trial.files);
  for (const std::string& assignment : trial.set) file.set(assignment);
  std::unique_ptr<Module> module = trial.make();
  const RunOptions options = RunOptions::read(file, *module);
  context.seed = options.seed;
  context.arithmetic = options.arithmetic;
  context.stop = options.stop;
  context.config_directory = file.directory();
  context.output = trial.output;
  return module;
}

/// Computes the units from `done` to `last`; returns the last unit that was computed.
Index advance(Module& module, const Context& context, Index done, Index last, Index slice) {
  while (done < last) {
    const Index point = module.next_evaluation(done);
    const Index end = std::min(last, point);
    const Index count = slice > 0 ? std::min(slice, end - done) : end - done;
    module.advance(done, count);
    done += count;
    context.communicator.agree([&] {
      if (const std::string fault = module.health(); !fault.empty()) throw NumericalError(fault);
    });
    if (done == point && module.evaluate(done).all_converged) break;
  }
  return done;
}

}  // namespace

TrialOutcome run_trial(const Trial& trial) {
  TrialOutcome outcome;
  run_in_process(trial.ranks, [&](Communicator comm) {
    Context context{comm, executor_of(trial)};
    const std::unique_ptr<Module> module = configured(trial, context);
    const WorkPlan plan = module->plan(context);
    if (trial.from == nullptr) {
      module->prepare();
    } else {
      MemoryDatasets reader(comm, *trial.from);
      module->restore(reader);
    }
    const Index last = trial.last > 0 ? std::min(trial.last, plan.total_units) : plan.total_units;
    const Index done = advance(*module, context, trial.first, last, trial.slice);
    module->update_estimates();
    MemoryDatasets state(comm), results(comm);
    module->save(state);
    module->write_results(results);
    const std::uint64_t digest = module->digest();
    const auto estimates = module->estimates();
    const ReportTable report = module->report();
    if (!comm.is_root()) return;
    outcome = {plan, done, state.contents(), results.contents(), digest, estimates, report};
  });
  return outcome;
}

}  // namespace gsim
