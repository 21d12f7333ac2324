#include "src/modules/md/observers/viscosity.hpp"

#include <utility>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "src/modules/md/sampling/result_columns.hpp"

namespace gsim::md {

Viscosity::Viscosity(std::string name, const SampleSteps& steps, const GreenKuboConfig& config,
                     const ObserverSetup& setup)
    : GreenKubo(
          std::move(name), steps, config, setup, 5,
          {"viscosity", unit_of({{setup.units->pressure_name, 1}, {setup.units->time_name, 1}}),
           std::string(setup.units->pressure_name),
           "shear viscosity from a Green-Kubo integral, from five components of the pressure"}) {}

// The five independent components of the traceless pressure tensor (viscosity.hpp).
std::vector<double> Viscosity::flux(const Snapshot& snapshot) {
  const double* const p = snapshot.thermo->pressure_tensor;  // xx, yy, zz, xy, xz, yz
  constexpr double two_sqrt_3 = 3.46410161513775458705;
  return {p[3], p[4], p[5], (p[0] - p[1]) / 2, (2 * p[2] - p[0] - p[1]) / two_sqrt_3};
}

// Pressures are energies per volume times Units::pressure; the flux correlation contains this
// factor twice and the viscosity once.
double Viscosity::factor(double volume, double temperature) const {
  return volume / (setup().units->boltzmann * temperature * setup().units->pressure);
}

namespace {

ObserverPlan describe_viscosity(Section& s) {
  return {.make = [c = describe_green_kubo(s)](const ObserverArguments& run) {
    return std::make_unique<Viscosity>(run.name, run.steps, c, run.setup);
  }};
}

}  // namespace

void register_viscosity(Registry& registry) {
  registry.extend(
      ObserverKind{"viscosity", "shear viscosity from a Green-Kubo integral", describe_viscosity});
}

}  // namespace gsim::md
