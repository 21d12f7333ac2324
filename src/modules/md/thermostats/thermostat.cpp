#include "src/modules/md/thermostats/thermostat.hpp"

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "src/modules/md/thermostats/bussi.hpp"
#include "src/modules/md/thermostats/nose_hoover.hpp"

namespace gsim::md {
namespace {

double described_time(Section& s, const char* doc) {
  double time = 0;
  s.required("time", time, {.doc = doc, .unit = "time", .minimum = 0, .exclusive_minimum = true});
  return time;
}

MakeThermostat describe_nose_hoover(Section& s) {
  const double time = described_time(
      s,
      "time over which the temperature swings: the first link's mass is its square times the "
      "degrees of freedom times kB T");
  Index links = 3;
  s.optional("chain", links, {.doc = "links of the chain", .minimum = 1, .maximum = 16});
  return nose_hoover_chain(time, links);
}

MakeThermostat describe_bussi(Section& s) {
  return bussi_thermostat(described_time(s, "time in which the kinetic energy forgets its value"));
}

}  // namespace

void check_thermostat_time(double time, double time_step) {
  if (!(time >= 5 * time_step))
    throw InputError(
        fmt::format("the time of the thermostat, {:g}, is less than five time steps "
                    "of {:g}; give at least five, rather a hundred",
                    time, time_step));
}

MakeThermostat nose_hoover_chain(double time, Index links) {
  return [=](const ThermostatSetup& setup) {
    check_thermostat_time(time, setup.time_step);
    return std::make_unique<NoseHooverChain>(setup.freedom, time, links, setup.time_step);
  };
}

MakeThermostat bussi_thermostat(double time) {
  return [=](const ThermostatSetup& setup) {
    check_thermostat_time(time, setup.time_step);
    return std::make_unique<BussiThermostat>(setup.freedom, time, setup.time_step, setup.seed,
                                             setup.entity);
  };
}

std::span<const ScalingThermostat> scaling_thermostats() {
  static const ScalingThermostat all[] = {
      {"nose_hoover",
       "deterministic scaling by a Nosé-Hoover chain (Martyna, Klein and Tuckerman 1992)",
       describe_nose_hoover},
      {"bussi",
       "stochastic velocity rescaling: canonical, and dynamics are hardly changed (Bussi, Donadio "
       "and Parrinello 2007)",
       describe_bussi}};
  return all;
}

}  // namespace gsim::md
