#include "src/modules/md/integrators/velocity_verlet.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/exec/launch_graph.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/random/stream.hpp"
#include "src/modules/md/integrators/advance_matrix.hpp"

namespace gsim::md {
namespace {

/// By class: change of velocity by one force quantum in half a step.
std::vector<double> kick_factors(const IntegratorSetup& setup,
                                 const CouplingGroups& coupling_groups) {
  std::vector<double> factors;
  for (std::size_t c = 0; c < setup.classes.size(); ++c)
    factors.push_back(coupling_groups.is_frozen(c)
                          ? 0.0
                          : 0.5 * setup.time_step * setup.units->acceleration * setup.quanta.force /
                                setup.classes[c].mass);
  return factors;
}

/// By class: the mass divided by the quantum of the sums of m v^2.
std::vector<double> masses_in_quanta(const IntegratorSetup& setup) {
  std::vector<double> masses;
  for (const AtomClass& c : setup.classes) masses.push_back(c.mass / kinetic_quantum(*setup.units));
  return masses;
}

void check_stretch(const Vector3& stretch) {
  for (const double s : stretch) {
    if (std::isnan(s))
      throw NumericalError(
          "the pressure is not a number, so that the barostat cannot determine the box; do atoms "
          "overlap?");
    if (!md_kernels::is_valid_stretch(s))
      throw NumericalError(fmt::format(
          "the barostat would make the box {:.4g} times as long in one step; set a "
          "longer `time` in [barostat], or start from a density closer to the final one",
          s));
  }
}

[[noreturn]] void refuse_factor(const ThermostatConfig& config, double factor, double twice_kinetic,
                                Index step) {
  throw NumericalError(fmt::format(
      "thermostat `{}` scales velocities by {} in step {}, where the sum of m v^2 is {}",
      config.kind, factor, step, twice_kinetic));
}

}  // namespace

VelocityVerlet::VelocityVerlet(const MotionConfig& config, const IntegratorSetup& setup)
    : config_(config),
      setup_(setup),
      coupling_groups_(make_coupling_groups(config_, setup_.classes, setup_.is_momentum_kept)),
      kinetic_(setup_, coupling_groups_.of_class, static_cast<int>(coupling_groups_.list.size())),
      kick_(setup.executor, kick_factors(setup_, coupling_groups_)),
      faults_(setup.executor, setup.given_ids),
      scale_(setup.executor, static_cast<Index>(setup.classes.size())),
      langevin_(setup.classes.size()),
      device_langevin_(setup.executor, langevin_),
      mass_in_quanta_(setup.executor, masses_in_quanta(setup_)),
      heat_(setup.executor, 1),
      heat_before_(setup.executor, 1) {
  check_times(config_, setup_.time_step);
  check_addresses("random numbers of thermostats", 1, setup_.steps, 4);
  for (const CouplingGroup& coupling : coupling_groups_.list) {
    thermostats_.emplace_back();
    if (coupling.thermostat == nullptr) continue;
    if (coupling.thermostat->is_langevin()) {
      has_langevin_ = true;
      continue;
    }
    has_scaling_ = true;
    thermostats_.back() =
        make_thermostat(*coupling.thermostat, {coupling.freedom, setup_.time_step, setup_.seed,
                                               static_cast<std::uint64_t>(coupling.group) + 1});
  }
  auto on_device = std::make_unique<ThermostatsOnDevice>(setup_, coupling_groups_, thermostats_);
  if (on_device->are_usable() && !config_.barostat) on_device_ = std::move(on_device);
  if (config_.barostat) {
    const BarostatConfig& b = *config_.barostat;
    barostat_ = make_barostat(b, {coupling_groups_.freedom, setup_.time_step,
                                  setup_.units->pressure, b.coupling, setup_.seed});
    auto box_on_device = std::make_unique<BarostatOnDevice>(
        setup_, *barostat_, thermostats_.front().get(), config_.thermostat->plan.may_reverse);
    if (box_on_device->is_usable()) box_on_device_ = std::move(box_on_device);
  }
}

double VelocityVerlet::thermal(const ThermostatConfig& thermostat, Index step) const {
  return setup_.units->boltzmann * thermostat.temperature.at(step, setup_.steps);
}

PressureState VelocityVerlet::pressure_state(const Box& box, Index step) const {
  const PressureTargets targets = pressure_targets(step);
  return {twice_kinetic_, virial_, box.lengths(), targets.thermal, targets.pressure};
}

PressureTargets VelocityVerlet::pressure_targets(Index step) const {
  return {thermal(*config_.thermostat, step),
          config_.barostat->pressure.at(step, setup_.steps) / setup_.units->pressure};
}

BoxStep VelocityVerlet::begin_box_step(const Box& box, Index step) {
  const BoxStep result = barostat_->begin_step(pressure_state(box, step), step);
  check_stretch(result.stretch);
  return result;
}

bool VelocityVerlet::needs_host_sums(Index step) const {
  return (has_scaling_ && on_device_ == nullptr) || barostat_ != nullptr || removes_momentum(step);
}

bool VelocityVerlet::removes_momentum(Index step) const {
  return config_.momentum_removal > 0 && (step + 1) % config_.momentum_removal == 0;
}

void VelocityVerlet::start(const IntegratorContext& context) {
  volume_ = context.box.volume();
  if (barostat_ != nullptr) {
    check_barostat_box(*config_.barostat, context.box);
    barostat_->start(pressure_state(context.box, context.step));
  }
  std::vector<VelocityScale> by_class(setup_.classes.size());
  bool has_frozen = false;
  for (std::size_t c = 0; c < by_class.size(); ++c)
    if (coupling_groups_.is_frozen(c)) {
      by_class[c].factor = 0;
      has_frozen = true;
    }
  if (!has_frozen) return;
  scale_.assign(by_class);
  md_scale(setup_.executor, {context.particles.moving(), scale_.view()});
}

AdvanceArgs VelocityVerlet::advance_args(const IntegratorContext& context, const BoxStep& step) {
  AdvanceArgs args;
  args.particles = context.particles.moving();
  args.factor = kick_.view();
  args.halves = is_kick_deferred_ ? 2 : 1;
  args.half_kick = step.kick;
  if (is_scale_deferred_) args.scale = scale_.view();
  set_advance(context.box, setup_.time_step, step.drift, args.advance);
  for (int a = 0; a < 3; ++a) args.periodic[a] = context.box.boundary(a) == Boundary::periodic;
  args.faults = faults_.record(context.step);
  if (context.is_on_device) args.box = box_on_device_->step();
  return args;
}

std::vector<LangevinClass> VelocityVerlet::langevin_at(Index step) const {
  std::vector<LangevinClass> by_class(setup_.classes.size());
  for (std::size_t c = 0; c < by_class.size(); ++c) {
    if (coupling_groups_.is_frozen(c)) continue;
    const CouplingGroup& coupling =
        coupling_groups_.list[static_cast<std::size_t>(coupling_groups_.of_class[c])];
    if (coupling.thermostat == nullptr || !coupling.thermostat->is_langevin()) continue;
    const double decay = coupling.thermostat->plan.friction * setup_.time_step;
    const double variance = thermal(*coupling.thermostat, step) /
                            (setup_.classes[c].mass * setup_.units->energy_per_mv2);
    by_class[c] = {exp<Strict>(-decay), std::sqrt(-expm1<Strict>(-2 * decay) * variance)};
  }
  return by_class;
}

void VelocityVerlet::set_langevin(Index step) {
  std::vector<LangevinClass> by_class = langevin_at(step);
  if (by_class == langevin_) return;
  langevin_ = std::move(by_class);
  device_langevin_.assign(langevin_);
}

void VelocityVerlet::advance_with_noise(const IntegratorContext& context, const BoxStep& step) {
  set_langevin(context.step);
  AdvanceLangevinArgs args;
  args.advance = advance_args(context, step);
  set_advance(context.box, 0.5 * setup_.time_step, step.half_drift, args.advance.advance);
  for (std::size_t a = 0; a < 3; ++a) args.second_half_factor[a] = step.second_half_factor[a];
  args.langevin = device_langevin_.view();
  args.mass_in_quanta = mass_in_quanta_.view();
  args.key = stream_key({setup_.seed, Purpose::md_langevin});
  args.step = static_cast<std::uint64_t>(context.step);
  args.heat = heat_.view().data;
  md_advance_langevin(setup_.executor, args);
}

// First step of a new run with a barostat: computes the sums that the end of a step provides later.
void VelocityVerlet::measure_pressure(const IntegratorContext& context) {
  const KineticSums sums = kinetic_(context.particles).front();
  for (std::size_t a = 0; a < 3; ++a) {
    twice_kinetic_[a] = sums.mvv[a];
    virial_[a] = context.virial[a];
  }
  is_pressure_known_ = true;
}

void VelocityVerlet::move(const IntegratorContext& context) {
  BoxStep step;
  if (context.is_on_device) {
    box_on_device_->begin_step(pressure_targets(context.step), scale_.view(), context.step);
  } else if (barostat_ != nullptr) {
    if (!is_pressure_known_) measure_pressure(context);
    step = begin_box_step(context.box, context.step);
  }
  if (has_langevin_) {
    advance_with_noise(context, step);
  } else if (barostat_ != nullptr || is_scale_deferred_) {
    md_advance(setup_.executor, advance_args(context, step));
  } else {
    const AdvanceArgs args = advance_args(context, step);
    KickDriftArgs plain{{args.particles, args.factor, args.halves}, {}, {}, args.faults};
    std::copy_n(args.advance, 6, plain.advance);
    std::copy_n(args.periodic, 3, plain.periodic);
    md_kick_drift(setup_.executor, plain);
  }
  is_kick_deferred_ = is_scale_deferred_ = false;
  if (barostat_ != nullptr && !context.is_on_device)
    context.box = context.box.stretched(step.stretch);
}

void VelocityVerlet::remove_momentum(std::vector<KineticSums>& sums,
                                     std::vector<VelocityScale>& by_class) {
  const double unit = setup_.units->energy_per_mv2;
  double mass = 0, drift[3] = {};
  for (std::size_t g = 0; g < sums.size(); ++g) {
    mass += coupling_groups_.list[g].mass;
    for (std::size_t a = 0; a < 3; ++a) drift[a] += sums[g].momentum[a];
  }
  for (double& u : drift) u /= mass;
  for (std::size_t c = 0; c < by_class.size(); ++c)
    if (!coupling_groups_.is_frozen(c)) std::copy_n(drift, 3, by_class[c].shift);
  for (std::size_t g = 0; g < sums.size(); ++g) {
    const double* p = sums[g].momentum;
    for (std::size_t a = 0; a < 3; ++a) {
      const double lost = unit * drift[a] * (2 * p[a] - coupling_groups_.list[g].mass * drift[a]);
      sums[g].mvv[a] -= lost;
      removed_energy_ += 0.5 * lost;
    }
  }
}

void VelocityVerlet::apply_thermostats(std::vector<KineticSums>& sums, Index step,
                                       std::vector<VelocityScale>& by_class) {
  for (std::size_t g = 0; g < sums.size(); ++g) {
    if (thermostats_[g] == nullptr) continue;
    double* mvv = sums[g].mvv;
    const ThermostatConfig& config = *coupling_groups_.list[g].thermostat;
    const double twice_kinetic = mvv[0] + mvv[1] + mvv[2];
    const double factor = thermostats_[g]->scale(twice_kinetic, thermal(config, step + 1), step);
    if (!md_kernels::is_valid_factor(factor, config.plan.may_reverse))
      refuse_factor(config, factor, twice_kinetic, step);
    for (std::size_t a = 0; a < 3; ++a) mvv[a] *= factor * factor;
    for (std::size_t c = 0; c < by_class.size(); ++c)
      if (coupling_groups_.of_class[c] == static_cast<int>(g)) by_class[c].factor = factor;
  }
}

void VelocityVerlet::fetch_thermostats() {
  if (on_device_ == nullptr) return;
  const std::vector<ThermostatState> states = on_device_->fetch();
  for (std::size_t g = 0; g < states.size(); ++g) {
    const ThermostatState& s = states[g];
    if (s.fault_step < 0) continue;
    const Fault of_atom = faults_.first();
    if (of_atom.message.empty() || of_atom.step > s.fault_step + 1)
      refuse_factor(*coupling_groups_.list[g].thermostat, s.fault_factor, s.fault_twice_kinetic,
                    s.fault_step);
  }
}

Fault VelocityVerlet::recent_fault() {
  Fault fault = faults_.recent();
  if (!fault.message.empty()) fetch_thermostats();  // one of them may have been the first
  return fault;
}

void VelocityVerlet::finish_on_device(const IntegratorContext& context) {
  std::vector<double> thermal_of_group;
  for (std::size_t g = 0; g < thermostats_.size(); ++g)
    thermal_of_group.push_back(
        thermostats_[g] == nullptr
            ? 0.0
            : thermal(*coupling_groups_.list[g].thermostat, context.step + 1));
  on_device_->end_step(context.particles, kinetic_, kick_.view(), scale_.view(), thermal_of_group,
                       context.step);
  is_scale_deferred_ = true;
}

void VelocityVerlet::finish_with_sums(const IntegratorContext& context) {
  fetch_thermostats();
  const HalfKick half_kick = barostat_ != nullptr ? barostat_->end_kick() : HalfKick{};
  std::vector<KineticSums> sums = kinetic_.after_kick(context.particles, kick_.view(), half_kick);
  std::vector<VelocityScale> by_class(setup_.classes.size());
  if (removes_momentum(context.step)) remove_momentum(sums, by_class);
  if (barostat_ != nullptr) {
    std::copy_n(sums.front().mvv, 3, twice_kinetic_.begin());
    std::copy_n(context.virial, 3, virial_.begin());
    barostat_->end_step(pressure_state(context.box, context.step + 1), context.step);
  }
  apply_thermostats(sums, context.step, by_class);
  std::copy_n(sums.front().mvv, 3, twice_kinetic_.begin());
  scale_.assign(by_class);
  is_scale_deferred_ = true;
}

bool VelocityVerlet::can_step_on_device(Index step) const {
  return box_on_device_ != nullptr && is_pressure_known_ && !removes_momentum(step);
}

void VelocityVerlet::enter_device(const IntegratorContext& context, const DeviceForces& forces) {
  box_on_device_->send(context.box, twice_kinetic_, virial_, forces);
}

Fault VelocityVerlet::leave_device(const IntegratorContext& context) {
  const BoxMemory memory = box_on_device_->fetch(scale_.view());
  const ThermostatState& thermostat = memory.thermostat;
  if (thermostat.fault_step >= 0)
    refuse_factor(*config_.thermostat, thermostat.fault_factor, thermostat.fault_twice_kinetic,
                  thermostat.fault_step);
  twice_kinetic_ = memory.kinetic;
  virial_ = memory.virial;
  const Box& box = context.box;
  context.box = Box(box.origin(), memory.lengths, memory.tilts,
                    {box.boundary(0), box.boundary(1), box.boundary(2)});
  volume_ = context.box.volume();
  if (memory.failed_step < 0) return {};
  try {
    (void)begin_box_step(context.box, memory.failed_step);
  } catch (const NumericalError& error) {
    return {memory.failed_step + 1, error.what()};
  }
  throw Error("internal error: a device refuses a change of the box that the host accepts");
}

void VelocityVerlet::finish(const IntegratorContext& context) {
  if (context.is_on_device) {
    box_on_device_->end_step(context.particles, kinetic_, kick_.view(),
                             pressure_targets(context.step + 1), context.step);
    is_scale_deferred_ = true;
    return;
  }
  volume_ = context.box.volume();
  if (needs_host_sums(context.step))
    finish_with_sums(context);
  else if (has_scaling_)
    finish_on_device(context);
  else
    is_kick_deferred_ = true;
  if (context.is_observed) complete_half_kick(context);
}

// Applies the second half kick and the scaling of velocities that are otherwise deferred to the
// fused kernel of the next step.
void VelocityVerlet::complete_half_kick(const IntegratorContext& context) {
  if (is_kick_deferred_) md_kick(setup_.executor, {context.particles.moving(), kick_.view(), 1});
  if (is_scale_deferred_) md_scale(setup_.executor, {context.particles.moving(), scale_.view()});
  is_kick_deferred_ = is_scale_deferred_ = false;
  fetch_thermostats();
  if (!has_langevin_) return;
  ExactSum heat(heat_.to_host().front());
  heat_.resize_discard(1);
  setup_.communicator.sum(std::span<ExactSum>(&heat, 1));
  all_heat_.add(heat);
}

// A step whose temperature differs from that of the last one copies new factors to the device.
Index VelocityVerlet::steps_to_batch(Index first, Index count) const {
  if ((box_on_device_ != nullptr && !box_on_device_->has_run()) ||
      (on_device_ != nullptr && !on_device_->have_run()))
    return 0;
  const auto is_on_device = [&](Index step) {
    return barostat_ != nullptr ? can_step_on_device(step) : !needs_host_sums(step);
  };
  Index steps = 0;
  while (steps < count && is_on_device(first + steps) &&
         (!has_langevin_ || langevin_at(first + steps) == langevin_))
    ++steps;
  return steps;
}

void VelocityVerlet::begin_batch() {
  deferred_before_ = {is_kick_deferred_, is_scale_deferred_};
  if (on_device_ != nullptr) on_device_->begin_batch(scale_.view());
  if (box_on_device_ != nullptr) box_on_device_->begin_batch(scale_.view());
  if (has_langevin_)
    copy_on_executor(setup_.executor, heat_before_.view().data, heat_.view().data,
                     sizeof(WideInteger));
}

void VelocityVerlet::undo_batch(Index first) {
  is_kick_deferred_ = deferred_before_[0];
  is_scale_deferred_ = deferred_before_[1];
  if (on_device_ != nullptr) on_device_->undo_batch(scale_.view());
  if (box_on_device_ != nullptr) box_on_device_->undo_batch(scale_.view());
  if (has_langevin_)
    copy_on_executor(setup_.executor, heat_.view().data, heat_before_.view().data,
                     sizeof(WideInteger));
  faults_.clear_from(first);
}

double VelocityVerlet::thermostat_energy(std::size_t coupling) const {
  const double energy = thermostats_[coupling]->energy();
  if (!std::isfinite(energy))
    throw NumericalError(fmt::format("the energy of thermostat `{}` is {}",
                                     coupling_groups_.list[coupling].thermostat->kind, energy));
  return energy;
}

double VelocityVerlet::conserved_part() const {
  const double quantum = kinetic_quantum(*setup_.units) * setup_.units->energy_per_mv2;
  double sum = removed_energy_ - 0.5 * all_heat_.value(quantum);
  for (std::size_t g = 0; g < thermostats_.size(); ++g)
    if (thermostats_[g] != nullptr) sum += thermostat_energy(g);
  if (barostat_ != nullptr) sum += barostat_->energy(volume_);
  return sum;
}

void VelocityVerlet::save(DatasetWriter& writer) const {
  if (is_kick_deferred_ || is_scale_deferred_)
    throw Error("internal error: an integrator is saved while a half kick is deferred");
  std::vector<std::int64_t> heat(ExactSum::parts);
  all_heat_.to_parts(heat.data());
  writer.write("motion/heat", heat);
  writer.write("motion/removed", removed_energy_);
  for (std::size_t g = 0; g < thermostats_.size(); ++g)
    if (thermostats_[g] != nullptr)
      thermostats_[g]->save(writer, "motion/thermostat/" + std::to_string(g));
  if (barostat_ == nullptr) return;
  barostat_->save(writer, "motion/barostat");
  std::vector<double> pressure(twice_kinetic_.begin(), twice_kinetic_.end());
  pressure.insert(pressure.end(), virial_.begin(), virial_.end());
  pressure.push_back(is_pressure_known_ ? 1 : 0);
  writer.write("motion/pressure", pressure);
}

void VelocityVerlet::restore(DatasetReader& reader) {
  all_heat_ = ExactSum::from_parts(reader.read<std::int64_t>("motion/heat").data());
  removed_energy_ = reader.read_value<double>("motion/removed");
  for (std::size_t g = 0; g < thermostats_.size(); ++g)
    if (thermostats_[g] != nullptr)
      thermostats_[g]->restore(reader, "motion/thermostat/" + std::to_string(g));
  if (barostat_ == nullptr) return;
  barostat_->restore(reader, "motion/barostat");
  const auto pressure = reader.read<double>("motion/pressure");
  for (std::size_t a = 0; a < 3; ++a) {
    twice_kinetic_[a] = pressure.at(a);
    virial_[a] = pressure.at(3 + a);
  }
  is_pressure_known_ = pressure.at(6) != 0;
}

IntegratorPlan velocity_verlet() {
  return {.make =
              [](const MotionConfig& config, const IntegratorSetup& setup) {
                return std::make_unique<VelocityVerlet>(config, setup);
              },
          .has_thermostats = true,
          .has_barostat = true,
          .removes_momentum = true};
}

void register_velocity_verlet(Registry& registry) {
  registry.extend(IntegratorKind{
      "velocity_verlet", "velocity Verlet integration of Newton's equations (Swope et al. 1982)",
      [](Section&) { return velocity_verlet(); }});
}

}  // namespace gsim::md
