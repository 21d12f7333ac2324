#include "src/modules/md/extensions.hpp"

#include <algorithm>

#include "src/modules/md/pair_potentials/potential_kind.hpp"

namespace gsim::md {

// Defined in sources that the build writes (GsimBuiltinParts.cmake).
void register_builtin_barostats(Registry& registry);
void register_builtin_conformance(Registry& registry);
void register_builtin_observers(Registry& registry);
void register_builtin_thermostats(Registry& registry);

void register_builtin_parts(Registry& registry) {
  register_builtin_barostats(registry);
  register_builtin_conformance(registry);
  register_builtin_observers(registry);
  register_builtin_thermostats(registry);
}

Extensions extensions_of(const Registry& registry) {
  Extensions parts;
  parts.pairs = registry.all<PotentialKind>();
  std::erase_if(parts.pairs, [](const PotentialKind* kind) {
    const auto own = potential_kinds();
    return std::any_of(own.begin(), own.end(),
                       [&](const PotentialKind& o) { return o.name == kind->name; });
  });
  parts.triplets = registry.all<TripletKind>();
  parts.bonds = registry.all<BondKind>();
  parts.angles = registry.all<AngleKind>();
  parts.observers = registry.all<ObserverKind>();
  parts.thermostats = registry.all<ThermostatKind>();
  parts.barostats = registry.all<BarostatKind>();
  return parts;
}

const Extensions& builtin_extensions() {
  static const Registry registry = [] {
    Registry own;
    register_builtin_parts(own);
    return own;
  }();
  static const Extensions parts = extensions_of(registry);
  return parts;
}

}  // namespace gsim::md
