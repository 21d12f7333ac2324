// Steps whose kernels are launched together. A single rank on a device does not wait in each step
// for the state of its lists; if they became stale meanwhile, the steps are undone.

#include <algorithm>

#include "src/modules/md/simulation/simulation.hpp"

namespace gsim::md {

Index Simulation::steps_ahead(Index step, Index end) const {
  // Kernels of larger systems take longer than the host needs to launch the next ones.
  constexpr Index most_atoms = Index{1} << 18;
  constexpr Index most_steps = 8;
  static_assert(4 * most_steps <= Integrator::fault_memory);
  const Particles& particles = *parts_.particles;
  if (!may_run_ahead_ || !options_.executor.is_cuda() || options_.communicator.size() > 1 ||
      particles.locals() > most_atoms || particles.store.ghosts() > 0 || !parts_.terms.empty() ||
      parts_.integrator->needs_virial() || !parts_.short_range->can_run_ahead())
    return 0;
  Index last = std::min(step + most_steps, end - 1);  // the last step of advance() needs sums
  for (const auto& observer : parts_.observers) last = std::min(last, observer->next(step + 1) - 1);
  // Lists are expected to last three quarters of their last time, or a quarter longer than so far.
  const Index age = step - rebuilt_at_;
  last = std::min(last, rebuilt_at_ + std::max(3 * last_interval_ / 4, age + age / 4));
  const Index count = last - step;
  return count > 1 && parts_.integrator->can_run_ahead(step, count) ? count : 0;
}

bool Simulation::run_ahead(Index step, Index count) {
  Particles& particles = *parts_.particles;
  ShortRange& short_range = *parts_.short_range;
  const RegionTimer::Scope scope(options_.timer.get(), "pairs");
  before_.remember(particles);
  parts_.integrator->begin_ahead();
  short_range.begin_ahead();
  const ForceContext context = force_context(/*with_sums=*/false);
  const View<std::int64_t> forces = particles.store.elements<std::int64_t>(particles.force);
  graph_.run(static_cast<int>(count), [&] {
    for (Index n = step; n < step + count; ++n) {
      const IntegratorContext now = integrator_context(n, /*is_observed=*/false);
      parts_.integrator->move(now);
      short_range.load_ahead(context);
      options_.executor.fill_zero(forces.data, static_cast<std::size_t>(forces.size) * 8);
      short_range.compute_locals(context);
      short_range.compute_ghosts(context);  // of embedded atoms: the forces
      parts_.integrator->finish(now);
    }
  });
  if (!short_range.end_ahead()) {
    before_.restore(particles);
    parts_.integrator->undo_ahead(step);
    may_run_ahead_ = false;
    return false;
  }
  step_ = step + count;
  has_new_ghosts_ = false;
  record_fault(parts_.integrator->recent_fault());
  is_invalid_ = !fault_.empty();
  return true;
}

}  // namespace gsim::md
