#include "src/modules/md/integrators/thermostats_on_device.hpp"

#include <algorithm>

#include "gsim/exec/launch_graph.hpp"
#include "src/modules/md/integrators/motion_config.hpp"
#include "src/modules/md/thermostats/device_thermostat.hpp"

namespace gsim::md {
namespace {

/// The thermostat as one that a device can compute, or null.
DeviceThermostat* on_device(Thermostat& thermostat) {
  return dynamic_cast<DeviceThermostat*>(&thermostat);
}

}  // namespace

ThermostatsOnDevice::ThermostatsOnDevice(
    const IntegratorSetup& setup, const CouplingGroups& coupling_groups,
    const std::vector<std::unique_ptr<Thermostat>>& thermostats)
    : executor_(setup.executor),
      thermostats_(thermostats),
      energy_quantum_(kinetic_quantum(*setup.units) * setup.units->energy_per_mv2),
      group_of_class_(executor_, 0),
      sums_(executor_, 0),
      states_(executor_, 0),
      states_before_(executor_, 0),
      scale_before_(executor_, 0) {
  const auto groups = static_cast<int>(thermostats.size());
  are_usable_ = executor_.is_cuda() && setup.communicator.size() == 1 &&
                groups <= ScaleGroupsArgs::max_groups &&
                std::any_of(thermostats.begin(), thermostats.end(),
                            [](const auto& t) { return t != nullptr; }) &&
                std::all_of(thermostats.begin(), thermostats.end(),
                            [](const auto& t) { return t == nullptr || on_device(*t) != nullptr; });
  if (!are_usable_) return;
  for (const CouplingGroup& group : coupling_groups.list)
    may_reverse_.push_back(group.thermostat != nullptr && group.thermostat->plan.may_reverse);
  const std::vector<std::int32_t> of_class(coupling_groups.of_class.begin(),
                                           coupling_groups.of_class.end());
  group_of_class_ = Array<std::int32_t>(executor_, of_class);
  sums_.resize_discard(9 * groups);
  states_.resize_discard(groups);
  states_before_.resize_discard(groups);
  scale_before_.resize_discard(static_cast<Index>(of_class.size()));
}

void ThermostatsOnDevice::send() {
  std::vector<ThermostatState> states(thermostats_.size());
  for (std::size_t g = 0; g < states.size(); ++g) {
    states[g].may_reverse = may_reverse_[g] != 0;
    if (thermostats_[g] != nullptr) on_device(*thermostats_[g])->copy_to(states[g]);
  }
  states_.assign(states);
  are_sent_ = true;
}

void ThermostatsOnDevice::end_step(Particles& particles, const KineticSummation& kinetic,
                                   View<const double> kick, View<VelocityScale> scale,
                                   std::span<const double> thermal, Index step) {
  if (!are_sent_) send();
  kinetic.after_kick(particles, kick, sums_.view().data);
  ScaleGroupsArgs args;
  args.groups = static_cast<int>(thermostats_.size());
  args.sums = sums_.view().data;
  args.states = states_.view().data;
  args.scale = scale;
  args.group_of_class = group_of_class_.view();
  args.energy_quantum = energy_quantum_;
  std::copy(thermal.begin(), thermal.end(), args.thermal);
  args.step = step;
  md_scale_groups(executor_, args);
  has_run_ = true;
}

std::vector<ThermostatState> ThermostatsOnDevice::fetch() {
  if (!are_sent_) return {};
  are_sent_ = false;
  std::vector<ThermostatState> states = states_.to_host();
  for (std::size_t g = 0; g < states.size(); ++g)
    if (thermostats_[g] != nullptr) on_device(*thermostats_[g])->copy_from(states[g]);
  return states;
}

void ThermostatsOnDevice::begin_batch(View<const VelocityScale> scale) {
  if (!are_sent_) send();
  copy_on_executor(executor_, states_before_.view().data, states_.view().data,
                   static_cast<std::size_t>(states_.size()) * sizeof(ThermostatState));
  copy_on_executor(executor_, scale_before_.view().data, scale.data,
                   static_cast<std::size_t>(scale.size) * sizeof(VelocityScale));
}

void ThermostatsOnDevice::undo_batch(View<VelocityScale> scale) {
  copy_on_executor(executor_, states_.view().data, states_before_.view().data,
                   static_cast<std::size_t>(states_.size()) * sizeof(ThermostatState));
  copy_on_executor(executor_, scale.data, scale_before_.view().data,
                   static_cast<std::size_t>(scale.size) * sizeof(VelocityScale));
}

}  // namespace gsim::md
