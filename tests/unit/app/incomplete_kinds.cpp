// Kinds that a plugin registers without their functions (the loader refuses them, door.py).

#include <doctest/doctest.h>

#include "gsim/config/section.hpp"
#include "gsim/md/bonded/bonded_kind.hpp"
#include "gsim/md/observers/atom_observer.hpp"
#include "gsim/md/thermostats/thermostat.hpp"
#include "gsim/transport/score_kind.hpp"
#include "gsim/transport/source_kind.hpp"
#include "gsim/transport/surface_kind.hpp"
#include "src/modules/md/pair_potentials/potential_kind.hpp"

using namespace gsim;

namespace {

/// Whether `kind` is complete, and is not without any one of the functions.
template <class Kind, class... Members>
void check_each(const Kind& kind, Members... members) {
  CHECK(kind.missing() == nullptr);
  const auto is_missed = [&](auto member) {
    Kind less = kind;
    less.*member = nullptr;
    return less.missing() != nullptr;
  };
  CHECK((is_missed(members) && ...));
}

template <class Kind>
Kind law() {
  Kind kind;
  kind.coefficients = [](const double*, double*) {};
  kind.terms = [](double, const double*) { return md_kernels::LawTerms<double>{}; };
  kind.launch = [](const Executor&, const md::BondedJob&) {};
  kind.is_fault = [](const md::BondedJob&, const std::int32_t*, std::int32_t) { return false; };
  return kind;
}

}  // namespace

TEST_CASE("kinds: each function of a plugin's kind is missed") {
  using namespace gsim::transport;
  const auto describe = [](Section&) { return std::vector<double>(); };
  check_each(md::ScalingThermostat{"", "", [](Section&) { return md::MakeThermostat(); }},
             &md::ScalingThermostat::describe);
  check_each(md::AtomObserverKind{"", "", [](Section&) { return md::MakeAtomObserver(); }},
             &md::AtomObserverKind::describe);
  check_each(SurfaceKind{"", "", [](Section&) { return SurfaceShape(); }}, &SurfaceKind::describe);
  check_each(ScoreKind{"", "", "1", describe,
                       [](std::span<const double>, const ScoreMaterial&, std::span<double>) {}},
             &ScoreKind::describe, &ScoreKind::response);
  check_each(SourceKind{"", "", [](Section&, std::int32_t) { return std::vector<double>(); },
                        [](const Executor&, const SourceJob&) {}},
             &SourceKind::describe, &SourceKind::sample);
  check_each(law<md::AngleKind>(), &md::AngleKind::coefficients, &md::AngleKind::terms,
             &md::AngleKind::launch, &md::AngleKind::is_fault);
  auto bond = law<md::BondKind>();
  bond.longest = [](const double*) { return 1.0; };
  check_each(bond, &md::BondKind::coefficients, &md::BondKind::terms, &md::BondKind::launch,
             &md::BondKind::is_fault, &md::BondKind::longest);
}

TEST_CASE("kinds: gsim's own pair potentials are complete, and each function of one is missed") {
  using md::PotentialKind;
  for (const PotentialKind& kind : md::potential_kinds()) {
    CAPTURE(kind.name);
    CHECK(kind.missing() == nullptr);
    check_each(kind, &PotentialKind::coefficients, &PotentialKind::closest, &PotentialKind::force,
               &PotentialKind::energy, &PotentialKind::cluster_f32, &PotentialKind::cluster_f64,
               &PotentialKind::full_f32, &PotentialKind::full_f64);
    if (kind.can_be_smoothed)
      check_each(kind, &PotentialKind::smoothing, &PotentialKind::smoothed_force,
                 &PotentialKind::smoothed_energy);
  }
}
