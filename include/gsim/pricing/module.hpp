#pragma once
// The built-in modules "pricing", Monte Carlo pricing of option portfolios, "risk", the market risk
// of such portfolios, and "exposure", their exposures to counterparties.

namespace gsim {

class Registry;

/// Registers the modules, whose trades and assets may also have the payoffs and path models that
/// plugins register (PayoffKind, PathModelKind).
void register_pricing_module(Registry& registry);
void register_risk_module(Registry& registry);
void register_exposure_module(Registry& registry);

}  // namespace gsim
