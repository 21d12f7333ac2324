#pragma once
// What parts of transport must keep besides their bits: gsim plugin check.

#include <functional>

#include "conformance.hpp"
#include "gsim/engine/registry.hpp"

namespace gsim::app {

/// Asks a source, a surface or a score for what each must keep (source_check.hpp and so on), in the
/// subject's example, which is of module transport. Tells the finding; returns whether it holds.
bool check_transport(const Registry::Extension& part, const Registry& registry,
                     const Subject& subject, const std::function<void(const Finding&)>& tell);

}  // namespace gsim::app
