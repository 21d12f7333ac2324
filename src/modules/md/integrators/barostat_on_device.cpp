#include "src/modules/md/integrators/barostat_on_device.hpp"

#include <span>

#include "gsim/exec/launch_graph.hpp"

namespace gsim::md {

BarostatOnDevice::BarostatOnDevice(const IntegratorSetup& setup, Barostat& barostat,
                                   Thermostat* thermostat, bool may_reverse)
    : executor_(setup.executor),
      barostat_(dynamic_cast<DeviceBarostat*>(&barostat)),
      thermostat_(dynamic_cast<DeviceThermostat*>(thermostat)),
      may_reverse_(may_reverse),
      kinetic_(executor_, 0),
      memory_(executor_, 0),
      memory_before_(executor_, 0),
      scale_before_(executor_, 0) {
  is_usable_ = executor_.is_cuda() && setup.communicator.size() == 1 && barostat_ != nullptr &&
               (thermostat == nullptr || thermostat_ != nullptr);
  if (!is_usable_) return;
  kinetic_.resize_discard(9);
  memory_.resize_discard(1);
  memory_before_.resize_discard(1);
  scale_before_.resize_discard(static_cast<Index>(setup.classes.size()));
  args_.memory = memory_.view().data;
  args_.kinetic = kinetic_.view().data;
  args_.kinetic_quantum = kinetic_quantum(*setup.units) * setup.units->energy_per_mv2;
  args_.time_step = setup.time_step;
}

void BarostatOnDevice::send(const Box& box, const Vector3& kinetic, const Vector3& virial,
                            const DeviceForces& forces) {
  BoxMemory memory;
  barostat_->copy_to(memory.barostat);
  memory.thermostat.may_reverse = may_reverse_ ? 1 : 0;
  if (thermostat_ != nullptr) thermostat_->copy_to(memory.thermostat);
  memory.lengths = box.lengths();
  memory.tilts = box.tilts();
  memory.kinetic = kinetic;
  memory.virial = virial;
  memory_.assign(std::span<const BoxMemory>(&memory, 1));
  kinetic_.resize_discard(9);
  args_.forces = forces;
  args_.ends = args_.begins = false;
}

void BarostatOnDevice::begin_step(const PressureTargets& targets, View<VelocityScale> scale,
                                  Index step) {
  args_.scale = scale;
  args_.begins = true;
  args_.begun_step = step;
  args_.thermal = targets.thermal;
  args_.pressure = targets.pressure;
  md_step_box(executor_, args_);
  args_.ends = args_.begins = false;
}

void BarostatOnDevice::end_step(Particles& particles, const KineticSummation& kinetic,
                                View<const double> kick, const PressureTargets& targets,
                                Index step) {
  kinetic.after_kick(particles, kick, kinetic_.view().data, this->step());
  args_.ends = true;
  args_.ended_step = step;
  args_.end_thermal = targets.thermal;
  args_.end_pressure = targets.pressure;
  has_run_ = true;
}

void BarostatOnDevice::end_pending(View<VelocityScale> scale) {
  if (!args_.ends) return;
  args_.scale = scale;
  md_step_box(executor_, args_);
  args_.ends = false;
}

BoxMemory BarostatOnDevice::fetch(View<VelocityScale> scale) {
  end_pending(scale);
  const BoxMemory memory = memory_.to_host().front();
  barostat_->copy_from(memory.barostat);
  if (thermostat_ != nullptr) thermostat_->copy_from(memory.thermostat);
  return memory;
}

void BarostatOnDevice::begin_batch(View<VelocityScale> scale) {
  end_pending(scale);
  copy_on_executor(executor_, memory_before_.view().data, memory_.view().data, sizeof(BoxMemory));
  copy_on_executor(executor_, scale_before_.view().data, scale.data,
                   static_cast<std::size_t>(scale.size) * sizeof(VelocityScale));
}

void BarostatOnDevice::undo_batch(View<VelocityScale> scale) {
  args_.ends = false;
  copy_on_executor(executor_, memory_.view().data, memory_before_.view().data, sizeof(BoxMemory));
  copy_on_executor(executor_, scale.data, scale_before_.view().data,
                   static_cast<std::size_t>(scale.size) * sizeof(VelocityScale));
}

}  // namespace gsim::md
