#include "src/modules/md/md_module.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gsim/io/memory_datasets.hpp"
#include "gsim/md/module.hpp"
#include "src/modules/md/integrators/coupling_groups.hpp"
#include "src/modules/md/integrators/motion_config.hpp"
#include "src/modules/md/pair_forces/full_list_pair_forces.hpp"
#include "src/modules/md/setup/forecast.hpp"
#include "src/modules/md/setup/push_off.hpp"
#include "src/modules/md/simulation/fill_particles.hpp"
#include "src/modules/md/trajectories/h5md_writer.hpp"
#include "src/modules/md/trajectories/make_trajectory.hpp"
#include "src/modules/md/type_names.hpp"

namespace gsim::md {
namespace {

/// "32000" as "32 000".
std::string grouped(Index n) {
  std::string digits = fmt::format("{}", n);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), " ");
  return digits;
}

/// The dataset of md.steps in checkpoints of runs with ramps, whose states depend on it.
constexpr const char* ramp_steps_path = "md/ramp_steps";

}  // namespace

WorkPlan MdModule::plan(const Context& context) {
  context_ = std::make_unique<Context>(context);
  start_classes_.reset();
  system_ =
      locate_errors(config_.start.where, [&] { return config_.start.make_system(context.seed); });
  const int ranks = context.planned_ranks();
  assembly_ = std::make_unique<Assembly>(config_, *system_, context, ranks);
  check_input(context, ranks);
  if (context.warn) warn(context);
  const RunForecast forecast = forecast_run(*system_, ranks, assembly_->halo_width(),
                                            assembly_->pair_memory(), context.forecast_ranks > 0);
  WorkPlan plan;
  plan.unit_name = "step";
  plan.has_own_targets = config_.motion.plan.is_minimiser();
  plan.total_units = config_.steps;
  plan.summary = fmt::format("{} atoms, {} units", grouped(system_->atoms()),
                             unit_system_names()[static_cast<std::size_t>(config_.units)]);
  plan.item_name = "atom-steps";
  plan.items_per_unit = static_cast<double>(system_->atoms());
  plan.bytes_per_rank = forecast.bytes_per_rank;
  plan.notes = forecast.notes;
  plan.notes.push_back(config_.start.summary);
  for (std::string& note : assembly_->notes()) plan.notes.push_back(std::move(note));
  return plan;
}

// Checks the input before anything is written, and for `gsim check`. The parts of a run make the
// same checks when they are constructed, which is later.
void MdModule::check_input(const Context& context, int ranks) {
  const std::vector<TypeConfig>& types = config_.start.types;
  const bool is_charged =
      config_.pairs.coulomb.is_on() ||
      std::any_of(types.begin(), types.end(), [](const TypeConfig& t) { return t.charge != 0; });
  check_observers(context, is_charged);
  check_speeds(config_.balance, ranks);
  const PairConfig& pairs = config_.pairs;
  for (int a = 0; a < 3; ++a)
    if (pairs.tail && system_->box().boundary(a) == Boundary::open)
      throw ConfigError(
          pairs.tail_at,
          fmt::format("tail = true assumes that the fluid fills all of space, but the box is open "
                      "along {}",
                      "xyz"[a]),
          "set tail = false, or make the box periodic");
  if (config_.pushes_off) (void)push_off_table(config_.push_off, config_, assembly_->table());
  check_classes(context);
  // Files are checked only on the rank that opens them, since other ranks may have other disks.
  if (!context.communicator.is_root()) return;
  std::vector<std::string> others = {context.output + ".h5", config_.keys.location().file};
  if (!config_.start.input_path.empty()) others.push_back(config_.start.input_path);
  check_trajectories(config_.trajectories, context.output, others);
}

// Classifies the atoms of the start by types and groups. Collective.
const Classification& MdModule::start_classes(const Context& context) {
  if (!start_classes_)
    start_classes_ =
        classify_start(context.communicator, *system_, config_.start, config_.motion.groups);
  return *start_classes_;
}

void MdModule::check_observers(const Context& context, bool is_charged) {
  for (const ObserveConfig& o : config_.observe)
    if (o.plan.check)
      locate_errors(o.keys.location("kind"), [&] {
        o.plan.check({o.name, system_->box(), config_.skin, is_charged,
                      [&] { return type_counts(start_classes(context).classes); },
                      [&] { assembly_->require_pairs_alone(); }});
      });
}

