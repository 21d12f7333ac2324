#pragma once
// What thermostats and observers must keep besides their bits: gsim plugin check.

#include <functional>

#include "conformance.hpp"
#include "gsim/engine/registry.hpp"

namespace gsim::app {

/// Runs the subject's example, which is of module md, and watches the part: a thermostat must be
/// asked for factors, which are positive numbers; an observer must look at a step. Tells the
/// finding; returns whether it holds.
bool check_hook(const Registry::Extension& part, const Registry& registry, const Subject& subject,
                const std::function<void(const Finding&)>& tell);

}  // namespace gsim::app
