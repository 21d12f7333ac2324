#include "src/modules/md/simulation/simulation.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/timer.hpp"
#include "src/modules/md/neighbour_lists/default_skin.hpp"
#include "src/modules/md/neighbour_lists/list_limits.hpp"

namespace gsim::md {
namespace {

// A typical atom moves by the default skin in 16 steps; in hot liquids it takes 10 to 20 steps. The
// skin of the run is not used, so that kinetic sums have the same bits with any skin.
double typical_speed(const SimulationOptions& o) {
  return default_skin(o.units->system) / (16 * o.time_step);
}

// Sorting atoms in space makes lists shorter and memory accesses contiguous. Atoms diffuse little
// during ten rebuilds.
constexpr Index rebuilds_between_sorts = 10;
constexpr Index rebuilds_between_balances = 5;
// Rounds of load balancing before the first step: the first decomposition is by volume, each
// further one by the work measured with the previous one.
constexpr int initial_balances = 4;

}  // namespace

/// Measures the time that this rank spends on short-range forces, without the time it waits for
/// other ranks. Load balancing equalises this time.
class Simulation::WorkTimer {
 public:
  WorkTimer(Simulation& simulation, std::string_view region)
      : scope_(simulation.options_.timer.get(), region),
        simulation_(simulation),
        waited_before_(seconds_waited()) {}
  ~WorkTimer() {
    simulation_.domain_.add_seconds(watch_.seconds() - (seconds_waited() - waited_before_));
  }
  WorkTimer(const WorkTimer&) = delete;
  WorkTimer& operator=(const WorkTimer&) = delete;

