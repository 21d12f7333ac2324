// Batches of steps whose kernels are launched together. A single rank on a device does not wait in
// each step for the state of its lists; if they became stale meanwhile, the steps are undone.

#include <algorithm>

#include "gsim/core/error.hpp"
#include "src/modules/md/simulation/simulation.hpp"

namespace gsim::md {

Index Simulation::steps_to_batch(Index step, Index end) const {
  // Kernels of larger systems take longer than the host needs to launch the next ones.
  constexpr Index most_atoms = Index{1} << 18;
  constexpr Index most_steps = 8;
  static_assert(4 * most_steps <= Integrator::fault_memory);
  const Particles& particles = *parts_.particles;
  if (!may_batch_steps_ || !options_.executor.is_cuda() || options_.communicator.size() > 1 ||
      particles.locals() > most_atoms || particles.store.ghosts() > 0 ||
      !parts_.short_range->can_batch_steps() ||
      (parts_.integrator->needs_virial() && !can_step_on_device(step)))
    return 0;
  for (const auto& term : parts_.terms)
    if (!term->can_batch_steps()) return 0;
  Index last = std::min(step + most_steps, end - 1);  // the last step of advance() needs sums
  for (const auto& observer : parts_.observers) last = std::min(last, observer->next(step + 1) - 1);
  // Lists are expected to last three quarters of their last time, or a quarter longer than so far.
  const Index age = step - rebuilt_at_;
  last = std::min(last, rebuilt_at_ + std::max(3 * last_interval_ / 4, age + age / 4));
  if (last <= step + 1) return 0;
  const Index count = parts_.integrator->steps_to_batch(step, last - step);
  return count > 1 ? count : 0;
}

bool Simulation::run_batch(Index step, Index count) {
  Particles& particles = *parts_.particles;
  ShortRange& short_range = *parts_.short_range;
  const RegionTimer::Scope scope(options_.timer.get(), "steps");
  if (parts_.integrator->needs_virial()) enter_device();
  before_.save(particles);
  parts_.integrator->begin_batch();
  short_range.begin_batch();
  for (const auto& term : parts_.terms) term->begin_batch();
  bool is_valid = false;
  try {
    launch_batch(step, count);
    is_valid = short_range.end_batch();
  } catch (const NumericalError&) {
    (void)short_range.end_batch();  // the steps are repeated one by one, which throw it again
  }
  if (!is_valid) {
    before_.restore(particles);
    parts_.integrator->undo_batch(step);
    for (const auto& term : parts_.terms) term->undo_batch();
    leave_device();
    may_batch_steps_ = false;
    return false;
  }
  step_ = step + count;
  record_fault(parts_.integrator->recent_fault());
  is_invalid_ = !fault_.empty();
  return true;
}

void Simulation::launch_batch(Index step, Index count) {
  ShortRange& short_range = *parts_.short_range;
  const ForceContext context = force_context(/*with_sums=*/is_on_device_);
  graph_.run(static_cast<int>(count), [&] {
    for (Index n = step; n < step + count; ++n) {
      const IntegratorContext now = integrator_context(n, /*is_observed=*/false);
      parts_.integrator->move(now);
      short_range.load_in_batch(context);
      clear_forces();
      short_range.compute_locals(context);
      short_range.compute_ghosts(context);  // of embedded atoms: the forces
      for (std::size_t t = 0; t < parts_.terms.size(); ++t)
        parts_.terms[t]->compute(context, sums_[t + 1]);
      parts_.integrator->finish(now);
    }
  });
}

}  // namespace gsim::md