// Checks the types and groups that observers, trajectories and integrators select.
void MdModule::check_classes(const Context& context) {
  const MotionConfig& motion = config_.motion;
  check_times(motion, config_.time_step);
  if (motion.barostat) check_barostat_box(*motion.barostat, system_->box());
  const bool names_types =
      std::any_of(config_.observe.begin(), config_.observe.end(),
                  [](const ObserveConfig& o) { return !o.plan.types.empty(); }) ||
      std::any_of(config_.trajectories.begin(), config_.trajectories.end(),
                  [](const TrajectoryConfig& t) { return !t.types.empty(); });
  Index moving = system_->atoms();
  if (start_classes_ || names_types || !motion.groups.empty()) {
    const std::vector<Index> counts = type_counts(start_classes(context).classes);
    const std::vector<std::string> types = config_.start.type_names();
    for (const ObserveConfig& o : config_.observe)
      check_present(o.keys.location("types"), o.plan.types, types, counts);
    for (const TrajectoryConfig& t : config_.trajectories)
      check_present(t.keys.location("types"), t.types, types, counts);
    moving = 0;
    for (const CouplingGroup& coupling :
         make_coupling_groups(motion, start_classes_->classes, true).list)
      moving += coupling.atoms;
  }
  if (moving == 1 && config_.start.zero_momentum && config_.start.temperature > 0)
    throw ConfigError(config_.start.temperature_location,
                      "one atom that moves, and whose momentum is removed, has no temperature",
                      "set zero_momentum = false, or leave the temperature out");
}

// Warns of settings that are possible, but probably not intended.
void MdModule::warn(const Context& context) const {
  if (const std::string text = assembly_->warning(); !text.empty()) context.warn(text);
  if (!config_.eam_warning.empty())
    context.warn(fmt::format("{}: {}", to_string(config_.eam.where), config_.eam_warning));
  if (context.stop.max_samples > 0)
    context.warn("stop.samples has no effect here: md.steps sets the length of the run");
  const auto check_from = [&](const SampleSteps& steps, const SourceLocation& at,
                              const char* table) {
    if (steps.next(0) > config_.steps)
      context.warn(fmt::format("{}: this [[{}]] begins at step {}, after the run's last one, {}",
                               to_string(at), table, steps.next(0), config_.steps));
  };
  for (const ObserveConfig& o : config_.observe)
    check_from(o.steps, o.keys.location("from"), "observe");
  for (const TrajectoryConfig& t : config_.trajectories)
    check_from(t.steps, t.keys.location("from"), "trajectory");
}

OutputSetup MdModule::observer_setup(const ForceQuanta& quanta) const {
  const Context& c = *context_;
  OutputSetup setup{{c.executor, c.communicator, &units_of(config_.units), config_.time_step,
                     config_.steps, system_->atoms()}};
  setup.given_ids = system_->given_ids();
  setup.quanta = quanta;
  setup.output = c.output;
  setup.type_names = config_.start.type_names();
  setup.type_elements = config_.start.type_elements();
  for (const TypeConfig& t : config_.start.types) {
    setup.type_masses.push_back(t.mass);
    setup.type_charges.push_back(t.charge);
  }
  setup.type_counts = type_counts(classes_);
  setup.topology = &system_->topology();
  if (system_->has_molecules())
    setup.molecules = [this](IndexRange atoms) { return system_->atoms_in(atoms).molecule; };
  setup.bonded = &assembly_->bonded();
  setup.coefficients = config_.start.coefficients;
  setup.make_single_atom_pairs = [this] { return assembly_->make_single_atom_pairs(); };
  return setup;
}

std::vector<Index> MdModule::type_counts(const std::vector<AtomClass>& classes) const {
  std::vector<Index> counts(config_.start.types.size());
  for (const AtomClass& c : classes) counts[static_cast<std::size_t>(c.type)] += c.atoms;
  return counts;
}

void MdModule::build() {
  const Context& c = *context_;
  const Box& box = system_->box();
  ForceQuanta quanta;
  SimulationParts parts = assembly_->make_forces(type_counts(classes_), quanta);
  const Units& units = units_of(config_.units);
  parts.integrator = make_integrator(
      config_.motion, {c.executor, c.communicator, &units, c.seed, config_.time_step, config_.steps,
                       classes_, quanta, true, &system_->given_ids()});
  simulation_ = nullptr;  // its observers refer to the setup that is replaced
  observer_setup_ = std::make_unique<OutputSetup>(observer_setup(quanta));
  OutputSetup& setup = *observer_setup_;
  setup.energy_names = energy_names(parts);
  setup.integrator_columns = parts.integrator->columns();
  auto table = std::make_unique<ThermoTable>(config_.thermo, setup);
  thermo_ = table.get();
  parts.observers.push_back(std::move(table));
  for (auto& observer : make_observers(config_.observe, setup, *parts.particles))
    parts.observers.push_back(std::move(observer));
  for (auto& observer : make_trajectories(config_.trajectories, setup))
    parts.observers.push_back(std::move(observer));
  simulation_ = std::make_unique<Simulation>(
      SimulationOptions{c.executor, c.communicator, c.buffers, c.timer, &units, config_.time_step,
                        assembly_->margin(), system_->atoms(), classes_, quanta, config_.balance},
      std::move(parts), box);
}

