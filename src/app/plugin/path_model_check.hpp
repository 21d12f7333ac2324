#pragma once
// What a path model must keep besides its bits: gsim plugin check.

#include <functional>

#include "conformance.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/pricing/path_model_kind.hpp"

namespace gsim::app {

/// Prices the subject's example, which is of module pricing, in the ways of check_payoff();
/// sees whether the discounted spots of its assets with this model have today's spot as their mean,
/// where the model says so, within five standard errors; and gives each number among its keys
/// values beyond all sense, which must be refused, or priced. Tells each finding; returns whether
/// all hold.
bool check_path_model(const pricing::PathModelKind& kind, const Registry& registry,
                      const Subject& subject, const std::function<void(const Finding&)>& tell);

}  // namespace gsim::app
