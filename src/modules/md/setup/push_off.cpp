#include "src/modules/md/setup/push_off.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/integrators/motion_config.hpp"
#include "src/modules/md/minimizers/fire.hpp"
#include "src/modules/md/neighbour_lists/list_limits.hpp"
#include "src/modules/md/simulation/fill_particles.hpp"

namespace gsim::md {
namespace {

constexpr Index stages = 8;
// The ratio of PairFunction::closest() to sigma for Lennard-Jones.
constexpr double closest_of_sigma = 0.7;
// The soft Gaussian potential of two types: its width and the inner radius of its smoothing, in
// units of the distance to which atoms are pushed apart, and its height in the last stage, in units
// of this distance times the force of the potentials there.
constexpr double relative_width = 0.4, relative_inner = 0.8, relative_height = 2;

/// Distance to which atoms of two types are pushed apart, and the force of their potentials at that
/// distance.
struct Contact {
  double distance = 0, force = 0;
};

Contact contact_of(const std::vector<PairPotential>& potentials) {
  Contact contact;
  double cutoff = 0;
  std::vector<PairFunction> functions;
  for (PairPotential p : potentials) {
    p.closest = 0;  // 0: the closest distance of the kind of potential
    functions.emplace_back(p);
    contact.distance = std::max(contact.distance, functions.back().closest() / closest_of_sigma);
    cutoff = std::max(cutoff, p.cutoff);
  }
  contact.distance = std::min(contact.distance, cutoff);
  // Where the force is attractive at that distance, the distance is reduced until it is repulsive.
  for (int k = 0; k < 100 && contact.distance > 0; ++k, contact.distance *= 0.99) {
    contact.force = 0;
    for (const PairFunction& f : functions)
      if (contact.distance < f.cutoff()) contact.force += f.force(contact.distance);
    if (contact.force > 0) return contact;
  }
  return {};
}

MotionConfig minimiser(const MdConfig& run, double force_tolerance, double max_displacement) {
  MotionConfig motion;
  motion.kind = "minimise";
  motion.plan = fire_minimiser({force_tolerance, max_displacement});
  motion.groups = run.motion.groups;
  for (GroupConfig& group : motion.groups) group.thermostat.reset();
  return motion;
}

/// Calls body(a, b, potential) for each potential between types a <= b.
template <class Body>
void for_potentials(const PairTable& table, const Body& body) {
  for (int a = 0; a < table.types(); ++a)
    for (int b = a; b < table.types(); ++b)
      for (const PairPotential& p : table.between(a, b)) body(a, b, p);
}

/// One stage: a separate simulation with the pair potentials of `table` alone.
class Stage {
 public:
  Stage(const PushOffSetup& setup, const PairTable& table, const MotionConfig& motion)
      : setup_(setup) {
    const Context& c = setup.context;
    const Units& units = units_of(setup.config.units);
    const Box& box = setup.system.box();
    const double skin = fitting_skin(box, table.cutoff(), setup.config.skin);
    ForceQuanta quanta;
    SimulationParts parts = setup.assembly.make_push_off(table, skin, quanta);
    parts.integrator = make_integrator(
        motion, {c.executor, c.communicator, &units, c.seed, setup.config.time_step, 0,
                 setup.classes.classes, quanta, true, &setup.system.given_ids()});
    simulation_ = std::make_unique<Simulation>(
        SimulationOptions{c.executor, c.communicator, c.buffers, c.timer, &units,
                          setup.config.time_step, skin, setup.system.atoms(), setup.classes.classes,
                          quanta, setup.config.balance},
        std::move(parts), box);
    fill_particles(c.communicator, setup.system, setup.config.start, units, c.seed, setup.classes,
                   setup.config.motion.groups, 1, simulation_->particles());
  }

  Particles& particles() { return simulation_->particles(); }

  void run(Index steps) {
    constexpr Index steps_per_check = 25;
    simulation_->begin(0, false);
    for (Index n = 0; n < steps && !simulation_->is_done(); n += steps_per_check) {
      refuse_faults();
      simulation_->advance(n, std::min(steps_per_check, steps - n));
    }
    refuse_faults();
  }

