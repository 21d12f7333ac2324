#include "src/modules/md/extensions.hpp"

namespace gsim::md {

// Defined in sources that the build writes (GsimBuiltinParts.cmake).
void register_builtin_barostats(Registry& registry);
void register_builtin_conformance(Registry& registry);
void register_builtin_integrators(Registry& registry);
void register_builtin_minimizers(Registry& registry);
void register_builtin_observers(Registry& registry);
void register_builtin_thermostats(Registry& registry);

void register_builtin_parts(Registry& registry) {
  register_pair_kinds(registry);
  register_bonded_kinds(registry);
  register_eam_kinds(registry);
  register_builtin_barostats(registry);
  register_builtin_conformance(registry);
  register_builtin_integrators(registry);
  register_builtin_minimizers(registry);
  register_builtin_observers(registry);
  register_builtin_thermostats(registry);
}

Extensions extensions_of(const Registry& registry) {
  Extensions parts;
  parts.pairs = registry.all<PotentialKind>();
  parts.eam = registry.all<EamKind>();
  parts.three_body = registry.all<ThreeBodyKind>();
  parts.bonded = bonded_kinds(registry);
  parts.observers = registry.all<ObserverKind>();
  parts.integrators = registry.all<IntegratorKind>();
  parts.thermostats = registry.all<ThermostatKind>();
  parts.barostats = registry.all<BarostatKind>();
  return parts;
}

const Extensions& builtin_extensions() {
  static const Registry registry = [] {
    Registry registry;
    register_builtin_parts(registry);
    return registry;
  }();
  static const Extensions parts = extensions_of(registry);
  return parts;
}

}  // namespace gsim::md
