#pragma once
// Modules of plugins, or that plugins extend, between the engine and themselves: exceptions that
// are none of gsim's get the plugin's name.

#include <memory>
#include <string>

#include "gsim/engine/registry.hpp"

namespace gsim::engine {

/// `make`, and the modules that it makes, with every exception that is no gsim::Error and not
/// std::bad_alloc turned into an Error that names the plugin and says what it was doing. A
/// MisuseError and a NumericalError get the same in front of their message. An Error also where
/// `make` makes nothing.
Registry::Factory guard_factory(Registry::Factory make, const std::string& plugin);

/// The same for a module of gsim's, where plugins bring extensions of it: what is no gsim::Error is
/// none of gsim's, and the message names them; as it does for a MisuseError.
Registry::Factory guard_extended(Registry::Factory make, const std::string& module);

}  // namespace gsim::engine
