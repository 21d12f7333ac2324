#include "src/modules/md/thermostats/nose_hoover.hpp"

#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/engine/registry.hpp"

namespace gsim::md {

NoseHooverState nose_hoover_state(double freedom, double time, Index links, double time_step) {
  GSIM_EXPECT(links >= 1 && links <= NoseHooverState::max_links);
  NoseHooverState state;
  state.freedom = freedom;
  state.time_squared = time * time;
  state.time_step = time_step;
  state.links = static_cast<std::int32_t>(links);
  return state;
}

void save_chain(const NoseHooverState& state, DatasetWriter& writer, const std::string& path) {
  std::vector<double> values(state.velocity, state.velocity + state.links);
  values.insert(values.end(), {state.position_energy, state.thermal});
  writer.write(path, values);
}

void restore_chain(NoseHooverState& state, DatasetReader& reader, const std::string& path) {
  const std::vector<double> values = reader.read<double>(path);
  const auto links = static_cast<std::size_t>(state.links);
  for (std::size_t k = 0; k < links; ++k) state.velocity[k] = values.at(k);
  state.position_energy = values.at(links);
  state.thermal = values.at(links + 1);
}

NoseHooverChain::NoseHooverChain(double freedom, double time, Index links, double time_step)
    : state_(nose_hoover_state(freedom, time, links, time_step)) {}

double NoseHooverChain::scale(double twice_kinetic, double thermal, Index /*step*/) {
  return md_kernels::scale_by_chain(state_, twice_kinetic, thermal);
}

double NoseHooverChain::energy() const { return md_kernels::chain_energy(state_); }

void NoseHooverChain::copy_to(ThermostatState& state) const {
  state.kind = ThermostatState::Kind::nose_hoover;
  state.chain = state_;
}

ThermostatPlan nose_hoover_thermostat(double time, Index links) {
  return {.make = [=](const ThermostatSetup& setup) {
    check_thermostat_time(time, setup.time_step);
    return std::make_unique<NoseHooverChain>(setup.freedom, time, links, setup.time_step);
  }};
}

namespace {

ThermostatPlan describe_nose_hoover(Section& s) {
  double time = 0;
  s.required("time", time,
             {.doc = "time scale on which the temperature oscillates; the mass of the first "
                     "thermostat of the "
                     "chain is the degrees of freedom times kB T time^2",
              .unit = "time",
              .minimum = 0,
              .exclusive_minimum = true});
  Index links = 3;
  s.optional("chain", links,
             {.doc = "number of thermostats in the chain", .minimum = 1, .maximum = 16});
  return nose_hoover_thermostat(time, links);
}

}  // namespace

void register_nose_hoover(Registry& registry) {
  registry.extend(ThermostatKind{
      "nose_hoover",
      "deterministic scaling by a Nosé-Hoover chain (Martyna, Klein and Tuckerman 1992)",
      describe_nose_hoover});
}

}  // namespace gsim::md
