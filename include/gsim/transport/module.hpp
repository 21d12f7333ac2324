#pragma once
// Particle transport: the built-in module "transport".

namespace gsim {

class Registry;

/// Registers the module "transport", which simulates neutral particles in matter. The module uses
/// the sources, surfaces, scores and tally filters that plugins add to the registry
/// (source_kind.hpp, surface_kind.hpp, score_kind.hpp, filter_kind.hpp).
void register_transport_module(Registry& registry);

}  // namespace gsim