 private:
  RegionTimer::Scope scope_;
  Simulation& simulation_;
  double waited_before_;
  Stopwatch watch_;
};

double halo_width(const Reaches& r) {
  const double observed = r.observers > 0 ? r.observers + r.margin : 0;
  return std::max({r.cutoff + r.margin, r.terms, observed});
}

Reaches reaches(const SimulationParts& parts, double margin) {
  Reaches all{parts.short_range->ghost_reach(), margin, 0, 0};
  for (const auto& term : parts.terms) all.terms = std::max(all.terms, term->reach());
  for (const auto& observer : parts.observers)
    all.observers = std::max(all.observers, observer->reach());
  return all;
}

Simulation::Simulation(SimulationOptions options, SimulationParts parts, const Box& box)
    : options_(std::move(options)),
      parts_(std::move(parts)),
      box_(box),
      force_box_(box),
      rebuild_box_(box),
      thermodynamics_(options_.executor, options_.communicator, *options_.units, options_.classes,
                      typical_speed(options_)),
      domain_(options_.communicator, *parts_.particles, box_,
              halo_width(reaches(parts_, options_.margin)), options_.buffers, options_.balance),
      sums_(parts_.terms.size() + 1),
      before_(options_.executor),
      graph_(options_.executor) {
  sums_[0].energy.resize(parts_.short_range->energy_names().size());
  for (std::size_t t = 0; t < parts_.terms.size(); ++t)
    sums_[t + 1].energy.resize(parts_.terms[t]->energy_names().size());
}

std::vector<std::string> energy_names(const SimulationParts& parts) {
  std::vector<std::string> names = parts.short_range->energy_names();
  for (const auto& term : parts.terms)
    for (const std::string& name : term->energy_names()) names.push_back(name);
  return names;
}

ForceContext Simulation::force_context(bool with_sums) {
  return {*parts_.particles, box_, domain_.plan(), options_.communicator, with_sums};
}

IntegratorContext Simulation::integrator_context(Index step, bool is_observed) {
  return {*parts_.particles, box_,        step,         totals_.virial,
          totals_.potential, is_observed, is_on_device_};
}

void Simulation::record_fault(const Fault& fault) {
  if (fault.message.empty() || (fault_step_ >= 0 && fault_step_ <= fault.step)) return;
  fault_step_ = fault.step;
  fault_ = fmt::format("step {}: {}", fault.step, fault.message);
}

// Runs `body`; a NumericalError becomes the fault of this rank.
void Simulation::record_numerical_errors(const std::function<void()>& body) {
  try {
    body();
  } catch (const NumericalError& error) {
    record_fault({step_, error.what()});
  }
}

void Simulation::record_integrator_fault() { record_fault(parts_.integrator->fault()); }

// Keeps the message of this rank only if no rank has an earlier fault.
void Simulation::reduce_faults() {
  if (fault_step_ < 0) fault_step_ = std::numeric_limits<Index>::max();
  const Index first = options_.communicator.min(fault_step_);
  if (fault_step_ > first) fault_.clear();
  is_invalid_ = first < std::numeric_limits<Index>::max();
  if (!is_invalid_) fault_step_ = -1;
}

void Simulation::begin(Index step, bool is_new) {
  step_ = step;
  for (const auto& term : parts_.terms) term->fill(*parts_.particles);
  parts_.integrator->start(integrator_context(step, /*is_observed=*/true));
  StateCheck state = migrate_and_build_lists(/*sorted=*/true);
  for (int round = 0;
       state == StateCheck::valid && round < initial_balances && balance() == Borders::moved;
       ++round)
    state = migrate_and_build_lists(/*sorted=*/true);
  domain_.end_interval(0);
  rebuilt_at_ = step;
  keep_valid_state(step);
  if (state == StateCheck::valid) (void)compute(/*with_sums=*/true);
  record_numerical_errors([&] { parts_.short_range->check(); });
  reduce_faults();
  if (!is_invalid_ && is_new && is_due(step, nullptr)) sample(step);
}

void Simulation::advance(Index first, Index count) {
  const Index end = first + count;
  for (Index n = first; n < end && !is_invalid_;) {
    const Index batch = steps_to_batch(n, end);
    if (batch > 0 && run_batch(n, batch)) {
      n += batch;
    } else {
      step(n, n + 1 == end);
      ++n;
    }
  }
  leave_device();  // after an error
  record_numerical_errors([&] { parts_.short_range->check(); });
  record_integrator_fault();
  reduce_faults();
  if (!is_invalid_) keep_valid_state(first + count);
}

bool Simulation::can_step_on_device(Index step) const {
  return options_.executor.is_cuda() && !has_others() && parts_.particles->store.ghosts() == 0 &&
         parts_.terms.empty() && parts_.short_range->can_use_device_box() &&
         parts_.integrator->can_step_on_device(step);
}

void Simulation::enter_device() {
  if (is_on_device_) return;
  DeviceForces forces;
  parts_.short_range->use_device_box(parts_.integrator->device_box(), forces);
  parts_.integrator->enter_device(integrator_context(step_, /*is_observed=*/false), forces);
  is_on_device_ = true;
}

void Simulation::leave_device() {
  if (!is_on_device_) return;
  is_on_device_ = false;
  parts_.short_range->leave_device_box();
  record_fault(parts_.integrator->leave_device(integrator_context(step_, /*is_observed=*/false)));
  record_numerical_errors([&] { update_box(); });
}

void Simulation::step(Index n, bool is_last) {
  bool with_thermo = false;
  const bool due = is_due(n + 1, &with_thermo);
  if (!due && !is_last && can_step_on_device(n))
    enter_device();
  else
    leave_device();
  step_ = n + 1;
  {
    RegionTimer::Scope scope(options_.timer.get(), "integrate");
    record_numerical_errors(
        [&] { parts_.integrator->move(integrator_context(n, /*is_observed=*/false)); });
  }
  record_numerical_errors([&] { update_box(); });
  if (update_lists(observers_exceed_ghosts(n + 1)) == StateCheck::invalid) return;
  if (compute(with_thermo || is_last || parts_.integrator->needs_virial()) == StateCheck::invalid)
    return;
  {
    RegionTimer::Scope scope(options_.timer.get(), "integrate");
    parts_.integrator->finish(integrator_context(n, due || is_last));
  }
  if (due) sample(n + 1);
}

void Simulation::update_box() {
  if (box_ == force_box_) return;
  force_box_ = box_;
  parts_.short_range->box_changed(box_);
  for (const auto& term : parts_.terms) term->box_changed(box_);
}

// Loads positions. On a device the state of the lists is read by compute(), after kernels have been
// launched that use them, so that the device has work while the host waits. Faults recorded by
// kernels are read at every step on a host, but only every few steps on a device, and without
// waiting for them.
Simulation::StateCheck Simulation::update_lists(bool must_rebuild) {
  ListState lists = must_rebuild ? ListState::stale : ListState::good;
  {
    const WorkTimer timer(*this, "lists");
    const ForceContext context = force_context(/*with_sums=*/false);
    ShortRange& short_range = *parts_.short_range;
    is_list_state_pending_ = !must_rebuild && short_range.can_start_loading() &&
                             (!has_others() || domain_.sends_beside_kernels());
    if (is_list_state_pending_ && sends_records()) {
      domain_.pack_records(short_range.ghost_record_bytes(), [&](const SentRecords& sent) {
        short_range.start_loading(context, sent);
      });
    } else if (is_list_state_pending_) {
      if (has_others()) domain_.pack_halo();
      short_range.start_loading(context, {});
    } else {
      record_numerical_errors([&] { lists = std::max(lists, short_range.read_locals(context)); });
    }
  }
  constexpr Index steps_between_checks = 8;
  static_assert(2 * steps_between_checks <= Integrator::fault_memory);
  if (!options_.executor.is_cuda() || step_ % steps_between_checks == 0)
    record_fault(parts_.integrator->recent_fault());
  return is_list_state_pending_ ? StateCheck::valid : agree_on_lists(lists, /*is_packed=*/false);
}

// Force terms and observers read the positions of ghosts.
bool Simulation::sends_records() const {
  return has_others() && domain_.sends_beside_kernels() && parts_.terms.empty() &&
         parts_.short_range->ghost_record_bytes() > 0 && !is_due(step_, nullptr);
}

// Rebuilds the lists if those of any rank are stale; else sends the halo. One integer is reduced
// over all ranks: the worst state of their lists, or the flag of an invalid state, which ends the
// step on every rank. All ranks shorten their lists in the same step, even if some could do so
// later: in different steps, each rank would delay all others.
Simulation::StateCheck Simulation::agree_on_lists(ListState lists, bool is_packed) {
  RegionTimer::Scope scope(options_.timer.get(), "halo");
  constexpr std::int64_t invalid = 1 + static_cast<std::int64_t>(ListState::stale);
  const std::int64_t worst =
      options_.communicator.max(fault_.empty() ? static_cast<std::int64_t>(lists) : invalid);
  is_invalid_ = worst == invalid;
  if (is_invalid_) return StateCheck::invalid;
  lists = static_cast<ListState>(worst);
  if (lists == ListState::stale) return rebuild();
  if (has_others()) {
    if (!is_packed && sends_records())
      domain_.pack_records(parts_.short_range->ghost_record_bytes(), [&](const SentRecords& sent) {
        parts_.short_range->pack_records(force_context(/*with_sums=*/false), sent);
      });
    else if (!is_packed)
      domain_.pack_halo();
    domain_.send_halo();
  }
  if (lists == ListState::due) {
    const WorkTimer timer(*this, "lists");
    parts_.short_range->shorten_lists();
  }
  return StateCheck::valid;
}

Simulation::StateCheck Simulation::rebuild() {
  leave_device();
  if (!fault_.empty() && !has_others()) {
    is_invalid_ = true;
    return StateCheck::invalid;
  }
  last_interval_ = step_ - rebuilt_at_;
  domain_.end_interval(last_interval_);
  rebuilt_at_ = step_;
  may_batch_steps_ = true;
  // Borders move little during a run, so that sorting, which builds the lists twice, is not needed
  // after each balance.
  if (rebuilds_ % rebuilds_between_balances == 0) balance();
  const StateCheck state = migrate_and_build_lists(rebuilds_ % rebuilds_between_sorts == 0);
  is_invalid_ = state == StateCheck::invalid;
  return state;
}

// Reduces the skin if a barostat has made the box too narrow for it; lists are then rebuilt more
// often.
void Simulation::fit_skin_to_box() {
  Reaches now = reaches(parts_, options_.margin);
  check_box_width(box_, now.terms);
  now.margin = fitting_skin(box_, std::max(now.cutoff, now.observers), now.margin);
  parts_.short_range->set_skin(now.margin);
  domain_.set_width(halo_width(now));
}

Borders Simulation::balance() {
  if (!domain_.can_balance()) return Borders::unchanged;
  std::vector<std::int64_t> shares;
  const auto compute_work = [&] {
    shares.resize(static_cast<std::size_t>(parts_.particles->locals()));
    return parts_.short_range->work(shares);
  };
  const std::optional<std::int64_t> estimate = parts_.short_range->estimated_work();
  const std::int64_t work = estimate ? *estimate : compute_work();
  return domain_.balance(box_, work, [&]() -> std::span<const std::int64_t> {
    if (estimate) compute_work();
    return shares;
  });
}

// Migrates atoms to their owners and builds ghosts and lists. The result is `invalid`, on all
// ranks, if the box is too narrow for the ghosts.
Simulation::StateCheck Simulation::migrate_and_build_lists(bool sorted) {
  try {
    fit_skin_to_box();
  } catch (const NumericalError& error) {
    record_fault({step_, error.what()});
    return StateCheck::invalid;
  }
  rebuild_box_ = box_;
  {
    RegionTimer::Scope scope(options_.timer.get(), "migrate");
    domain_.rebuild(box_);
  }
  const ForceContext context = force_context(/*with_sums=*/false);
  rebuild_pairs(context);
  if (sorted) {
    {
      RegionTimer::Scope scope(options_.timer.get(), "migrate");
      domain_.sort(parts_.short_range->spatial_order(), box_);
    }
    rebuild_pairs(context);
  }
  {
    RegionTimer::Scope scope(options_.timer.get(), "lists");
    for (const auto& term : parts_.terms) record_numerical_errors([&] { term->rebuild(context); });
  }
  bool are_valid = false;
  {
    const WorkTimer timer(*this, "lists");
    are_valid = parts_.short_range->load_rebuilt(context);
  }
  if (!are_valid) throw Error("internal error: pair lists are stale as soon as they are built");
  ++rebuilds_;
  has_new_ghosts_ = true;
  return StateCheck::valid;
}

void Simulation::rebuild_pairs(const ForceContext& context) {
  const WorkTimer timer(*this, "lists");
  for (const auto& term : parts_.terms) term->exclude(context);
  parts_.short_range->rebuild(context);
}

// Short-range forces of lists that turn out to be stale are computed again with new ones. The state
// is `invalid` if there is a fault, or if the lists cannot be rebuilt. A single rank reads the
// state of its lists after it has launched all kernels; otherwise halos are exchanged while the
// device computes the forces between the atoms of the rank.
Simulation::StateCheck Simulation::compute(bool with_sums) {
  for (ForceSums& sums : sums_) sums.clear();
  compute_locals(with_sums);
  if (is_list_state_pending_ && has_others()) {
    if (read_pending_lists() == StateCheck::invalid) return StateCheck::invalid;
    if (has_new_ghosts_) {
      parts_.short_range->collect(force_context(with_sums), sums_[0]);  // to forget these sums
      compute_locals(with_sums);
    }
  }
  compute_ghosts(with_sums);
  if (is_list_state_pending_) {
    if (read_pending_lists() == StateCheck::invalid) return StateCheck::invalid;
    if (has_new_ghosts_) {
      compute_locals(with_sums);
      compute_ghosts(with_sums);
    }
  }
  const ForceContext context = force_context(with_sums);
  for (std::size_t t = 0; t < parts_.terms.size(); ++t) {
    RegionTimer::Scope scope(options_.timer.get(), parts_.terms[t]->region());
    record_numerical_errors([&] { parts_.terms[t]->compute(context, sums_[t + 1]); });
  }
  if (with_sums && !is_on_device_) totals_ = thermodynamics_.totals(sums_, options_.quanta);
  return StateCheck::valid;
}

Simulation::StateCheck Simulation::read_pending_lists() {
  is_list_state_pending_ = false;
  ListState lists = ListState::good;
  {
    // The host waits for the kernels of this rank.
    const WorkTimer timer(*this, "lists");
    record_numerical_errors([&] { lists = parts_.short_range->finish_loading(); });
  }
  return agree_on_lists(lists, /*is_packed=*/true);
}

void Simulation::compute_locals(bool with_sums) {
  const WorkTimer timer(*this, "pairs");
  sums_[0].clear();
  clear_forces();
  record_numerical_errors([&] { parts_.short_range->compute_locals(force_context(with_sums)); });
}

void Simulation::clear_forces() {
  if (parts_.short_range->replaces_forces()) return;
  Particles& particles = *parts_.particles;
  const View<std::int64_t> forces = particles.store.elements<std::int64_t>(particles.force);
  options_.executor.fill_zero(forces.data, static_cast<std::size_t>(forces.size) * 8);
}

void Simulation::compute_ghosts(bool with_sums) {
  const ForceContext context = force_context(with_sums);
  if (has_new_ghosts_) {
    parts_.short_range->use_ghost_records(nullptr);
  } else {
    RegionTimer::Scope scope(options_.timer.get(), "halo");
    if (sends_records())
      parts_.short_range->use_ghost_records(domain_.finish_records());
    else
      domain_.finish_halo();
  }
  has_new_ghosts_ = false;
  const WorkTimer timer(*this, "pairs");
  record_numerical_errors([&] {
    parts_.short_range->compute_ghosts(context);
    parts_.short_range->collect(context, sums_[0]);
  });
}

bool Simulation::is_due(Index step, bool* with_thermo) const {
  bool due = false;
  for (const auto& observer : parts_.observers)
    if (observer->next(step) == step) {
      due = true;
      if (with_thermo != nullptr) *with_thermo = *with_thermo || observer->needs_thermo();
    }
  return due;
}

// Lists are valid as long as they contain all pairs within the cutoff. In a box that has shrunk,
// the ghosts of valid lists may not cover the larger distance that an observer needs.
bool Simulation::observers_exceed_ghosts(Index step) const {
  if (box_ == rebuild_box_) return false;
  return std::any_of(parts_.observers.begin(), parts_.observers.end(), [&](const auto& observer) {
    return observer->reach() > parts_.short_range->ghost_reach() && observer->next(step) == step;
  });
}

// Calls the observers, unless the state of some rank is invalid. A NumericalError of an observer
// ends the run like one of the forces.
void Simulation::sample(Index step) {
  record_numerical_errors([&] { parts_.short_range->check(); });
  record_integrator_fault();
  is_invalid_ = options_.communicator.any(!fault_.empty());
  if (!is_invalid_) record_numerical_errors([&] { observe(step); });
}

void Simulation::observe(Index step) {
  RegionTimer::Scope scope(options_.timer.get(), "observe");
  Thermo thermo;
  bool has_thermo = false;
  for (const auto& observer : parts_.observers) {
    if (observer->next(step) != step) continue;
    if (observer->needs_thermo() && !has_thermo) {
      thermo = measure(step);
      has_thermo = true;
    }
    observer->observe(snapshot(step, has_thermo ? &thermo : nullptr));
  }
}

// Uses the sums of the last compute().
Thermo Simulation::measure(Index step) {
  const double time = static_cast<double>(step) * options_.time_step;
  Thermo thermo = thermodynamics_.thermo(
      step, time, box_, thermodynamics_.kinetic(*parts_.particles), totals_,
      parts_.integrator->degrees_of_freedom(), parts_.integrator->conserved_part());
  thermo.motion = parts_.integrator->column_values(integrator_context(step, /*is_observed=*/true));
  return thermo;
}

Snapshot Simulation::snapshot(Index step, const Thermo* thermo) {
  return {step,
          static_cast<double>(step) * options_.time_step,
          *parts_.particles,
          box_,
          options_.communicator,
          options_.atoms,
          thermo};
}

}  // namespace gsim::md
