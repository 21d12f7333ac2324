#include "src/modules/md/observers/conductivity.hpp"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/engine/registry.hpp"
#include "src/modules/md/correlations/atom_sums.hpp"
#include "src/modules/md/sampling/result_columns.hpp"

namespace gsim::md {
Conductivity::Conductivity(std::string name, const SampleSteps& steps,
                           const GreenKuboConfig& config, const ObserverSetup& setup,
                           Particles& particles)
    : GreenKubo(std::move(name), steps, config, setup, 3,
                {"conductivity", setup.units->system == UnitSystem::lj ? "" : "S m-1",
                 unit_of({{setup.units->charge_name, 1}, {setup.units->velocity_name, 1}}),
                 "electrical conductivity from a Green-Kubo integral"}),
      particles_(particles),
      type_charges_(setup.type_charges) {
  type_charges_.resize(setup.type_names.size());
  bool is_charged = particles.has_charges();
  for (const double q : type_charges_) is_charged = is_charged || q != 0;
  if (!is_charged)
    throw InputError(
        fmt::format("observer `{}`: no atom has a charge; a conductivity needs "
                    "charges, of atoms or of types",
                    this->name()));
}

std::vector<double> Conductivity::flux(const Snapshot& snapshot) {
  ParticleStore& store = particles_.store;
  const Index n = store.locals();
  const bool has_atom_charges = particles_.has_charges();
  std::array<ExactSum, 7> sums;  // sums of q v, m v and q
  snapshot.communicator.agree([&] {
    const HostColumn<Vector3> velocity(store, particles_.velocity, n);
    const HostColumn<std::int32_t> type(store, particles_.type, n);
    std::optional<HostColumn<double>> atom_charges;
    if (has_atom_charges) atom_charges.emplace(store, particles_.charge, n);
    sum_over_atoms(setup().executor.pool(), n, sums, [&](Index i, ExactSum* partial) {
      const auto t = static_cast<std::size_t>(type[i]);
      const double q = has_atom_charges ? (*atom_charges)[i] : type_charges_[t];
      for (std::size_t a = 0; a < 3; ++a) {
        partial[a].add(in_sum_quanta(q * velocity[i][a]));
        partial[3 + a].add(in_sum_quanta(setup().type_masses[t] * velocity[i][a]));
      }
      partial[6].add(in_sum_quanta(q));
    });
  });
  snapshot.communicator.sum(sums);
  const double mass = setup().total_mass();
  std::vector<double> flux;
  for (std::size_t a = 0; a < 3; ++a)
    flux.push_back(sums[a].value(sum_quantum) -
                   sums[6].value(sum_quantum) * (sums[3 + a].value(sum_quantum) / mass));
  return flux;
}

// 1 / (V kB T). The factor 1/3 of the scalar product <J(0) J(t)> is absent because the correlation
// function is the mean over the three components.
double Conductivity::factor(double volume, double temperature) const {
  return setup().units->siemens_per_metre / (volume * setup().units->boltzmann * temperature);
}

namespace {

ObserverPlan describe_conductivity(Section& s) {
  ObserverPlan plan;
  plan.make = [c = describe_green_kubo(s)](const ObserverArguments& run) {
    return std::make_unique<Conductivity>(run.name, run.steps, c, run.setup, run.particles);
  };
  plan.check = [keys = s.locations()](const SystemSummary& system) {
    if (!system.is_charged)
      keys.fail("kind",
                fmt::format("observer `{}`: no atom has a charge", excerpt(system.observer)),
                "a conductivity needs charges, of atoms or of types");
  };
  return plan;
}

}  // namespace

void register_conductivity(Registry& registry) {
  registry.extend(ObserverKind{"conductivity", "electrical conductivity from a Green-Kubo integral",
                               describe_conductivity});
}

}  // namespace gsim::md
