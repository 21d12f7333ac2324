#include "src/modules/md/observers/thermal_conductivity.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/engine/registry.hpp"
#include "src/modules/md/correlations/atom_sums.hpp"
#include "src/modules/md/sampling/result_columns.hpp"

namespace gsim::md {
namespace {

/// Adds the product of a symmetric tensor (xx, yy, zz, xy, xz, yz) and w to v.
void add_product(const double* tensor, const Vector3& w, Vector3& v) {
  v[0] += tensor[0] * w[0] + tensor[3] * w[1] + tensor[4] * w[2];
  v[1] += tensor[3] * w[0] + tensor[1] * w[1] + tensor[5] * w[2];
  v[2] += tensor[4] * w[0] + tensor[5] * w[1] + tensor[2] * w[2];
}

}  // namespace

ThermalConductivity::ThermalConductivity(std::string name, const SampleSteps& steps,
                                         const GreenKuboConfig& config, const ObserverSetup& setup)
    : GreenKubo(std::move(name), steps, config, setup, 3,
                {"thermal_conductivity", setup.units->system == UnitSystem::lj ? "" : "W m-1 K-1",
                 unit_of({{setup.units->energy_name, 1}, {setup.units->velocity_name, 1}}),
                 "thermal conductivity from a Green-Kubo integral"}),
      pairs_(setup.make_single_atom_pairs()) {
  require_one_type(this->name(), setup.type_counts);
}

void ThermalConductivity::require_one_type(const std::string& name,
                                           const std::vector<Index>& counts) {
  const auto kinds =
      std::count_if(counts.begin(), counts.end(), [](Index count) { return count > 0; });
  if (kinds > 1)
    throw InputError(
        fmt::format("observer `{}`: there are atoms of {} types, and in a mixture diffusion also "
                    "carries heat; measure the thermal conductivity of a system of one type",
                    name, kinds));
}

std::vector<double> ThermalConductivity::flux(const Snapshot& snapshot) {
  ParticleStore& store = snapshot.particles.store;
  const Index n = store.locals();
  const Units& units = *setup().units;
  Vector3 drift = snapshot.thermo->momentum;
  for (double& component : drift) component /= setup().total_mass();
  std::array<ExactSum, 3> sums;
  snapshot.communicator.agree([&] {
    pairs_->box_changed(snapshot.box);
    const auto terms = pairs_->atom_terms(pair_atoms(snapshot.particles));
    const HostColumn<Vector3> velocity(store, snapshot.particles.velocity, n);
    const HostColumn<std::int32_t> type(store, snapshot.particles.type, n);
    sum_over_atoms(setup().executor.pool(), n, sums, [&](Index i, ExactSum* partial) {
      double energy_virial[7];  // half of the energy and virial of each pair of the atom
      for (std::size_t k = 0; k < 7; ++k)
        energy_virial[k] = 0.5 * terms.quantum *
                           static_cast<double>(terms.values[static_cast<std::size_t>(7 * i) + k]);
      const double mass = setup().type_masses[static_cast<std::size_t>(type[i])];
      Vector3 v = velocity[i], flux{};
      for (std::size_t a = 0; a < 3; ++a) v[a] -= drift[a];
      const double energy = energy_virial[0] + 0.5 * mass * units.energy_per_mv2 *
                                                   (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      for (std::size_t a = 0; a < 3; ++a) flux[a] = energy * v[a];
      add_product(energy_virial + 1, v, flux);
      for (std::size_t a = 0; a < 3; ++a) partial[a].add(in_sum_quanta(flux[a]));
    });
  });
  snapshot.communicator.sum(sums);
  return {sums[0].value(sum_quantum), sums[1].value(sum_quantum), sums[2].value(sum_quantum)};
}

// The mean over components is a third of the scalar product.
double ThermalConductivity::factor(double volume, double temperature) const {
  const Units& units = *setup().units;
  return units.watt_per_metre_kelvin / (volume * units.boltzmann * temperature * temperature);
}

namespace {

ObserverPlan describe_thermal_conductivity(Section& s) {
  ObserverPlan plan;
  plan.make = [c = describe_green_kubo(s)](const ObserverArguments& run) {
    return std::make_unique<ThermalConductivity>(run.name, run.steps, c, run.setup);
  };
  plan.check = [](const SystemSummary& system) {
    system.require_pairs_alone();
    ThermalConductivity::require_one_type(system.observer, system.type_counts());
  };
  return plan;
}

}  // namespace

void register_thermal_conductivity(Registry& registry) {
  registry.extend(ObserverKind{
      "thermal_conductivity",
      "thermal conductivity of atoms of one type with pair forces only, from a Green-Kubo integral",
      describe_thermal_conductivity});
}

}  // namespace gsim::md
