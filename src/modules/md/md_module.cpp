#include "src/modules/md/md_module.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/modules/md.hpp"
#include "src/modules/md/forces/lennard_jones_forces.hpp"
#include "src/modules/md/motion/make_motion.hpp"
#include "src/modules/md/simulation/fill.hpp"

namespace gsim::md {
namespace {

/// "32000" as "32 000".
std::string grouped(Index n) {
  std::string digits = fmt::format("{}", n);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), " ");
  return digits;
}

}  // namespace

WorkPlan MdModule::plan(const Context& context) {
  context_ = std::make_unique<Context>(context);
  system_ = config_.start.make_system(context.seed);
  const Box& box = system_->box();
  check_halo_width(box, config_.pair.cutoff + config_.skin);
  classes_.clear();
  const std::vector<Index> counts = system_->type_counts(config_.start.types.size());
  for (std::size_t t = 0; t < counts.size(); ++t)
    classes_.push_back({static_cast<std::int32_t>(t), 0, config_.start.types[t].mass, counts[t]});
  WorkPlan plan;
  plan.unit_name = "step";
  plan.total_units = config_.steps;
  plan.summary = fmt::format("{} atoms, {} units", grouped(system_->atoms()),
                             unit_system_words()[static_cast<std::size_t>(config_.units)]);
  plan.rate_name = "atom-steps";
  plan.rate_per_unit = static_cast<double>(system_->atoms());
  plan.notes.push_back(config_.start.summary);
  return plan;
}

void MdModule::build() {
  const Context& c = *context_;
  const Units& units = units_of(config_.units);
  const Box& box = system_->box();
  SimulationParts parts;
  parts.particles = std::make_unique<Particles>(c.executor, ParticleOptions{});
  auto pairs = std::make_unique<LennardJonesForces>(
      Nonbonded(c.executor, box, config_.pair, config_.skin, config_.precision),
      config_.pair.cutoff);
  SimulationOptions options{c.executor, c.communicator,    c.buffers,    c.timer,
                            &units,     config_.time_step, config_.skin, system_->atoms(),
                            classes_,   pairs->quanta()};
  parts.short_range = std::move(pairs);
  MotionSetup motion{c.executor,        c.communicator, &units,   c.seed,
                     config_.time_step, config_.steps,  classes_, options.quanta};
  parts.motion = make_motion(config_.motion, motion);
  ObserverSetup setup{c.executor,
                      c.communicator,
                      &units,
                      config_.time_step,
                      config_.steps,
                      system_->atoms(),
                      {},
                      {},
                      {},
                      {},
                      {},
                      {},
                      options.quanta,
                      c.output};
  for (const TypeConfig& t : config_.start.types) {
    setup.type_names.push_back(t.name);
    setup.type_masses.push_back(t.mass);
    setup.type_charges.push_back(t.charge);
  }
  setup.type_counts = system_->type_counts(config_.start.types.size());
  setup.given_ids = system_->given_ids();
  setup.energy_names = parts.short_range->energy_names();
  auto table = std::make_unique<ThermoTable>(config_.thermo, setup);
  thermo_ = table.get();
  parts.observers.push_back(std::move(table));
  simulation_ = std::make_unique<Simulation>(std::move(options), std::move(parts), box);
}

void MdModule::prepare() {
  build();
  const Context& c = *context_;
  fill_particles(c.communicator, *system_, config_.start, units_of(config_.units), c.seed,
                 simulation_->particles());
  simulation_->begin(0, true);
}

void MdModule::restore(DatasetReader& reader) {
  build();
  simulation_->restore(reader);
  simulation_->begin(0, false);
}

Index MdModule::next_evaluation(Index done) const {
  return context_->stop.has_error_target() ? std::max<Index>(1000, 2 * done) : config_.steps;
}

Module::Evaluation MdModule::evaluate(Index) {
  Evaluation result;
  result.all_converged = simulation_->is_done();
  return result;
}

std::vector<Estimate> MdModule::estimates() const {
  std::vector<Estimate> all;
  for (const auto& observer : simulation_->observers())
    for (Estimate& e : observer->estimates()) all.push_back(std::move(e));
  return all;
}

void MdModule::write_results(DatasetWriter& writer) const {
  for (const auto& observer : simulation_->observers()) observer->write_results(writer);
}

ReportTable MdModule::report() const {
  ReportTable table;
  table.columns = {"", "last"};
  table.right_aligned = {false, true};
  if (thermo_ == nullptr || thermo_->rows() == 0) return table;
  for (std::size_t c = 0; c < thermo_->columns().size(); ++c)
    table.rows.push_back({thermo_->columns()[c].name,
                          fmt::format("{:.6g}", thermo_->value(thermo_->rows() - 1, c))});
  return table;
}

std::uint64_t MdModule::digest() const {
  Digest digest;
  digest.add(simulation_->state_digest());
  for (const auto& observer : simulation_->observers()) digest.add(observer->digest());
  return digest.value();
}

}  // namespace gsim::md

namespace gsim {
std::unique_ptr<Module> make_md_module() { return std::make_unique<md::MdModule>(); }
}  // namespace gsim
