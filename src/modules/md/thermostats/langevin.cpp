// Langevin dynamics: friction and noise on every atom. The integrator
// (integrators/velocity_verlet.hpp) adds both to the drift of each step.

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/md/thermostats/thermostat.hpp"

namespace gsim::md {
namespace {

ThermostatPlan describe_langevin(Section& s) {
  ThermostatPlan plan;
  s.required("friction", plan.friction,
             {.doc = "friction coefficient over mass, the decay rate of velocities",
              .unit = "1/time",
              .minimum = 0,
              .exclusive_minimum = true});
  return plan;
}

}  // namespace

void register_langevin(Registry& registry) {
  registry.extend(ThermostatKind{
      "langevin", "friction and noise on every atom, BAOAB (Leimkuhler and Matthews 2013)",
      describe_langevin});
}

}  // namespace gsim::md
