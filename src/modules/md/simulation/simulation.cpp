#include "src/modules/md/simulation/simulation.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/wait_time.hpp"
#include "src/modules/md/neighbour_lists/list_limits.hpp"

namespace gsim::md {
namespace {

// Speeds are counted in parts of what crosses the skin in 16 steps: hot liquids take 10 to 20.
double typical_speed(const SimulationOptions& o) {
  const double skin = o.skin > 0 ? o.skin : 1;
  return skin / (16 * o.time_step);
}

// Lists hold fewer clusters, and memory is read in order, when neighbours in space are neighbours
// in memory; atoms diffuse slowly against ten rebuilds.
constexpr Index rebuilds_between_sorts = 10;
constexpr Index rebuilds_between_balances = 5;
// Borders before the first step: cuts by volume, then by work, which differs where borders were.
constexpr int first_balances = 4;

}  // namespace

/// Time that this rank works for short-range forces, which are what borders are moved for, and does
/// not wait for others.
class Simulation::Work {
 public:
  Work(Simulation& simulation, std::string_view region)
      : scope_(simulation.options_.timer.get(), region),
        simulation_(simulation),
        waited_before_(seconds_waited()) {}
  ~Work() {
    simulation_.domain_.add_seconds(watch_.seconds() - (seconds_waited() - waited_before_));
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

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
      known_box_(box),
      listed_box_(box),
      thermodynamics_(options_.executor, options_.communicator, *options_.units, options_.classes,
                      typical_speed(options_)),
      domain_(options_.communicator, *parts_.particles, box_,
              halo_width(reaches(parts_, options_.margin)), options_.buffers, options_.balance),
      sums_(parts_.terms.size() + 1) {
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

MotionContext Simulation::motion_context(Index step, bool is_observed) {
  return {*parts_.particles, box_, step, totals_.virial, totals_.potential, is_observed};
}

void Simulation::note_fault(const Fault& fault) {
  if (fault.message.empty() || (fault_step_ >= 0 && fault_step_ <= fault.step)) return;
  fault_step_ = fault.step;
  fault_ = fmt::format("step {}: {}", fault.step, fault.message);
}

// Whether all went well.
bool Simulation::guard(const std::function<void()>& body) {
  try {
    body();
    return true;
  } catch (const NumericalError& error) {
    note_fault({step_, error.what()});
    return false;
  }
}

void Simulation::look_at_motion() { note_fault(parts_.motion->fault()); }

// The first fault counts, whichever rank has found it.
void Simulation::agree_on_fault() {
  if (fault_step_ < 0) fault_step_ = std::numeric_limits<Index>::max();
  const Index first = options_.communicator.min(fault_step_);
  if (fault_step_ > first) fault_.clear();
  is_sick_ = first < std::numeric_limits<Index>::max();
  if (!is_sick_) fault_step_ = -1;
}

void Simulation::begin(Index step, bool is_new) {
  step_ = step;
  for (const auto& term : parts_.terms) term->fill(*parts_.particles);
  parts_.motion->start(motion_context(step, true));
  bool is_placed = place_atoms(true);
  for (int round = 0; is_placed && round < first_balances && balance(); ++round)
    is_placed = place_atoms(true);
  domain_.end_interval(0);
  rebuilt_at_ = step;
  keep(step);
  if (is_placed) compute(true);
  guard([&] { parts_.short_range->check(); });
  agree_on_fault();
  if (!is_sick_ && is_new && is_due(step, nullptr)) look(step);
}

void Simulation::advance(Index first, Index count) {
  for (Index n = first; n < first + count && !is_sick_; ++n) step(n, n + 1 == first + count);
  guard([&] { parts_.short_range->check(); });
  look_at_motion();
  agree_on_fault();
  if (!is_sick_) keep(first + count);
}

void Simulation::step(Index n, bool is_last) {
  step_ = n + 1;
  {
    RegionTimer::Scope scope(options_.timer.get(), "integrate");
    guard([&] { parts_.motion->move(motion_context(n, false)); });
  }
  guard([&] { follow_box(); });
  if (!refresh(is_beyond_lists(n + 1))) return;
  bool with_thermo = false;
  const bool due = is_due(n + 1, &with_thermo);
  compute(with_thermo || is_last || parts_.motion->needs_virial());
  {
    RegionTimer::Scope scope(options_.timer.get(), "integrate");
    parts_.motion->finish(motion_context(n, due || is_last));
  }
  if (due) look(n + 1);
}

void Simulation::follow_box() {
  if (box_ == known_box_) return;
  known_box_ = box_;
  parts_.short_range->box_changed(box_);
  for (const auto& term : parts_.terms) term->box_changed(box_);
}

// New lists where any rank needs them, else ghosts on their way. One word carries all questions:
// whose lists are stale or due, and whether somebody's state is sick, in which case nobody goes on.
// All ranks shorten their lists at once, each a little before its time: if they did in turns, all
// others would wait for each. What kernels have noted of atoms costs nothing to look at on a host;
// a device is waited for.
bool Simulation::refresh(bool must_rebuild) {
  ListState lists = must_rebuild ? ListState::stale : ListState::good;
  {
    const Work work(*this, "lists");
    guard([&] { lists = std::max(lists, parts_.short_range->read_locals(force_context(false))); });
  }
  constexpr Index steps_between_looks = 8;
  static_assert(steps_between_looks <= Motion::fault_memory);
  if (!options_.executor.is_cuda() || step_ % steps_between_looks == 0) look_at_motion();
  RegionTimer::Scope scope(options_.timer.get(), "halo");
  constexpr std::int64_t sick = 1 + static_cast<std::int64_t>(ListState::stale);
  const std::int64_t word =
      options_.communicator.max(fault_.empty() ? static_cast<std::int64_t>(lists) : sick);
  is_sick_ = word == sick;
  if (is_sick_) return false;
  lists = static_cast<ListState>(word);
  if (lists == ListState::stale) return rebuild();
  domain_.post_halo();
  if (lists == ListState::due) {
    const Work work(*this, "lists");
    parts_.short_range->shorten_lists();
  }
  return true;
}

bool Simulation::rebuild() {
  domain_.end_interval(step_ - rebuilt_at_);
  rebuilt_at_ = step_;
  // Borders move little now: sorting, for which lists are made twice, can wait for its turn.
  if (rebuilds_ % rebuilds_between_balances == 0) balance();
  is_sick_ = !place_atoms(rebuilds_ % rebuilds_between_sorts == 0);
  return !is_sick_;
}

// Where a barostat has made the box so narrow that the skin has no room any more, a thinner one
// does as well, if at the price of lists that are made oftener.
void Simulation::fit_reaches() {
  Reaches now = reaches(parts_, options_.margin);
  check_box_width(box_, now.terms);
  now.margin = fitting_skin(box_, std::max(now.cutoff, now.observers), now.margin);
  parts_.short_range->set_skin(now.margin);
  domain_.set_width(halo_width(now));
}

bool Simulation::balance() {
  if (!domain_.can_balance()) return false;
  std::vector<std::int64_t> shares(static_cast<std::size_t>(parts_.particles->locals()));
  const std::int64_t work = parts_.short_range->work(shares);
  return domain_.balance(box_, shares, work);
}

// False, on all ranks alike, where the box is too narrow for that.
bool Simulation::place_atoms(bool sorted) {
  if (!guard([&] { fit_reaches(); })) return false;
  listed_box_ = box_;
  {
    RegionTimer::Scope scope(options_.timer.get(), "migrate");
    domain_.rebuild(box_);
  }
  const ForceContext context = force_context(false);
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
    for (const auto& term : parts_.terms) guard([&] { term->rebuild(context); });
  }
  bool is_fresh = false;
  {
    const Work work(*this, "lists");
    is_fresh = parts_.short_range->load_locals(context);
  }
  if (!is_fresh) throw Error("internal error: pair lists are stale as soon as they are built");
  ++rebuilds_;
  fresh_ = true;
  return true;
}

void Simulation::rebuild_pairs(const ForceContext& context) {
  const Work work(*this, "lists");
  for (const auto& term : parts_.terms) term->exclude(context);
  parts_.short_range->rebuild(context);
}

void Simulation::compute(bool with_sums) {
  const ForceContext context = force_context(with_sums);
  Particles& particles = *parts_.particles;
  const View<std::int64_t> forces = particles.store.elements<std::int64_t>(particles.force);
  {
    const Work work(*this, "pairs");
    options_.executor.fill_zero(forces.data, static_cast<std::size_t>(forces.size) * 8);
    guard([&] { parts_.short_range->compute_locals(context); });
  }
  if (!fresh_) {
    RegionTimer::Scope scope(options_.timer.get(), "halo");
    domain_.finish_halo();
  }
  fresh_ = false;
  for (ForceSums& sums : sums_) sums.clear();
  {
    const Work work(*this, "pairs");
    guard([&] {
      parts_.short_range->compute_ghosts(context);
      parts_.short_range->collect(context, sums_[0]);
    });
  }
  for (std::size_t t = 0; t < parts_.terms.size(); ++t) {
    RegionTimer::Scope scope(options_.timer.get(), parts_.terms[t]->region());
    guard([&] { parts_.terms[t]->compute(context, sums_[t + 1]); });
  }
  if (with_sums) totals_ = thermodynamics_.totals(sums_, options_.quanta);
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

// Lists are good as long as pairs within the cutoff are in them. In a box that has shrunk, ghosts
// may then no longer reach as far as an observer that looks farther.
bool Simulation::is_beyond_lists(Index step) const {
  if (box_ == listed_box_) return false;
  return std::any_of(parts_.observers.begin(), parts_.observers.end(), [&](const auto& observer) {
    return observer->reach() > parts_.short_range->ghost_reach() && observer->next(step) == step;
  });
}

// A state that is sick on some rank is no sample; and what an observer finds to be sick ends the
// run as what forces find.
void Simulation::look(Index step) {
  guard([&] { parts_.short_range->check(); });
  look_at_motion();
  is_sick_ = options_.communicator.any(!fault_.empty());
  if (!is_sick_) guard([&] { observe(step); });
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

// Of the state whose sums the last compute() has made.
Thermo Simulation::measure(Index step) {
  const double time = static_cast<double>(step) * options_.time_step;
  Thermo thermo =
      thermodynamics_.thermo(step, time, box_, thermodynamics_.kinetic(*parts_.particles), totals_,
                             parts_.motion->degrees_of_freedom(), parts_.motion->conserved_part());
  thermo.motion = parts_.motion->column_values(motion_context(step, true));
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
