#include "src/modules/md/thermostats/bussi.hpp"

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/random/stream.hpp"

namespace gsim::md {

BussiThermostat::BussiThermostat(double freedom, double time, double time_step, std::uint64_t seed,
                                 std::uint64_t entity)
    : state_{static_cast<Index>(freedom),
             exp<Strict>(-time_step / time),
             -expm1<Strict>(-time_step / time),
             stream_key({seed, Purpose::md_thermostat}),
             entity,
             0} {}

double BussiThermostat::scale(double twice_kinetic, double thermal, Index step) {
  return md_kernels::scale_by_bussi(state_, twice_kinetic, thermal, step);
}

void BussiThermostat::copy_to(ThermostatState& state) const {
  state.kind = ThermostatState::Kind::bussi;
  state.bussi = state_;
}

void BussiThermostat::save(DatasetWriter& writer, const std::string& path) const {
  writer.write(path, state_.removed_energy);
}
void BussiThermostat::restore(DatasetReader& reader, const std::string& path) {
  state_.removed_energy = reader.read_value<double>(path);
}

ThermostatPlan bussi_thermostat(double time) {
  return {.make =
              [=](const ThermostatSetup& setup) {
                check_thermostat_time(time, setup.time_step);
                return std::make_unique<BussiThermostat>(setup.freedom, time, setup.time_step,
                                                         setup.seed, setup.entity);
              },
          .may_reverse = true};
}

namespace {

ThermostatPlan describe_bussi(Section& s) {
  double time = 0;
  s.required("time", time,
             {.doc = "relaxation time of the kinetic energy",
              .unit = "time",
              .minimum = 0,
              .exclusive_minimum = true});
  return bussi_thermostat(time);
}

}  // namespace

void register_bussi(Registry& registry) {
  registry.extend(ThermostatKind{
      "bussi",
      "stochastic velocity rescaling, which samples the canonical ensemble and changes dynamics "
      "little (Bussi, Donadio and Parrinello 2007)",
      describe_bussi});
}

}  // namespace gsim::md