void MdModule::prepare() {
  const Context& c = *context_;
  start_classes(c);
  const Classification classes = *std::exchange(start_classes_, std::nullopt);
  classes_ = classes.classes;
  begin(classes, config_.pushes_off);
  // Minimisations often start from overlapping atoms.
  const PairTable* const table = assembly_->table();
  if (!config_.motion.plan.is_minimiser() || config_.pushes_off || table == nullptr ||
      !c.communicator.any(!health().empty()) || !has_contacts(*table))
    return;
  if (c.warn)
    c.warn(
        "atoms overlap at the start: before the first step they are pushed apart, as by "
        "[push_off]");
  begin(classes, true);
}

// Prepares the first step of a new run.
void MdModule::begin(const Classification& classes, bool pushes_off) {
  const Context& c = *context_;
  Places places;
  simulation_ = nullptr;
  if (pushes_off) places = push_off(config_.push_off, {c, config_, *system_, *assembly_, classes});
  build();
  fill_particles(c.communicator, *system_, config_.start, units_of(config_.units), c.seed, classes,
                 config_.motion.groups,
                 std::llround(simulation_->integrator().degrees_of_freedom()),
                 simulation_->particles());
  places.put(simulation_->particles());
  done_ = 0;
  simulation_->begin(0, true);
}

// A ramp reaches its final value at the end of the run, so that at each step its target depends on
// the number of steps of the run.
void MdModule::check_ramps(DatasetReader& reader) const {
  if (!reader.has(ramp_steps_path)) return;
  const auto before = reader.read_value<Index>(ramp_steps_path);
  if (before == config_.steps) return;
  InputError error(fmt::format(
      "md.steps was {} and is {}, but a temperature or pressure of this run is given as a table "
      "and "
      "changes over all md.steps, so that its value at each step depends on md.steps; resume with "
      "md.steps = {}, or start afresh without --resume",
      before, config_.steps, before));
  error.mark_agreed();
  throw error;
}

void MdModule::restore(DatasetReader& reader) {
  classes_ = restore_classes(reader);
  build();
  check_ramps(reader);
  simulation_->restore(reader);
  done_ = reader.read_value<Index>("md/step");
  simulation_->begin(done_, false);
}

void MdModule::advance(Index first, Index count) {
  simulation_->advance(first, count);
  done_ = first + count;
}

void MdModule::save(DatasetWriter& writer) const {
  writer.write("md/step", done_);
  if (config_.motion.has_ramp()) writer.write(ramp_steps_path, config_.steps);
  save_classes(writer, classes_);
  simulation_->save(writer);
}

Index MdModule::next_evaluation(Index done) const {
  constexpr Index minimiser_steps = 50;  // between checks of convergence
  if (config_.motion.plan.is_minimiser()) return (done / minimiser_steps + 1) * minimiser_steps;
  if (!context_->stop.has_error_target()) return config_.steps;
  Index point = 1000;  // with an error target: after 1000, 2000, 4000, … steps
  while (point <= done) point *= 2;
  return point;
}

// Writes the last valid state, which can be inspected, or continued with a smaller time step.
std::string MdModule::abandon() {
  const Index step = simulation_->restore_last_valid();
  TrajectoryConfig last;
  last.file = context_->output + ".last_good.h5md";
  last.velocity = true;
  last.precision = TrajectoryPrecision::float64;
  H5mdWriter writer("last_good", last, *observer_setup_);
  writer.observe(simulation_->snapshot(step));
  MemoryDatasets nothing(context_->communicator);
  writer.write_results(nothing);
  for (const auto& observer : simulation_->observers()) observer->abandon();
  return fmt::format("the atoms at step {} are kept in {}", step, last.file);
}

}  // namespace gsim::md

namespace gsim {

void register_md_module(Registry& registry) {
  md::register_builtin_parts(registry);
  registry.add({"md", "molecular dynamics of atoms in a box", [](const Registry& all) {
                  return std::make_unique<md::MdModule>(md::extensions_of(all));
                }});
}

}  // namespace gsim
