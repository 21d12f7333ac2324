#pragma once
// Monte Carlo pricing of option portfolios: the built-in module "pricing".

namespace gsim {

class Registry;

/// Registers the module, whose trades and assets may also have the payoffs and path models that
/// plugins register (PayoffKind, PathModelKind).
void register_pricing_module(Registry& registry);

}  // namespace gsim