 private:
  void refuse_faults() const {
    const Communicator& comm = setup_.context.communicator;
    const std::string& fault = simulation_->health();
    const auto rank = static_cast<int>(comm.max(std::int64_t{fault.empty() ? -1 : comm.rank()}));
    if (rank < 0) return;
    NumericalError error(fmt::format(
        "pushing atoms apart failed in {} (rank {}); give [push_off] a smaller energy or distance",
        comm.broadcast(fault, rank), rank));
    error.mark_agreed();
    throw error;
  }

  const PushOffSetup& setup_;
  std::unique_ptr<Simulation> simulation_;
};

Places places_of(const PushOffSetup& setup, Particles& p) {
  const Communicator& comm = setup.context.communicator;
  const Index atoms = setup.system.atoms();
  return {rows_by_id(comm, p.store, p.store.position(), atoms),
          rows_by_id(comm, p.store, p.image, atoms)};
}

}  // namespace

void Places::put(Particles& p) const {
  const Executor& executor = p.store.executor();
  if (position.empty()) return;
  executor.copy_from_host(p.store.data(p.store.position()), position.data(), position.size());
  executor.copy_from_host(p.store.data(p.image), image.data(), image.size());
}

bool has_contacts(const PairTable& table) {
  for (int a = 0; a < table.types(); ++a)
    for (int b = a; b < table.types(); ++b)
      if (contact_of(table.between(a, b)).distance > 0) return true;
  return false;
}

void describe_push_off(Section& s, PushOffConfig& c) {
  s.optional("distance", c.distance,
             {.doc = "distance to which atoms are pushed apart (0: sigma of Lennard-Jones, and the "
                     "corresponding distance of other potentials)",
              .unit = "length",
              .minimum = 0});
  s.optional("energy", c.energy,
             {.doc = "energy of the soft potential at distance 0 in the last stage (0: from the "
                     "force of the potential itself at that distance; Lennard-Jones: 48 epsilon)",
              .unit = "energy",
              .minimum = 0});
  s.optional("steps", c.steps,
             {.doc = "maximum number of minimiser steps in all stages", .minimum = 1});
  s.optional(
      "max_displacement", c.max_displacement,
      {.doc = "maximum displacement of an atom in a step (0: a twentieth of the largest distance)",
       .unit = "length",
       .minimum = 0});
}

PairTable push_off_table(const PushOffConfig& config, const MdConfig& run,
                         const PairTable* potentials) {
  PairTable table(run.start.type_names());
  bool pushes = false;
  for (int a = 0; a < table.types(); ++a)
    for (int b = a; b < table.types(); ++b) {
      Contact contact = potentials != nullptr ? contact_of(potentials->between(a, b)) : Contact{};
      double energy = config.energy;
      if (energy == 0) energy = relative_height * contact.force * contact.distance;
      if (config.distance > 0) contact.distance = config.distance;
      if (!(contact.distance > 0 && energy > 0)) {
        table.declare_empty(a, b);
        continue;
      }
      const double cutoff = contact.distance;
      table.add(a, b,
                {&potential_kind("gaussian"),
                 {energy, relative_width * cutoff},
                 cutoff,
                 Smoothing::xplor,
                 relative_inner * cutoff});
      pushes = true;
    }
  if (!pushes)
    throw InputError(
        "[push_off]: the potentials give no distance to which atoms are to be pushed apart; give "
        "distance and energy");
  return table;
}

Places push_off(const PushOffConfig& config, const PushOffSetup& setup) {
  const PairTable last = push_off_table(config, setup.config, setup.assembly.table());
  double smallest_force = HUGE_VAL, largest_distance = 0;
  for_potentials(last, [&](int, int, const PairPotential& p) {
    smallest_force = std::min(smallest_force, p.parameters[0] / p.cutoff);
    largest_distance = std::max(largest_distance, p.cutoff);
  });
  const double step = config.max_displacement > 0 ? config.max_displacement : largest_distance / 20;
  const MotionConfig motion = minimiser(setup.config, smallest_force / 100, step);
  Places places;
  for (Index k = 1; k <= stages; ++k) {
    PairTable table(last.names());
    for_potentials(last, [&](int a, int b, PairPotential p) {
      p.parameters[0] *= static_cast<double>(k) / stages;
      table.add(a, b, std::move(p));
    });
    Stage stage(setup, table, motion);
    if (k > 1) places.put(stage.particles());
    stage.run((config.steps + stages - 1) / stages);
    places = places_of(setup, stage.particles());
  }
  return places;
}

}  // namespace gsim::md
