// Integrators, thermostats, barostats, observers, bonded styles and pair potentials of plugins that
// lack a function; the plugin loader refuses them.

#include "gsim/config/section.hpp"
#include "gsim/md/barostats/barostat.hpp"
#include "gsim/md/bonded/bonded_kind.hpp"
#include "gsim/md/integrators/integrator.hpp"
#include "gsim/md/observers/atom_observer.hpp"
#include "gsim/md/thermostats/thermostat.hpp"
#include "src/modules/md/pair_potentials/potential_kind.hpp"
#include "tests/support/complete_kinds.hpp"

using namespace gsim;

namespace {

template <class Kind>
Kind bonded_kind() {
  Kind kind;
  kind.coefficients = [](const double*, double*) {};
  kind.energy_and_slope = [](double, const double*) {
    return md_kernels::EnergyAndSlope<double>{};
  };
  kind.launch = [](const Executor&, const md::BondedJob&) {};
  kind.is_fault = [](const md::BondedJob&, const std::int32_t*, std::int32_t) { return false; };
  return kind;
}

}  // namespace

TEST_CASE(
    "md kinds: an integrator, thermostat, barostat, observer or bonded style without one of its "
    "functions is incomplete") {
  check_missing_functions_are_reported(
      md::IntegratorKind{"", "", [](Section&) { return md::IntegratorPlan(); }},
      &md::IntegratorKind::describe);
  check_missing_functions_are_reported(
      md::ThermostatKind{"", "", [](Section&) { return md::ThermostatPlan(); }},
      &md::ThermostatKind::describe);
  check_missing_functions_are_reported(
      md::BarostatKind{"", "", [](Section&) { return md::BarostatPlan(); }},
      &md::BarostatKind::describe);
  check_missing_functions_are_reported(
      md::ObserverKind{"", "", [](Section&) { return md::ObserverPlan(); }},
      &md::ObserverKind::describe);
  check_missing_functions_are_reported(bonded_kind<md::AngleKind>(), &md::AngleKind::coefficients,
                                       &md::AngleKind::energy_and_slope, &md::AngleKind::launch,
                                       &md::AngleKind::is_fault);
  auto bond = bonded_kind<md::BondKind>();
  bond.longest = [](const double*) { return 1.0; };
  check_missing_functions_are_reported(bond, &md::BondKind::coefficients,
                                       &md::BondKind::energy_and_slope, &md::BondKind::launch,
                                       &md::BondKind::is_fault, &md::BondKind::longest);
}

TEST_CASE(
    "md kinds: built-in pair potentials are complete, and incomplete if one of their functions "
    "is missing") {
  using md::PotentialKind;
  for (const PotentialKind& kind : md::potential_kinds()) {
    CAPTURE(kind.name);
    CHECK(kind.missing() == nullptr);
    check_missing_functions_are_reported(
        kind, &PotentialKind::coefficients, &PotentialKind::closest, &PotentialKind::force,
        &PotentialKind::energy, &PotentialKind::cluster_f32, &PotentialKind::cluster_f64,
        &PotentialKind::full_f32, &PotentialKind::full_f64);
    if (kind.can_be_smoothed)
      check_missing_functions_are_reported(kind, &PotentialKind::smoothing,
                                           &PotentialKind::smoothed_force,
                                           &PotentialKind::smoothed_energy);
  }
}
