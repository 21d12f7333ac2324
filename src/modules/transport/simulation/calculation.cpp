#include "src/modules/transport/simulation/calculation.hpp"

#include "gsim/core/timer.hpp"

namespace gsim::transport {

Calculation::Calculation(const TransportConfig& config, const Context& context,
                         const System& system)
    : tallies_(context.communicator, context.executor, system.tallies(), batch_plan(config)),
      statepoint_{.is_eigenvalue = config.mode == Mode::k_eigenvalue,
                  .seed = context.seed,
                  .particles = config.particles,
                  .inactive = config.inactive},
      sources_(static_cast<double>(config.particles) /
               (config.mode == Mode::k_eigenvalue ? 1.0 : config.sources.strength())),
      particles_(static_cast<double>(config.particles)) {}

StatepointRun Calculation::statepoint_run() const {
  StatepointRun run = statepoint_;
  run.batches = series_.batches();
  run.seconds = tally_seconds();
  return run;
}

BatchPlan Calculation::batch_plan(const TransportConfig& config) {
  return {.batches = config.active(), .correlated = config.mode == Mode::k_eigenvalue};
}

BatchSums Calculation::tallied(Histories& histories, bool counts,
                               const std::function<BatchSums()>& run) {
  const bool is_tallied = counts && !tallies_.empty();
  histories.tally(is_tallied ? &tallies_ : nullptr);
  const Stopwatch watch;
  const BatchSums sums = run();
  if (!is_tallied) return sums;
  tallies_.end_batch({.sources = sources_, .started = particles_ * (1 + sums.bred)});
  seconds_ += watch.seconds();
  ++timed_batches_;
  return sums;
}

double Calculation::tally_seconds() const {
  return timed_batches_ == 0 ? 0.0
                             : seconds_ / static_cast<double>(timed_batches_) *
                                   static_cast<double>(tallies_.batches());
}

}  // namespace gsim::transport
